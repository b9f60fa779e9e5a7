import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostedServerSource } from "../http-server/hosted-server.js";
import { SdkError } from "../jsonrpc/errors.js";
import { toNodeHandler } from "../node.js";
import { headersOf } from "../node/request-target.js";
import { createHostGuard, type HostGuardOptions, type McpHttpHandler } from "../server/http.js";
import type { Principal } from "../transport/principal.js";
import { mountHandler, type MountOptions } from "./mounted-handler.js";

/** A request of fastify. */
export interface FastifyMcpRequest {
  readonly raw: IncomingMessage;
  readonly headers: IncomingMessage["headers"];
}

/** A reply of fastify. */
export interface FastifyMcpReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  code(status: number): unknown;
  headers(values: Readonly<Record<string, string>>): unknown;
  send(body: string): unknown;
}

/** An instance of fastify. */
export interface FastifyMcpInstance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: never, payload: never, done: (error: Error | null, body?: undefined) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyMcpRequest, reply: FastifyMcpReply) => void): unknown;
  addHook(name: "preClose", hook: () => Promise<void>): unknown;
}

export interface FastifyMcpOptions extends MountOptions {
  /** The paths to serve, below the prefix of the instance. Default: `/mcp`. */
  readonly path?: string | readonly string[];
  /** Milliseconds that running requests have to finish after the application has begun to close. Default: `5_000`. */
  readonly graceMs?: number;
  /** Returns the principal that a hook has authenticated. Pass no `authorization` then. */
  principal?(request: FastifyMcpRequest): Principal | undefined;
}

/** A plugin of fastify 4.23 or later, or 5. */
export interface FastifyMcp {
  (app: FastifyMcpInstance, options: object, done: (error?: Error) => void): void;
  readonly handler: McpHttpHandler;
}

/**
 * Makes a plugin of fastify that serves MCP at `path`, and the metadata of the option `authorization`. It reads bodies itself, within its
 * own limits; other routes keep their parsers. Hooks of the application run, and headers that they set are sent. The handler is closed
 * with the application.
 * @param source an `McpServer`, a `Server`, or `serverPerClient`
 * @throws SdkError `INVALID_CONFIGURATION`; `register` fails with it for an instance with a prefix and the option `authorization`, because the
 * metadata are at the root of the site
 * @example
 * ```ts
 * await app.register(mcpPlugin(server, { path: "/mcp", allowedHosts: ["example.com"] }));
 * await app.listen({ port: 3000 });
 * ```
 */
export function mcpPlugin(source: HostedServerSource, options: FastifyMcpOptions = {}): FastifyMcp {
  const { handler, paths, publicPaths } = mountHandler(source, options);
  const handle = toNodeHandler(handler);
  const plugin = (app: FastifyMcpInstance, _options: object, done: (error?: Error) => void): void => {
    if (app.prefix !== "" && publicPaths.length > 0)
      return done(
        new SdkError(
          "INVALID_CONFIGURATION",
          `with authorization, register the plugin without a prefix, and pass the whole path: { path: "${app.prefix}${paths[0] ?? ""}" }`,
        ),
      );
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    for (const path of [...paths, ...publicPaths])
      app.all(path, (request, reply) => {
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        handle(request.raw, reply.raw, { principal: options.principal?.(request) });
        reply.hijack();
      });
    app.addHook("preClose", () => handler.close(options.graceMs));
    done();
  };
  return Object.assign(plugin, { handler });
}

/**
 * Makes an `onRequest` hook that protects the other routes of an application against DNS rebinding: it responds with 403 to a `Host` or an
 * `Origin` that is not allowed. `mcpPlugin` checks them itself.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * app.addHook("onRequest", hostGuard({ allowedHosts: ["example.com"] }));
 * ```
 */
export function hostGuard(
  options?: HostGuardOptions,
): (request: FastifyMcpRequest, reply: FastifyMcpReply, done: () => void) => void {
  const guard = createHostGuard(options);
  return (request, reply, done) => {
    const refused = guard.refusal(headersOf(request.raw));
    if (!refused) return done();
    reply.code(refused.status);
    reply.headers(refused.headers);
    reply.send(refused.body);
  };
}
