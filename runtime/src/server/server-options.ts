import type { Conversions, Side } from "@mcpwright/protocol/contract";
import type { Middleware } from "../connection/middleware.js";
import type { BaseServerOptions } from "./base-server-options.js";
import type { ServerContext } from "./contracts.js";

export interface ServerOptions extends BaseServerOptions {
  /** Functions that wrap the handling of every request; the first is the outermost. */
  readonly middleware?: readonly Middleware<ServerContext>[];
}

export interface CoreServerOptions extends ServerOptions {
  /** The revisions to support: `serverSide` of `@mcpwright/protocol/<revision>`. */
  readonly revisions: readonly Side[];
  /**
   * Converts messages between the types of this package and the revisions of clients: `conversions` of
   * `@mcpwright/protocol/conversions`, or some of them. Default: no conversion, which is reported to `onerror`.
   */
  readonly conversions?: Conversions;
}
