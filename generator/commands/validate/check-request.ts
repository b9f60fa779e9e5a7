import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import { checkCapabilities, declaredBy } from "./check-capabilities.js";
import { resetSession, checkInitializeRequest, isNewSession } from "./lifecycle.js";
import { checkInputResponses } from "./input-requests.js";
import { checkType, reportDeprecated, type RuleContext } from "./rule-context.js";
import { otherSide, type SentRequest } from "./conversation-state.js";
import { idKey, type Members, metaOf, shownValue } from "./json-values.js";

/** Checks a request and stores it in the state. */
export function checkRequest(message: Members, context: RuleContext): void {
  const { from, state, facts, report, line } = context;
  const method = String(message["method"]);
  const params = message["params"];
  const { opening } = facts.profile;
  const version = metaOf(params, META_PROTOCOL_VERSION);
  if (isNewSession(from, method, state, facts)) resetSession(state, facts, report);
  const isForeign = typeof version === "string" && version !== facts.revision;
  const request: SentRequest = {
    method,
    line,
    params,
    token: askForProgress(params, context),
    isForeign,
    isCancelled: false,
  };
  remember(message["id"], request, context);
  if (isForeign) {
    const said = `the request is in ${shownValue(version)}; neither it nor its answer was looked at`;
    return report("other-revision", ["params", "_meta", META_PROTOCOL_VERSION], said, facts.link("profile", "opening"));
  }
  const row = rowOf(method, context);
  if (row) {
    const model = facts.request(from, method);
    if (params === undefined && !row.paramsOptional)
      report("params", [], `${method} has no params, and needs some`, model?.link);
    else if (params !== undefined && model?.params !== undefined)
      checkType("params", model.params, params, ["params"], context);
    if (model) reportDeprecated(model, ["method"], context);
  }
  if (opening === "handshake") checkInitializeRequest({ from, method, params }, context.inBatch, state, facts, report);
  if (row && method !== INITIALIZE)
    checkCapabilities(method, row, params, declaredBy(state, declaredWith(request, context)), {
      facts,
      report,
      path: [],
    });
  checkInputResponses(params, context);
}

/** The client's capabilities for a request: those in the request in the stateless era, those of the session in older revisions. */
export function declaredWith({ params }: SentRequest, { state, facts }: RuleContext): Members | undefined {
  if (facts.profile.opening === "handshake") return state.client.capabilities;
  const declared = metaOf(params, META_CLIENT_CAPABILITIES);
  return isObject(declared) ? declared : undefined;
}

function remember(id: unknown, request: SentRequest, { from, state, facts, report }: RuleContext): void {
  const { open, answered } = state[from];
  const key = idKey(id);
  const link = facts.link("definition", "RequestId");
  const earlier = open.get(key);
  const answer = answered.get(key);
  if (earlier)
    report("id-reused", ["id"], `the request of line ${earlier.line} has the same id, and is still open`, link);
  // Without sessions, an id may be reused after its response.
  else if (answer !== undefined && facts.profile.opening === "handshake")
    report("id-reused", ["id"], `the ${from} has used this id before: its answer is in line ${answer}`, link);
  open.set(key, request);
  answered.delete(key);
}

function askForProgress(params: unknown, { from, state, facts, report, line }: RuleContext): string | undefined {
  const token = metaOf(params, "progressToken");
  if (token === undefined) return undefined;
  const key = idKey(token);
  const earlier = state[from].tokens.get(key);
  if (earlier && !earlier.isOver) {
    const link = facts.notification(otherSide(from), "notifications/progress")?.link;
    report(
      "progress-token",
      ["params", "_meta", "progressToken"],
      `the open request of line ${earlier.line} has the same token`,
      link,
    );
  }
  state[from].tokens.set(key, { line, last: undefined, isOver: false });
  return key;
}

/** The row of a request that this side may send. Reports other requests. */
function rowOf(method: string, { from, facts, report }: RuleContext) {
  const { receives } = facts;
  const to = otherSide(from);
  const has = (rows: object): boolean => Object.hasOwn(rows, method);
  if (has(receives[to].requests)) return receives[to].requests[method];
  const link = facts.request(to, method)?.link ?? facts.notification(from, method)?.link;
  if (has(receives[from].requests))
    report("direction", ["method"], `${method} is a request that the ${to} sends, not the ${from}`, link);
  else if (has(receives[to].notifications) || has(receives[from].notifications))
    report("direction", ["method"], `${method} is a notification, and has no id`, link);
  else if (has(receives.client.inputs ?? {}))
    report(
      "direction",
      ["method"],
      `in ${facts.revision}, ${method} travels inside of results`,
      facts.link("profile", "serverRequests"),
    );
  else
    report(
      "method-unknown",
      ["method"],
      `${facts.revision} does not know the request ${shownValue(method)}`,
      facts.link("definition", "JSONRPCRequest"),
    );
  return undefined;
}
