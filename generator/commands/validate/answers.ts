import { INITIALIZE, SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import { opened, refused } from "./lifecycle.js";
import { checkQuestions } from "./questions.js";
import { declaredWith } from "./requests.js";
import { checkShape, type Scene } from "./scene.js";
import { otherSide, type SentRequest } from "./state.js";
import { keyOf, type Members, own, shown } from "./values.js";

/** Looks at an answer, by the request that it belongs to. */
export function hearAnswer(message: Members, scene: Scene): void {
  const { from, state, facts, tell } = scene;
  const { id, result } = message;
  // An error about something that could not be read.
  if (id === undefined || (id === null && result === undefined)) return;
  const asker = otherSide(from);
  const key = keyOf(id);
  const request = state[asker].open.get(key);
  if (!request) return strayAnswer(id, scene);
  state[asker].open.delete(key);
  state[asker].answered.set(key, scene.line);
  if (request.isCancelled)
    tell(
      "answer-after-cancel",
      ["id"],
      `the request of line ${request.line} was cancelled`,
      facts.link("profile", "cancellation"),
    );
  const isOpening = request.method === INITIALIZE && asker === "client" && facts.profile.opening === "handshake";
  const goesOn = !request.isForeign && result !== undefined && checkResult(request, result, scene);
  if (isOpening && result === undefined) refused(state);
  else if (isOpening) opened(result, state, facts, tell);
  const told = own(result, "capabilities");
  if (request.method === SERVER_DISCOVER && !request.isForeign && isObject(told)) state.server.capabilities = told;
  const token = request.token === undefined ? undefined : state[asker].tokens.get(request.token);
  if (token && !goesOn) token.isOver = true;
}

function strayAnswer(id: unknown, { from, state, facts, tell }: Scene): void {
  const asker = otherSide(from);
  const link = facts.link("definition", "JSONRPCResponse");
  const earlier = state[asker].answered.get(keyOf(id));
  if (earlier !== undefined)
    return tell("answer-unknown", ["id"], `the request was answered before, in line ${earlier}`, link);
  const similar = typeof id === "number" ? String(id) : typeof id === "string" ? Number(id) : undefined;
  const almost = similar === undefined ? undefined : state[asker].open.get(keyOf(similar));
  tell(
    "answer-unknown",
    ["id"],
    almost
      ? `the ${asker} has no open request ${shown(id)}; that of line ${almost.line} has ${shown(similar)}, which is another type`
      : `the ${asker} has no open request ${shown(id)}`,
    link,
  );
}

/** @returns whether what the request began goes on after the answer */
function checkResult(request: SentRequest, result: unknown, scene: Scene): boolean {
  const { from, facts, tell } = scene;
  const model = facts.request(otherSide(from), request.method);
  if (!model) return false;
  const { result: kind, link } = model;
  const type = kind.type;
  const tag = facts.model.resultTag;
  const told = tag && own(result, tag.member);
  if (tag && told !== undefined && told !== tag.own) {
    const other = tag.alternatives.find(({ value }) => value === told);
    const may = kind.kind === "tagged" && other !== undefined && kind.alternatives.includes(other.value);
    if (!may) {
      const what = `${shown(told)} is none of the results of ${request.method}`;
      tell("result-alternative", ["result", tag.member], what, facts.link("profile", "resultType"));
      return false;
    }
    checkShape("result", other.type, result, ["result"], scene);
    if (other.atLeastOneOf.length > 0 && other.atLeastOneOf.every((name) => own(result, name) === undefined))
      tell(
        "result-alternative",
        ["result"],
        `${shown(told)} needs one of ${other.atLeastOneOf.join(", ")}`,
        facts.link("definition", other.type),
      );
    checkQuestions(result, declaredWith(request, scene), scene);
    return false;
  }
  if (kind.kind === "presence" && own(result, kind.member) !== undefined) {
    if (own(request.params, kind.onlyWith) === undefined)
      tell(
        "result-alternative",
        ["result", kind.member],
        `${request.method} was called without ${kind.onlyWith}`,
        link,
      );
    checkShape("result", kind.alternative, result, ["result"], scene);
    return true;
  }
  checkShape("result", type, result, ["result"], scene);
  return false;
}
