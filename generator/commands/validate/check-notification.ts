import {
  INITIALIZE,
  META_LOG_LEVEL,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  NOTIFICATIONS_MESSAGE,
  NOTIFICATIONS_PROGRESS,
} from "@mcpwright/protocol/names";
import { checkCapabilities, declaredBy } from "./check-capabilities.js";
import { checkInputRequests } from "./input-requests.js";
import { completeInitialization } from "./lifecycle.js";
import { checkType, reportDeprecated, type RuleContext } from "./rule-context.js";
import { otherSide } from "./conversation-state.js";
import { idKey, type Members, metaOf, ownMember, shownValue } from "./json-values.js";

/** Checks a notification. */
export function checkNotification(message: Members, context: RuleContext): void {
  const { from, state, facts, report } = context;
  const method = String(message["method"]);
  const params = message["params"];
  const to = otherSide(from);
  const rows = facts.receives[to].notifications;
  const row = Object.hasOwn(rows, method) ? rows[method] : undefined;
  const model = facts.notification(from, method);
  if (!row) return reportUnknownNotification(method, context);
  if (params === undefined && !row.paramsOptional)
    report("params", [], `${method} has no params, and needs some`, model?.link);
  else if (params !== undefined && model?.params !== undefined)
    checkType("params", model.params, params, ["params"], context);
  if (model) reportDeprecated(model, ["method"], context);
  // In the stateless era, a notification does not contain the client's capabilities.
  checkCapabilities(method, row, params, declaredBy(state), { facts, report, path: [] });
  if (row.extension !== undefined) checkInputRequests("params", params, undefined, context);
  switch (method) {
    case NOTIFICATIONS_INITIALIZED:
      return completeInitialization(state, facts, report);
    case NOTIFICATIONS_PROGRESS:
      return progress(params, context, model?.link);
    case NOTIFICATIONS_CANCELLED:
      // Some schemas omit members that the prose requires.
      if (ownMember(params, "requestId") === undefined && row.params?.(params))
        report("cancel-unknown", ["params"], "it does not say which request is cancelled", model?.link);
      return cancel(params, context, model?.link);
    case NOTIFICATIONS_MESSAGE:
      return log(context);
    default:
      if (facts.profile.subscriptions === "listen" && from === "server") change(method, params, context);
  }
}

function reportUnknownNotification(method: string, { from, facts, report }: RuleContext): void {
  const to = otherSide(from);
  const link = facts.notification(to, method)?.link ?? facts.request(from, method)?.link;
  if (Object.hasOwn(facts.receives[from].notifications, method))
    report("direction", ["method"], `${method} is a notification that the ${to} sends, not the ${from}`, link);
  else if ([to, from].some((side) => Object.hasOwn(facts.receives[side].requests, method)))
    report("direction", ["method"], `${method} is a request, and needs an id`, link);
  else
    report(
      "method-unknown",
      ["method"],
      `${facts.revision} does not know the notification ${shownValue(method)}`,
      facts.link("definition", "JSONRPCNotification"),
    );
}

function progress(params: unknown, { from, state, report }: RuleContext, link: string | undefined): void {
  const asker = otherSide(from);
  const told = ownMember(params, "progressToken");
  const value = ownMember(params, "progress");
  const token = state[asker].tokens.get(idKey(told));
  const path = ["params", "progressToken"];
  if (!token)
    return report("progress-token", path, `no request of the ${asker} has the token ${shownValue(told)}`, link);
  if (token.isOver) report("progress-token", path, `the request of line ${token.line} is over`, link);
  if (typeof value !== "number") return;
  if (token.last !== undefined && value <= token.last)
    report("progress-order", ["params", "progress"], `${value} comes after ${token.last}`, link);
  token.last = value;
}

function cancel(params: unknown, context: RuleContext, link: string | undefined): void {
  const { from, state, facts, report } = context;
  const id = ownMember(params, "requestId");
  if (id === undefined) return;
  const key = idKey(id);
  const path = ["params", "requestId"];
  // A server that sends no requests closes the streams that the client opened.
  const owner = facts.profile.serverRequests === "inResult" ? "client" : from;
  const request = state[owner].open.get(key);
  const answer = state[owner].answered.get(key);
  if (!request) {
    if (answer !== undefined) report("cancel-late", path, `the request was answered in line ${answer}`, link);
    else report("cancel-unknown", path, `the ${owner} has no open request ${shownValue(id)}`, link);
    return;
  }
  if (owner !== from && facts.request(owner, request.method)?.stream === undefined)
    report("cancel-unknown", path, `the ${from} cancels ${request.method} of the ${owner}`, link);
  if (request.method === INITIALIZE && facts.profile.opening === "handshake")
    report("cancel-unknown", path, "the request that opens the session cannot be cancelled", link);
  request.isCancelled = true;
  const token = request.token === undefined ? undefined : state[owner].tokens.get(request.token);
  if (token) token.isOver = true;
}

function log({ state, facts, report }: RuleContext): void {
  if (facts.profile.logLevel !== "request") return;
  const asked = [...state.client.open.values()].some(({ params }) => metaOf(params, META_LOG_LEVEL) !== undefined);
  if (!asked) report("log-unasked", ["method"], "no open request asks for logs", facts.link("profile", "logLevel"));
}

/** Checks that a change notification names its subscription, and follows the acknowledgement. */
function change(method: string, params: unknown, { state, facts, report }: RuleContext): void {
  const id = metaOf(params, META_SUBSCRIPTION_ID);
  const path = ["params", "_meta", META_SUBSCRIPTION_ID];
  const link = facts.link("profile", "subscriptions");
  const request = state.client.open.get(idKey(id));
  const stream = request && facts.request("client", request.method)?.stream;
  if (id === undefined)
    report("subscription", ["params"], `${method} does not say to which subscription it belongs`, link);
  else if (!stream) report("subscription", path, `${shownValue(id)} is not an open subscription`, link);
  else if (stream.acknowledged === method) state.acknowledged.add(idKey(id));
  else if (!state.acknowledged.has(idKey(id)))
    report("subscription", ["method"], `${method} comes before ${stream.acknowledged}`, link);
}
