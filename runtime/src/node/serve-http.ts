import { once } from "node:events";
import { createServer, type RequestListener, type Server as NodeServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { reportUserErrorTo } from "../connection/error-reporting.js";
import { type HostedServerSource, toHostedServer } from "../http-server/hosted-server.js";
import type { McpHandlerOptions } from "../http-server/options.js";
import { SdkError } from "../jsonrpc/errors.js";
import { createMcpHandler, type McpHttpHandler } from "../server/http.js";
import { listenFailure } from "./listen-error.js";
import { toNodeHandler } from "./node-handler.js";
import { pathAndQuery } from "./request-target.js";

export interface ServeHttpOptions extends McpHandlerOptions {
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** The address to listen on. Any address but loopback needs `allowedHosts`. Default: `127.0.0.1`. */
  readonly host?: string;
  /** The paths to serve. Default: `/mcp`. */
  readonly path?: string | readonly string[];
  /**
   * Serves requests for other paths, such as a health check. It receives them unchecked: also those of other hosts and
   * origins. Default: responds with 404.
   */
  readonly fallback?: RequestListener;
  /** Milliseconds that running requests have to finish after a shutdown begins. Default: 5,000. */
  readonly graceMs?: number;
}

export interface HttpServerHandle {
  /** The URL of the server, with the first of its paths. */
  readonly url: URL;
  readonly handler: McpHttpHandler;
  /** Node's server, for time-outs and connection limits. */
  readonly server: NodeServer;
  /** Resolves when the server has shut down, by `close` or a signal: the moment to close pools. Never rejects. */
  readonly closed: Promise<void>;
  /** Shuts down gracefully: running requests may finish, and streams and sessions end. */
  close(): Promise<void>;
}

/**
 * Listens and serves. Shuts down gracefully at SIGINT and SIGTERM. The process then exits, unless something else keeps it
 * alive.
 * @throws SdkError `INVALID_CONFIGURATION` for an address that needs `allowedHosts`; an error with the code of Node, such as
 * `EADDRINUSE`, and the remedy, when it cannot listen
 * @example
 * ```ts
 * const { url, closed } = await serveHttp(server, { port: 3000 });
 * console.error(`Listening on ${url.href}`);
 * void closed.then(() => pool.end());
 * ```
 */
export async function serveHttp(source: HostedServerSource, options: ServeHttpOptions = {}): Promise<HttpServerHandle> {
  if (typeof options !== "object")
    throw new SdkError("INVALID_CONFIGURATION", "the second argument must be an object with options: { port: 3000 }");
  const served = toHostedServer(source);
  const { port = 0, host = "127.0.0.1", path = "/mcp", fallback, graceMs } = options;
  if (!options.allowedHosts && !loopback.has(host))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `to listen on ${host}, set allowedHosts to the host names that clients use, such as ["example.com"], or to "any"`,
    );
  if (!served.options.stateKeys && !loopback.has(host))
    process.emitWarning(
      "requestState is sealed with a key of this process only; to run several processes, set stateKeys",
    );
  const paths = typeof path === "string" ? [path] : path;
  const routes = [...paths, ...(options.authorization?.publicPaths ?? [])];
  const handler = createMcpHandler(served, options);
  const handle = toNodeHandler(handler);
  // Requests have a minute to arrive, of which Node may notice the end one interval late. Responses have no time limit.
  const times = { requestTimeout: 55_000, headersTimeout: 55_000, connectionsCheckingInterval: 5_000 };
  const server = createServer(times, (request, response) => {
    unused.delete(request.socket);
    const { url = "/" } = request;
    if (routes.includes(url) || routes.includes(pathAndQuery(url).replace(/\?.*/, ""))) handle(request, response);
    else if (fallback) fallback(request, response);
    else response.writeHead(404).end();
  });
  // Node does not count connections as idle that have not carried a request yet.
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  await once(server.listen(port, host), "listening").catch((error: unknown) => {
    throw listenFailure(error as Error, host, port);
  });
  let settle!: () => void;
  const closed = new Promise<void>((resolve) => (settle = resolve));
  const close = async (): Promise<void> => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    try {
      // Until this resolves, new requests get a response that asks clients to retry later.
      await handler.close(graceMs);
    } finally {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      const cut = setTimeout(() => server.closeAllConnections(), 1_000);
      await stopped;
      clearTimeout(cut);
      settle();
    }
  };
  const stop = (): void => {
    close().catch((error: unknown) => reportUserErrorTo(served.options, error));
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const { address, family, port: actual } = server.address() as AddressInfo;
  const url = new URL(`http://${family === "IPv6" ? `[${address}]` : address}:${actual}${paths[0] ?? "/"}`);
  return { url, handler, server, closed, close };
}

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);
