import type { AuthProvider } from "../../../../runtime/src/http-client/auth-provider.js";
import { AuthorizedFetch } from "../../../../runtime/src/http-client/authorized-fetch.js";
import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeNetwork } from "../fake-network.js";
import { FakeResourceServer } from "../fake-resource-server.js";

/** What the provider of a service is made with. */
export interface ServiceContext {
  readonly network: FakeNetwork;
  readonly fetch: FetchLike;
  readonly issuer: string;
}

/** A service with a provider, an MCP server, and its authorization server. */
export interface Service<Provider extends AuthProvider> {
  readonly network: FakeNetwork;
  readonly server: FakeAuthorizationServer;
  readonly mcp: FakeResourceServer;
  readonly provider: Provider;
  /** Calls a tool as a transport does. */
  readonly call: (tool?: string) => Promise<Response>;
  /** The forms that the token endpoint has received. */
  readonly tokenForms: () => readonly Record<string, string>[];
}

export function createService<Provider extends AuthProvider>(
  createProvider: (context: ServiceContext) => Provider,
): Service<Provider> {
  const network = new FakeNetwork();
  const server = new FakeAuthorizationServer(network);
  const mcp = new FakeResourceServer(network, [server]);
  const { fetch } = network;
  const provider = createProvider({ network, fetch, issuer: server.issuer });
  const transport = new AuthorizedFetch(new URL(mcp.url), { authProvider: provider, fetch });
  const call = (name = "report"): Promise<Response> => {
    const message = { jsonrpc: "2.0" as const, id: 1, method: "tools/call", params: { name } };
    const { signal } = new AbortController();
    return transport.send({ method: "POST", headers: {}, body: JSON.stringify(message), message, signal });
  };
  const tokenForms = (): readonly Record<string, string>[] =>
    network.requests(`POST ${server.issuer}/token`).map(({ form }) => Object.fromEntries(form));
  return { network, server, mcp, provider, call, tokenForms };
}
