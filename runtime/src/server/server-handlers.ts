import type { NOTIFICATIONS_INITIALIZED, NOTIFICATIONS_ROOTS_LIST_CHANGED } from "@mcpwright/protocol/names";
import type { ClientNotifications, ClientRequests } from "../authoring.js";
import type { ParamsInput } from "../connection/params-input.js";
import type { InputRequired } from "../input-requests/input-required.js";
import type { CacheHint } from "./cache-hint.js";
import type { ServerContext } from "./contracts.js";

/** What the runtime adds to results may be left out. */
export type HandlerResult<Result> = Result extends { resultType: "input_required" }
  ? InputRequired
  : { [Key in keyof Result as Key extends "resultType" | keyof CacheHint ? never : Key]: Result[Key] };

/**
 * Handlers of what clients send, by method, in the terms of this package's types. For another revision, or one of your own,
 * name its maps: `ServerHandlers<ClientRequests>`.
 */
export type ServerHandlers<Requests = ClientRequests, Notifications = ClientNotifications> = {
  readonly [Method in keyof Requests]?: Requests[Method] extends { params: infer Params; result: infer Result }
    ? (params: ParamsInput<Params>, context: ServerContext) => HandlerResult<Result> | Promise<HandlerResult<Result>>
    : never;
} & {
  readonly [Method in keyof Notifications]?: (params: Notifications[Method], context: NotificationContext) => unknown;
} & {
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_INITIALIZED]?: (params: object, context: NotificationContext) => unknown;
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_ROOTS_LIST_CHANGED]?: (params: object, context: NotificationContext) => unknown;
};

/** What the handler of a notification has: no request, so it asks the client by `connection.request`. */
export type NotificationContext = Pick<ServerContext, "connection" | "session" | "signal" | "notify">;
