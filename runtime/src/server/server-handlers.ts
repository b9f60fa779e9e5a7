import type { NOTIFICATIONS_INITIALIZED, NOTIFICATIONS_ROOTS_LIST_CHANGED } from "@mcpwright/protocol/names";
import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { ClientNotifications, ClientRequests } from "../authoring.js";
import type { AddedResults, HasOwnMessages, KnownMessages } from "../connection/known-messages.js";
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
export type ServerHandlers<
  Requests = ClientRequests,
  Notifications = ClientNotifications,
  Context = ServerContext,
  Extensions extends readonly Extension[] = readonly [],
> = {
  readonly [Method in keyof Requests]?: Requests[Method] extends { params: infer Params; result: infer Result }
    ? (
        params: ParamsInput<Params>,
        context: Context,
      ) =>
        | HandlerResult<Result>
        | AddedResults<Extensions, Method>
        | Promise<HandlerResult<Result> | AddedResults<Extensions, Method>>
    : never;
} & {
  readonly [Method in keyof Notifications]?: (params: Notifications[Method], context: NotificationContext) => unknown;
} & {
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_INITIALIZED]?: (params: object, context: NotificationContext) => unknown;
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_ROOTS_LIST_CHANGED]?: (params: object, context: NotificationContext) => unknown;
};

/** Handlers of the messages of the revisions and extensions that a server has. */
export type KnownHandlers<Sides extends readonly Side[], Extensions extends readonly Extension[]> =
  HasOwnMessages<Sides, Extensions> extends true
    ? ServerHandlers<
        KnownMessages<"clientRequests", Sides, Extensions>,
        KnownMessages<"clientNotifications", Sides, Extensions>,
        ServerContext<KnownMessages<"serverNotifications", Sides, Extensions> & object>,
        Extensions
      >
    : ServerHandlers;

/** The context of a notification handler. There is no request, so it sends its own with `connection.request`. */
export type NotificationContext = Pick<ServerContext, "connection" | "session" | "signal" | "notify">;
