import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { createOAuthProxy, MemoryProxyStore, oidc } from "@mcpwright/runtime/auth/proxy";
import { startAuthServer } from "../../auth-server/auth-server.js";
import { scopes } from "./parties.js";
import type { TokenIssuer } from "./token-issuer.js";

/** Starts a provider at which clients cannot register, and the OAuth proxy of an MCP server before it. */
export async function startProxyIssuer(origin: string, resource: string): Promise<TokenIssuer> {
  const [clientId, clientSecret] = ["proxy", "secret-of-the-proxy"];
  const application = { client_id: clientId, client_secret: clientSecret, redirect_uris: [`${origin}/callback`] };
  const provider = await startAuthServer({ clients: [application], userinfo: true });
  const { issuer } = provider;
  const store = new ForgetfulStore();
  const proxy = await createOAuthProxy({
    issuer: origin,
    resource,
    upstream: oidc({ issuer, clientId, clientSecret, scopes: ["openid", "profile"] }),
    scopes: { [scopes.read]: "Read your files", [scopes.write]: "Change your files" },
    secrets: ["a secret of these tests, which has 32 characters"],
    store,
  });
  const events: string[] = [];
  return {
    verifier: proxy.verifier,
    events,
    listener: observed(proxy.listener, events),
    expire: async () => store.forgetAccessTokens(),
    async nameOf(context) {
      const { accessToken } = await proxy.upstreamTokens(context);
      const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } });
      return ((await response.json()) as { readonly sub: string }).sub;
    },
  };
}

class ForgetfulStore extends MemoryProxyStore {
  readonly #accessTokens = new Set<string>();

  override set(kind: string, id: string, value: string, expiresAt?: number, group?: string): void {
    if (kind === "AccessToken") this.#accessTokens.add(id);
    super.set(kind, id, value, expiresAt, group);
  }

  forgetAccessTokens(): void {
    for (const id of this.#accessTokens) this.delete("AccessToken", id);
    this.#accessTokens.clear();
  }
}

/** Adds the events of the requests to the proxy. It passes on bodies as frameworks do that have parsed them. */
function observed(listener: RequestListener, events: string[]): RequestListener {
  return (request: IncomingMessage & { body?: string }, response) => {
    const [path = "", query] = (request.url ?? "").split("?");
    if (path === "/authorize" && query !== undefined) events.push("page");
    void text(request).then((body) => {
      request.body = body;
      const grant = new URLSearchParams(body).get("grant_type");
      response.once("finish", () => {
        if (path === "/register" && response.statusCode === 201) events.push("register");
        if (path === "/token") events.push(`${response.statusCode === 200 ? "granted" : "refused"} ${String(grant)}`);
      });
      listener(request, response);
    });
  };
}
