/** A server and its clients over HTTP, without a network. */
import { createMcpHandler, type HostedServerSource } from "../../../runtime/src/server/http.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import type { GatewayServer } from "../../../runtime/src/gateway.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const url = "http://localhost/mcp";

/** What `fetch` is for a server. */
export function fetchOf(server: HostedServerSource): { fetch: Fetch; close: () => Promise<void>; requests: string[] } {
  const handler = createMcpHandler(server);
  const requests: string[] = [];
  return {
    requests,
    fetch: (target, init) => {
      requests.push(init?.method ?? "GET");
      return handler.fetch(new Request(target, init));
    },
    close: () => handler.close(),
  };
}

/** A server behind a gateway, over HTTP. */
export function overHttp(server: HostedServerSource, options: GatewayServer = {}): GatewayServer {
  return { ...options, url, http: { fetch: fetchOf(server).fetch } };
}

export function httpTransport(fetch: Fetch): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(url, { fetch });
}
