import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostedServerSource } from "../http-server/hosted-server.js";
import { type NodeGuard, toNodeGuard, toNodeHandler } from "../node.js";
import { pathAndQuery } from "../node/request-target.js";
import { createHostGuard, type HostGuardOptions, type McpHttpHandler } from "../server/http.js";
import type { Principal } from "../transport/principal.js";
import { withReadBodies } from "../node/read-bodies.js";
import { mountHandler, type MountOptions } from "./mounted-handler.js";

/** A request of express, or of another framework with Node's own objects. */
export type ExpressRequest = IncomingMessage & {
  readonly originalUrl?: string;
  /** What a body parser has read. */
  readonly body?: unknown;
};

export interface ExpressMcpOptions extends MountOptions {
  /** Returns the principal that a middleware before this one has authenticated. Pass no `authorization` then. */
  principal?(request: ExpressRequest): Principal | undefined;
}

/** A middleware of express 4 or 5. */
export interface ExpressMcp {
  (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void): void;
  /** Its `close` ends streams and sessions; call it before the server of the application is closed. */
  readonly handler: McpHttpHandler;
}

/**
 * Makes a middleware of express that serves MCP at `path`, and the metadata of the option `authorization`. All other requests go to the
 * next middleware. Body parsers may run before it, or after it.
 * @param source an `McpServer`, a `Server`, or `serverPerClient`
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const mcp = mcpMiddleware(server, { path: "/mcp", allowedHosts: ["example.com"] });
 * app.use(mcp);
 * const listening = app.listen(3000);
 * process.once("SIGTERM", () => void mcp.handler.close().then(() => listening.close()));
 * ```
 */
export function mcpMiddleware(source: HostedServerSource, options: ExpressMcpOptions = {}): ExpressMcp {
  const { handler, serves } = mountHandler(source, options);
  const handle = toNodeHandler({ endpoint: withReadBodies(handler.endpoint) });
  const middleware = (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void): void => {
    const { originalUrl = request.url ?? "/" } = request;
    try {
      if (!serves(pathAndQuery(originalUrl).replace(/\?.*/, ""))) return next();
      // Of a body that was read and not kept, nothing arrives any more.
      const parsedBody = request.readableEnded ? (request.body ?? "") : undefined;
      handle(request, response, { principal: options.principal?.(request), parsedBody });
    } catch (error) {
      next(error);
    }
  };
  return Object.assign(middleware, { handler });
}

/**
 * Makes a middleware that protects the other routes of an application against DNS rebinding: it responds with 403 to a `Host` or an
 * `Origin` that is not allowed. `mcpMiddleware` checks them itself.
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function hostGuard(options?: HostGuardOptions): NodeGuard {
  return toNodeGuard(createHostGuard(options));
}
