import { Endpoint } from "./endpoint.js";
import { serveFetch } from "./fetch-adapter.js";
import type { HttpEndpoint } from "./host-adapter.js";
import { type HostedServerSource, toHostedServer } from "./hosted-server.js";
import type { McpHandlerOptions, McpHandlerRequestOptions } from "./options.js";
import { WriteWatch } from "./write-watch.js";

/** An HTTP endpoint. `fetch` may be passed on without the object. */
export interface McpHttpHandler {
  /** Serves one request; never rejects. */
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /**
   * Rejects new requests with 503, lets running ones finish, and ends all streams and sessions.
   * @param graceMs milliseconds after which running requests are aborted. Default: `5_000`
   */
  readonly close: (graceMs?: number) => Promise<void>;
  /** For adapters of hosts that have no `Request`. */
  readonly endpoint: HttpEndpoint;
}

/**
 * Serves clients of every revision over HTTP, at one URL: Streamable HTTP with and without sessions, the stateless era, and
 * HTTP+SSE. Mount it for GET, POST, DELETE and OPTIONS. `toNodeHandler` of `@mcpwright/runtime/node` converts it to a
 * handler for `node:http`.
 * @param server an `McpServer`, a `Server`, or a function that returns one, which is called once; the server may use other
 *   transports at the same time
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const handler = createMcpHandler(server, { allowedHosts: ["example.com"] });
 * const response = await handler.fetch(new Request("https://example.com/mcp", { method: "POST", body: "{}" }));
 * ```
 */
export function createMcpHandler(server: HostedServerSource, options: McpHandlerOptions = {}): McpHttpHandler {
  const endpoint = new Endpoint(toHostedServer(server), options);
  const writes = new WriteWatch(endpoint.writeTimeoutMs);
  return {
    endpoint,
    fetch: (request, given) => serveFetch(endpoint, writes, request, given),
    close: (graceMs) => endpoint.close(graceMs),
  };
}
