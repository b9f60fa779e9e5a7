import type { NOTIFICATIONS_INITIALIZED, NOTIFICATIONS_ROOTS_LIST_CHANGED } from "@mcpwright/protocol/names";
import type { ClientNotifications, ClientRequests } from "../authoring.js";
import type { ParamsInput } from "../connection/params-input.js";
import type { InputRequired } from "../input-requests/input-required.js";
import type { CacheHint } from "./cache-hint.js";
import type { ServerContext } from "./contracts.js";

/** A result without the members that the runtime adds. */
export type HandlerResult<Result> = Result extends { resultType: "input_required" }
  ? InputRequired
  : { [Key in keyof Result as Key extends "resultType" | keyof CacheHint ? never : Key]: Result[Key] };

/**
 * Handlers of client messages by method, with the types of this package. For another revision, pass its maps as type
 * arguments: `ServerHandlers<ClientRequests>`.
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

/** The context of a notification handler. There is no request, so it sends its own with `connection.request`. */
export type NotificationContext = Pick<ServerContext, "connection" | "session" | "signal" | "notify">;
