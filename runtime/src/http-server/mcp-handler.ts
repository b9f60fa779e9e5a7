import { Endpoint } from "./endpoint.js";
import { serveFetch } from "./fetch-adapter.js";
import type { HttpEndpoint } from "./host-adapter.js";
import type { HostedServer } from "./hosted-server.js";
import type { McpHandlerOptions, McpHandlerRequestOptions } from "./options.js";

/** An HTTP endpoint. `fetch` may be taken off and handed over. */
export interface McpHttpHandler {
  /** Serves one request; never rejects. */
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /**
   * Refuses new requests with 503, lets running ones finish, and ends all streams and sessions.
   * @param graceMs milliseconds that running requests get. Default 5,000
   */
  readonly close: (graceMs?: number) => Promise<void>;
  /** For adapters of hosts that have no `Request`. */
  readonly endpoint: HttpEndpoint;
}

/**
 * Serves clients of every revision over HTTP: Streamable HTTP with and without sessions, the stateless era, and HTTP+SSE, all
 * at one URL. Mount it for GET, POST, DELETE and OPTIONS; `toNodeHandler` of `@mcpwright/runtime/node` makes a handler for
 * `node:http` of it.
 * @param server an `McpServer` or a `Server`; it may be served elsewhere at the same time
 * @example
 * ```ts
 * const handler = createMcpHandler(server, { allowedHosts: ["example.com"] });
 * const response = await handler.fetch(new Request("https://example.com/mcp", { method: "POST", body: "{}" }));
 * ```
 */
export function createMcpHandler(
  server: HostedServer | { readonly server: HostedServer },
  options: McpHandlerOptions = {},
): McpHttpHandler {
  const endpoint = new Endpoint("server" in server ? server.server : server, options);
  return {
    endpoint,
    fetch: (request, given) => serveFetch(endpoint, request, given),
    close: (graceMs) => endpoint.close(graceMs),
  };
}
