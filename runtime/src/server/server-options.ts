import type { Conversions, Side } from "@mcpwright/protocol/contract";
import type { Middleware } from "../connection/middleware.js";
import type { BaseServerOptions } from "./base-server-options.js";
import type { ServerContext } from "./contracts.js";

export interface ServerOptions extends BaseServerOptions {
  /** Wraps every request; the first is the outermost. */
  readonly middleware?: readonly Middleware<ServerContext>[];
}

export interface CoreServerOptions extends ServerOptions {
  /** The revisions to serve: `serverSide` of `@mcpwright/protocol/<revision>`. */
  readonly revisions: readonly Side[];
  /**
   * Makes of what handlers say, in the terms of this package's types, what clients of other revisions understand:
   * `conversions` of `@mcpwright/protocol/conversions`, or a choice of them. Default: nothing is converted, which `onerror` is told.
   */
  readonly conversions?: Conversions;
}
