import { DpopChecks, DpopProblem } from "./dpop-checks.js";
import type { FakeAuthorizationServer } from "./fake-authorization-server.js";
import { json, type FakeHost, type FakeNetwork, type SeenRequest } from "./fake-network.js";

/** How the fake MCP server protects itself. All may be changed at any time. */
export interface FakeResourceSettings {
  /** The authorization servers whose tokens it accepts; the metadata lists them in this order. */
  servers: readonly FakeAuthorizationServer[];
  /** The `resource` of the metadata and of the accepted tokens. Default: the URL. */
  resource: string;
  /** Where the resource metadata is; `none` for a server without metadata. */
  metadataAt: "path" | "root" | "none";
  /** Members of the resource metadata to replace; undefined removes one. */
  metadata: Readonly<Record<string, unknown>>;
  /** Whether challenges have `resource_metadata`. */
  announced: boolean;
  scopesSupported: readonly string[] | undefined;
  /** The `scope` of the 401 challenge. */
  challengeScope: string | undefined;
  /** Returns the scopes that a request needs. Default: none. */
  neededScopes: (request: SeenRequest) => readonly string[];
  /** The schemes that it accepts. */
  dpop: "no" | "accepted" | "required";
  /** Responds to requests that have a good token. Default: 200 with the granted scopes as JSON. */
  serve: FakeHost;
}

/** An MCP server in memory that publishes resource metadata and accepts tokens of fake authorization servers. */
export class FakeResourceServer {
  readonly dpopChecks = new DpopChecks();
  readonly settings: FakeResourceSettings;

  constructor(
    readonly network: FakeNetwork,
    servers: readonly FakeAuthorizationServer[],
    readonly url = "https://mcp.example.com/mcp",
    settings: Partial<FakeResourceSettings> = {},
  ) {
    this.settings = {
      servers,
      resource: url,
      metadataAt: "path",
      metadata: {},
      announced: true,
      scopesSupported: undefined,
      challengeScope: undefined,
      neededScopes: () => [],
      dpop: "no",
      serve: () => json({}),
      ...settings,
    };
    network.add(url, (request) => this.#respond(request));
  }

  get metadataUrl(): string {
    const { origin, pathname } = new URL(this.url);
    const path = this.settings.metadataAt === "root" || pathname === "/" ? "" : pathname;
    return `${origin}/.well-known/oauth-protected-resource${path}`;
  }

  /** Sends an MCP request with these headers, as a transport does. */
  call(headers: Readonly<Record<string, string>> = {}, body = "{}"): Promise<Response> {
    return this.network.fetch(new URL(this.url), { method: "POST", headers, body });
  }

  async #respond(request: SeenRequest): Promise<Response> {
    const at = `${request.url.origin}${request.url.pathname}`;
    if (request.method === "GET" && at === this.metadataUrl && this.settings.metadataAt !== "none")
      return json(this.#metadata());
    if (at !== this.url) return new Response("not found", { status: 404 });
    try {
      return await this.#guard(request);
    } catch (error) {
      if (!(error instanceof DpopProblem)) throw error;
      return this.#challenge(401, "DPoP", { error: error.code });
    }
  }

  async #guard(request: SeenRequest): Promise<Response> {
    const { servers, resource, dpop, neededScopes, challengeScope } = this.settings;
    const [, scheme, token] = /^(Bearer|DPoP) (\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const scope = challengeScope === undefined ? {} : { scope: challengeScope };
    const announce = dpop === "no" ? "Bearer" : "DPoP";
    if (token === undefined) return this.#challenge(401, announce, scope);
    const facts = servers.map(({ accessTokens }) => accessTokens.get(token)).find((one) => one !== undefined);
    if (!facts || facts.expiresAt <= Date.now() || (facts.resource !== undefined && facts.resource !== resource))
      return this.#challenge(401, announce, { error: "invalid_token", ...scope });
    if ((scheme === "DPoP") !== (facts.thumbprint !== undefined) || (dpop === "required" && scheme !== "DPoP"))
      return this.#challenge(401, announce, { error: "invalid_token", ...scope });
    if (facts.thumbprint !== undefined && facts.thumbprint !== (await this.dpopChecks.thumbprint(request, token)))
      throw new DpopProblem("invalid_dpop_proof", "another key");
    const needed = neededScopes(request);
    if (needed.some((one) => !facts.scopes.includes(one)))
      return this.#challenge(403, announce, { error: "insufficient_scope", scope: needed.join(" ") });
    const response = await this.settings.serve(request);
    const { nonce } = this.dpopChecks;
    if (nonce !== undefined) response.headers.set("dpop-nonce", nonce);
    return response;
  }

  #metadata(): object {
    const { servers, resource, metadata, scopesSupported, dpop } = this.settings;
    return {
      resource,
      authorization_servers: servers.map(({ issuer }) => issuer),
      ...(scopesSupported && { scopes_supported: scopesSupported }),
      ...(dpop !== "no" && { dpop_signing_alg_values_supported: ["ES256"] }),
      ...(dpop === "required" && { dpop_bound_access_tokens_required: true }),
      ...metadata,
    };
  }

  #challenge(status: number, scheme: string, parameters: Readonly<Record<string, string>>): Response {
    const { announced, metadataAt } = this.settings;
    const all = {
      ...parameters,
      ...(announced && metadataAt !== "none" && { resource_metadata: this.metadataUrl }),
    };
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    const { nonce } = this.dpopChecks;
    return new Response(null, {
      status,
      headers: {
        "www-authenticate": [scheme, text.join(", ")].join(" ").trim(),
        ...(nonce !== undefined && { "dpop-nonce": nonce }),
      },
    });
  }
}
