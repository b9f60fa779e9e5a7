import type { AnyExtensions, AnyRevisions } from "../connection/known-messages.js";
import type { Conversions, Extension, Side } from "@mcpwright/protocol/contract";
import type { Middleware } from "../connection/middleware.js";
import type { BaseServerOptions } from "./base-server-options.js";
import type { ServerContext } from "./contracts.js";

/**
 * Decides whether a request runs: calls `run` and returns its outcome, or throws the error that refuses the request. `rateLimits` and
 * `limitRequests` of `@mcpwright/runtime/rate-limits` return one.
 */
export type RequestLimits = (context: ServerContext, run: () => unknown) => unknown;

export interface ServerOptions<
  Extensions extends readonly Extension[] = AnyExtensions,
> extends BaseServerOptions<Extensions> {
  /**
   * Whether the client may subscribe to changes of a resource: return false for a URI that does not exist, or that the
   * principal may not read. Default: every URI, if the server declares `resources.subscribe`.
   */
  readonly canSubscribe?: (uri: string, context: ServerContext) => boolean | Promise<boolean>;
  /**
   * Limits how often clients send requests: `rateLimits` of `@mcpwright/runtime/rate-limits` returns it. It comes before the middleware.
   * Default: no limit.
   */
  readonly rateLimits?: RequestLimits;
  /** Functions that wrap the handling of every request; the first is the outermost. */
  readonly middleware?: readonly Middleware<ServerContext>[];
  /**
   * Returns the input schema of a tool that a handler of your own calls. With it, the server checks the HTTP headers that
   * repeat arguments (`x-mcp-header`), before it opens a `requestState` and runs middleware. Not needed for tools that are
   * registered with `registerTool`. Default: these headers are not checked.
   */
  readonly toolInputSchema?: (name: string, context: ServerContext) => object | undefined | Promise<object | undefined>;
}

export interface CoreServerOptions<
  Sides extends readonly Side[] = AnyRevisions,
  Extensions extends readonly Extension[] = AnyExtensions,
> extends ServerOptions<Extensions> {
  /**
   * The revisions to support: `serverSide` of `@mcpwright/protocol/<revision>`. The types of handlers are those of the first one that
   * has the method.
   */
  readonly revisions: Sides;
  /**
   * Converts messages between the types of this package and the revisions of clients: `conversions` of
   * `@mcpwright/protocol/conversions`, or some of them. Default: no conversion, which is reported to `onerror`.
   */
  readonly conversions?: Conversions;
}
