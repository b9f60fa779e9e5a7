import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import { checkCapabilities, declaredBy } from "./capabilities.js";
import { beginAgain, openingRequest, opensAgain } from "./lifecycle.js";
import { checkAnswersToQuestions } from "./questions.js";
import { checkShape, mentionDeprecated, type Scene } from "./scene.js";
import { otherSide, type SentRequest } from "./state.js";
import { keyOf, type Members, metaOf, shown } from "./values.js";

/** Looks at a request and remembers it. */
export function hearRequest(message: Members, scene: Scene): void {
  const { from, state, facts, tell, line } = scene;
  const method = String(message["method"]);
  const params = message["params"];
  const { opening } = facts.profile;
  const version = metaOf(params, META_PROTOCOL_VERSION);
  if (opensAgain(from, method, state, facts)) beginAgain(state, facts, tell);
  const isForeign = typeof version === "string" && version !== facts.revision;
  const request: SentRequest = {
    method,
    line,
    params,
    token: askForProgress(params, scene),
    isForeign,
    isCancelled: false,
  };
  remember(message["id"], request, scene);
  if (isForeign) {
    const said = `the request is in ${shown(version)}; neither it nor its answer was looked at`;
    return tell("other-revision", ["params", "_meta", META_PROTOCOL_VERSION], said, facts.link("profile", "opening"));
  }
  const row = rowOf(method, scene);
  if (row) {
    const model = facts.request(from, method);
    if (params === undefined && !row.paramsOptional)
      tell("params", [], `${method} has no params, and needs some`, model?.link);
    else if (params !== undefined && model?.params !== undefined)
      checkShape("params", model.params, params, ["params"], scene);
    if (model) mentionDeprecated(model, ["method"], scene);
  }
  if (opening === "handshake") openingRequest({ from, method, params }, scene.inBatch, state, facts, tell);
  if (row && method !== INITIALIZE)
    checkCapabilities(method, row, params, declaredBy(state, declaredWith(request, scene)), { facts, tell, path: [] });
  checkAnswersToQuestions(params, scene);
}

/** The client's capabilities that hold for a request: its own in the stateless era, those of the session before. */
export function declaredWith({ params }: SentRequest, { state, facts }: Scene): Members | undefined {
  if (facts.profile.opening === "handshake") return state.client.capabilities;
  const declared = metaOf(params, META_CLIENT_CAPABILITIES);
  return isObject(declared) ? declared : undefined;
}

function remember(id: unknown, request: SentRequest, { from, state, facts, tell }: Scene): void {
  const { open, answered } = state[from];
  const key = keyOf(id);
  const link = facts.link("definition", "RequestId");
  const earlier = open.get(key);
  const answer = answered.get(key);
  if (earlier)
    tell("id-reused", ["id"], `the request of line ${earlier.line} has the same id, and is still open`, link);
  // Where there are no sessions, an id means nothing any more once it is answered.
  else if (answer !== undefined && facts.profile.opening === "handshake")
    tell("id-reused", ["id"], `the ${from} has used this id before: its answer is in line ${answer}`, link);
  open.set(key, request);
  answered.delete(key);
}

function askForProgress(params: unknown, { from, state, facts, tell, line }: Scene): string | undefined {
  const token = metaOf(params, "progressToken");
  if (token === undefined) return undefined;
  const key = keyOf(token);
  const earlier = state[from].tokens.get(key);
  if (earlier && !earlier.isOver) {
    const link = facts.notification(otherSide(from), "notifications/progress")?.link;
    tell(
      "progress-token",
      ["params", "_meta", "progressToken"],
      `the open request of line ${earlier.line} has the same token`,
      link,
    );
  }
  state[from].tokens.set(key, { line, last: undefined, isOver: false });
  return key;
}

/** The row of a request that this side may send; what it may not is reported. */
function rowOf(method: string, { from, facts, tell }: Scene) {
  const { receives } = facts;
  const to = otherSide(from);
  const has = (rows: object): boolean => Object.hasOwn(rows, method);
  if (has(receives[to].requests)) return receives[to].requests[method];
  const link = facts.request(to, method)?.link ?? facts.notification(from, method)?.link;
  if (has(receives[from].requests))
    tell("direction", ["method"], `${method} is a request that the ${to} sends, not the ${from}`, link);
  else if (has(receives[to].notifications) || has(receives[from].notifications))
    tell("direction", ["method"], `${method} is a notification, and has no id`, link);
  else if (has(receives.client.inputs ?? {}))
    tell(
      "direction",
      ["method"],
      `in ${facts.revision}, ${method} travels inside of results`,
      facts.link("profile", "serverRequests"),
    );
  else
    tell(
      "method-unknown",
      ["method"],
      `${facts.revision} does not know the request ${shown(method)}`,
      facts.link("definition", "JSONRPCRequest"),
    );
  return undefined;
}
