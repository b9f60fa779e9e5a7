import { declaredBy, reportUndeclared } from "./check-capabilities.js";
import { bothSides } from "./layered-modules.js";
import { INITIALIZE, SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import { acceptInitializeResult, rejectInitialize } from "./lifecycle.js";
import { checkInputRequests } from "./input-requests.js";
import { declaredWith } from "./check-request.js";
import { checkType, type RuleContext } from "./rule-context.js";
import { otherSide, type SentRequest } from "./conversation-state.js";
import { idKey, type Members, ownMember, shownValue } from "./json-values.js";

/** Checks a response against its request. */
export function checkResponse(message: Members, context: RuleContext): void {
  const { from, state, facts, report } = context;
  const { id, result } = message;
  // An error about a message that could not be parsed.
  if (id === undefined || (id === null && result === undefined)) return;
  const asker = otherSide(from);
  const key = idKey(id);
  const request = state[asker].open.get(key);
  if (!request) return reportUnknownResponse(id, context);
  state[asker].open.delete(key);
  state[asker].answered.set(key, context.line);
  if (request.isCancelled)
    report(
      "answer-after-cancel",
      ["id"],
      `the request of line ${request.line} was cancelled`,
      facts.link("profile", "cancellation"),
    );
  const isOpening = request.method === INITIALIZE && asker === "client" && facts.profile.opening === "handshake";
  const goesOn = !request.isForeign && result !== undefined && checkResult(request, result, context);
  if (isOpening && result === undefined) rejectInitialize(state);
  else if (isOpening) acceptInitializeResult(result, state, facts, report);
  const told = ownMember(result, "capabilities");
  if (request.method === SERVER_DISCOVER && !request.isForeign && isObject(told)) state.server.capabilities = told;
  const token = request.token === undefined ? undefined : state[asker].tokens.get(request.token);
  if (token && !goesOn) token.isOver = true;
}

function reportUnknownResponse(id: unknown, { from, state, facts, report }: RuleContext): void {
  const asker = otherSide(from);
  const link = facts.link("definition", "JSONRPCResponse");
  const earlier = state[asker].answered.get(idKey(id));
  if (earlier !== undefined)
    return report("answer-unknown", ["id"], `the request was answered before, in line ${earlier}`, link);
  const similar = typeof id === "number" ? String(id) : typeof id === "string" ? Number(id) : undefined;
  const almost = similar === undefined ? undefined : state[asker].open.get(idKey(similar));
  report(
    "answer-unknown",
    ["id"],
    almost
      ? `the ${asker} has no open request ${shownValue(id)}; that of line ${almost.line} has ${shownValue(similar)}, which is another type`
      : `the ${asker} has no open request ${shownValue(id)}`,
    link,
  );
}

/** @returns whether the operation continues after the response */
function checkResult(request: SentRequest, result: unknown, context: RuleContext): boolean {
  const { from, facts, report } = context;
  const model = facts.request(otherSide(from), request.method);
  if (!model) return false;
  const { result: kind, link } = model;
  const type = kind.type;
  const tag = facts.model.resultTag;
  const told = tag && ownMember(result, tag.member);
  if (tag && told !== undefined && told !== tag.own) {
    const other = tag.alternatives.find(({ value }) => value === told);
    const may = kind.kind === "tagged" && other !== undefined && kind.alternatives.includes(other.value);
    if (!may) {
      const what = `${shownValue(told)} is none of the results of ${request.method}`;
      report("result-alternative", ["result", tag.member], what, facts.link("profile", "resultType"));
      return false;
    }
    checkType("result", other.type, result, ["result"], context);
    if (other.atLeastOneOf.length > 0 && other.atLeastOneOf.every((name) => ownMember(result, name) === undefined))
      report(
        "result-alternative",
        ["result"],
        `${shownValue(told)} needs one of ${other.atLeastOneOf.join(", ")}`,
        facts.link("definition", other.type),
      );
    const owner = facts.addedBy(request.method, told);
    const declared = declaredBy(context.state, declaredWith(request, context));
    if (owner !== undefined)
      reportUndeclared(`the result ${shownValue(told)}`, bothSides(owner), declared, {
        facts,
        report,
        path: ["result", tag.member],
      });
    checkInputRequests("result", result, declaredWith(request, context), context);
    return false;
  }
  if (kind.kind === "presence" && ownMember(result, kind.member) !== undefined) {
    if (ownMember(request.params, kind.onlyWith) === undefined)
      report(
        "result-alternative",
        ["result", kind.member],
        `${request.method} was called without ${kind.onlyWith}`,
        link,
      );
    checkType("result", kind.alternative, result, ["result"], context);
    return true;
  }
  checkType("result", type, result, ["result"], context);
  const { results } = facts.receives[otherSide(from)];
  // The task of an extension can ask, too.
  if (Object.hasOwn(results, request.method) && results[request.method]?.extension !== undefined)
    checkInputRequests("result", result, declaredWith(request, context), context);
  return false;
}
