import type { Principal } from "../engine/transport.js";
import type { Server } from "../server/server.js";
import { Endpoint } from "./endpoint.js";
import { serveFetch } from "./fetch.js";
import type { McpHandlerOptions } from "./options.js";
import type { HttpEndpoint } from "./request.js";

/** What the host knows of a request besides the request. */
export interface McpHandlerRequestOptions {
  /** Whom the host has authenticated. Sessions and sealed states are theirs alone. */
  readonly principal?: Principal | undefined;
  /** The body as JSON, where the host has read it already. */
  readonly parsedBody?: unknown;
}

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
 */
export function createMcpHandler(
  server: Server | { readonly server: Server },
  options: McpHandlerOptions = {},
): McpHttpHandler {
  const endpoint = new Endpoint("server" in server ? server.server : server, options);
  return {
    endpoint,
    fetch: (request, given) => serveFetch(endpoint, request, given),
    close: (graceMs) => endpoint.close(graceMs),
  };
}
