import type { HostedServerSource } from "../http-server/hosted-server.js";
import { createHostGuard, type HostGuardOptions, type McpHttpHandler } from "../server/http.js";
import type { Principal } from "../transport/principal.js";
import { mountHandler, type MountOptions } from "./mounted-handler.js";

/** A `Context` of hono. */
export interface HonoContext {
  readonly req: { readonly raw: Request; readonly url: string; text(): Promise<string> };
}

export interface HonoMcpOptions extends MountOptions {
  /** Returns the principal that a middleware before this one has authenticated. Pass no `authorization` then. */
  principal?(context: HonoContext): Principal | undefined;
}

/** A middleware of hono 4. */
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>;

/** A middleware that serves MCP. */
export interface HonoMcp extends HonoMiddleware {
  /** Its `close` ends streams and sessions; call it before the server of the application is closed. */
  readonly handler: McpHttpHandler;
}

/**
 * Makes a middleware of hono that serves MCP at `path`, and the metadata of the option `authorization`. All other requests go to the next
 * handler. A middleware before it may have read the body with the methods of `context.req`.
 * @param source an `McpServer`, a `Server`, or `serverPerClient`
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const app = new Hono().use(mcpMiddleware(server, { path: "/mcp", allowedHosts: ["example.com"] }));
 * export default app;
 * ```
 */
export function mcpMiddleware(source: HostedServerSource, options: HonoMcpOptions = {}): HonoMcp {
  const { handler, serves } = mountHandler(source, options);
  const middleware: HonoMiddleware = async (context, next) => {
    const { req } = context;
    if (serves(new URL(req.url).pathname))
      return handler.fetch(await unread(req), { principal: options.principal?.(context) });
    await next();
    return undefined;
  };
  return Object.assign(middleware, { handler });
}

/** The request, with a body that can be read: hono keeps those that it has read. */
async function unread(req: HonoContext["req"]): Promise<Request> {
  const { raw } = req;
  if (!raw.bodyUsed) return raw;
  const { method, headers, signal } = raw;
  return new Request(req.url, { method, headers, signal, body: await req.text() });
}

/**
 * Makes a middleware that protects the other routes of an application against DNS rebinding: it responds with 403 to a `Host` or an
 * `Origin` that is not allowed. `mcpMiddleware` checks them itself.
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function hostGuard(options?: HostGuardOptions): HonoMiddleware {
  const guard = createHostGuard(options);
  return async ({ req }, next) => {
    const refused = guard.check(req.raw);
    if (!refused) await next();
    return refused;
  };
}
