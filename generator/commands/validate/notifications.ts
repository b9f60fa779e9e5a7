import {
  INITIALIZE,
  META_LOG_LEVEL,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  NOTIFICATIONS_MESSAGE,
  NOTIFICATIONS_PROGRESS,
} from "@mcpwright/protocol/names";
import { checkCapabilities, declaredBy } from "./capabilities.js";
import { ready } from "./lifecycle.js";
import { checkShape, mentionDeprecated, type Scene } from "./scene.js";
import { otherSide } from "./state.js";
import { keyOf, type Members, metaOf, own, shown } from "./values.js";

/** Looks at a notification. */
export function hearNotification(message: Members, scene: Scene): void {
  const { from, state, facts, tell } = scene;
  const method = String(message["method"]);
  const params = message["params"];
  const to = otherSide(from);
  const rows = facts.receives[to].notifications;
  const row = Object.hasOwn(rows, method) ? rows[method] : undefined;
  const model = facts.notification(from, method);
  if (!row) return stranger(method, scene);
  if (params === undefined && !row.paramsOptional)
    tell("params", [], `${method} has no params, and needs some`, model?.link);
  else if (params !== undefined && model?.params !== undefined)
    checkShape("params", model.params, params, ["params"], scene);
  if (model) mentionDeprecated(model, ["method"], scene);
  // In the stateless era, a notification says of no client what it has declared.
  checkCapabilities(method, row, params, declaredBy(state), { facts, tell, path: [] });
  switch (method) {
    case NOTIFICATIONS_INITIALIZED:
      return ready(state, facts, tell);
    case NOTIFICATIONS_PROGRESS:
      return progress(params, scene, model?.link);
    case NOTIFICATIONS_CANCELLED:
      // Some schemas leave out what the prose asks for.
      if (own(params, "requestId") === undefined && row.params?.(params))
        tell("cancel-unknown", ["params"], "it does not say which request is cancelled", model?.link);
      return cancel(params, scene, model?.link);
    case NOTIFICATIONS_MESSAGE:
      return log(scene);
    default:
      if (facts.profile.subscriptions === "listen" && from === "server") change(method, params, scene);
  }
}

function stranger(method: string, { from, facts, tell }: Scene): void {
  const to = otherSide(from);
  const link = facts.notification(to, method)?.link ?? facts.request(from, method)?.link;
  if (Object.hasOwn(facts.receives[from].notifications, method))
    tell("direction", ["method"], `${method} is a notification that the ${to} sends, not the ${from}`, link);
  else if ([to, from].some((side) => Object.hasOwn(facts.receives[side].requests, method)))
    tell("direction", ["method"], `${method} is a request, and needs an id`, link);
  else
    tell(
      "method-unknown",
      ["method"],
      `${facts.revision} does not know the notification ${shown(method)}`,
      facts.link("definition", "JSONRPCNotification"),
    );
}

function progress(params: unknown, { from, state, tell }: Scene, link: string | undefined): void {
  const asker = otherSide(from);
  const told = own(params, "progressToken");
  const value = own(params, "progress");
  const token = state[asker].tokens.get(keyOf(told));
  const path = ["params", "progressToken"];
  if (!token) return tell("progress-token", path, `no request of the ${asker} has the token ${shown(told)}`, link);
  if (token.isOver) tell("progress-token", path, `the request of line ${token.line} is over`, link);
  if (typeof value !== "number") return;
  if (token.last !== undefined && value <= token.last)
    tell("progress-order", ["params", "progress"], `${value} comes after ${token.last}`, link);
  token.last = value;
}

function cancel(params: unknown, scene: Scene, link: string | undefined): void {
  const { from, state, facts, tell } = scene;
  const id = own(params, "requestId");
  if (id === undefined) return;
  const key = keyOf(id);
  const path = ["params", "requestId"];
  // Without requests of its own, a server ends the streams that the client has opened.
  const owner = facts.profile.serverRequests === "inResult" ? "client" : from;
  const request = state[owner].open.get(key);
  const answer = state[owner].answered.get(key);
  if (!request) {
    if (answer !== undefined) tell("cancel-late", path, `the request was answered in line ${answer}`, link);
    else tell("cancel-unknown", path, `the ${owner} has no open request ${shown(id)}`, link);
    return;
  }
  if (owner !== from && facts.request(owner, request.method)?.stream === undefined)
    tell("cancel-unknown", path, `the ${from} cancels ${request.method} of the ${owner}`, link);
  if (request.method === INITIALIZE && facts.profile.opening === "handshake")
    tell("cancel-unknown", path, "the request that opens the session cannot be cancelled", link);
  request.isCancelled = true;
  const token = request.token === undefined ? undefined : state[owner].tokens.get(request.token);
  if (token) token.isOver = true;
}

function log({ state, facts, tell }: Scene): void {
  if (facts.profile.logLevel !== "request") return;
  const asked = [...state.client.open.values()].some(({ params }) => metaOf(params, META_LOG_LEVEL) !== undefined);
  if (!asked) tell("log-unasked", ["method"], "no open request asks for logs", facts.link("profile", "logLevel"));
}

/** Whatever is told of a change says to which subscription, which begins with its acknowledgement. */
function change(method: string, params: unknown, { state, facts, tell }: Scene): void {
  const id = metaOf(params, META_SUBSCRIPTION_ID);
  const path = ["params", "_meta", META_SUBSCRIPTION_ID];
  const link = facts.link("profile", "subscriptions");
  const request = state.client.open.get(keyOf(id));
  const stream = request && facts.request("client", request.method)?.stream;
  if (id === undefined)
    tell("subscription", ["params"], `${method} does not say to which subscription it belongs`, link);
  else if (!stream) tell("subscription", path, `${shown(id)} is no subscription that is open`, link);
  else if (stream.acknowledged === method) state.acknowledged.add(keyOf(id));
  else if (!state.acknowledged.has(keyOf(id)))
    tell("subscription", ["method"], `${method} comes before ${stream.acknowledged}`, link);
}
