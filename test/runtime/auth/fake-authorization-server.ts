import { DpopChecks } from "./dpop-checks.js";
import { json, type FakeNetwork, type SeenRequest } from "./fake-network.js";
import {
  OAuthProblem,
  scopesOf,
  type FakeAuthMethod,
  type FakeClient,
  type FakeCode,
  type FakeServerSettings,
  type FakeServerState,
  type FakeTokenFacts,
} from "./fake-server-state.js";
import { tokenResponse } from "./fake-token-endpoint.js";

/** A strict authorization server in memory: PKCE, exact redirect URIs, single-use codes, rotation, resources, DPoP. */
export class FakeAuthorizationServer implements FakeServerState {
  readonly clients = new Map<string, FakeClient>();
  readonly codes = new Map<string, FakeCode>();
  readonly accessTokens = new Map<string, FakeTokenFacts>();
  readonly refreshTokens = new Map<string, FakeTokenFacts>();
  readonly retired = new Map<string, FakeTokenFacts>();
  readonly dpopChecks = new DpopChecks();
  readonly settings: FakeServerSettings = {
    metadataAt: "oauth",
    metadata: {},
    registration: true,
    clientIdMetadata: false,
    authMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    dpop: "no",
    expiresIn: 3600,
    refreshTokens: true,
    rotation: true,
    scopesSupported: undefined,
    statesScope: true,
    issParameter: true,
    grantScopes: (requested) => requested,
    resources: undefined,
    withoutResource: false,
    refuses: false,
    acceptsAssertion: () => false,
    acceptsSubjectToken: () => false,
  };
  #serial = 0;

  /** @param issuer without a trailing slash; may have a path */
  constructor(
    readonly network: FakeNetwork,
    readonly issuer = "https://auth.example.com",
    settings: Partial<FakeServerSettings> = {},
  ) {
    Object.assign(this.settings, settings);
    network.add(issuer, (request) => this.#respond(request));
  }

  get metadata(): Readonly<Record<string, unknown>> {
    const { settings } = this;
    return JSON.parse(
      JSON.stringify({
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        registration_endpoint: settings.registration ? `${this.issuer}/register` : undefined,
        revocation_endpoint: `${this.issuer}/revoke`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: settings.authMethods,
        scopes_supported: settings.scopesSupported,
        authorization_response_iss_parameter_supported: settings.issParameter,
        client_id_metadata_document_supported: settings.clientIdMetadata || undefined,
        dpop_signing_alg_values_supported: settings.dpop === "no" ? undefined : ["ES256"],
        ...settings.metadata,
      }),
    ) as Readonly<Record<string, unknown>>;
  }

  /** Registers a client by hand. */
  addClient(client: Partial<FakeClient> & { readonly clientId: string }): FakeClient {
    const added: FakeClient = { method: client.clientSecret === undefined ? "none" : "client_secret_basic", ...client };
    this.clients.set(added.clientId, added);
    return added;
  }

  /** Does what a browser does with the authorization URL, for a user who agrees at once. Returns the callback URL. */
  async visit(url: URL | string): Promise<URL> {
    const response = await this.network.fetch(new URL(url), { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) throw new Error(`no redirect: ${response.status} ${await response.text()}`);
    return new URL(location);
  }

  /** Ends all log-ins: no access token and no refresh token is valid any more. */
  endLogins(): void {
    this.accessTokens.clear();
    for (const [token, facts] of this.refreshTokens) this.retired.set(token, facts);
    this.refreshTokens.clear();
  }

  /** Ends the access tokens only. */
  expireAccessTokens(): void {
    this.accessTokens.clear();
  }

  /** Returns a secret that no other call returns. */
  secret(kind: string): string {
    return `${kind}-${++this.#serial}-${crypto.randomUUID()}`;
  }

  async #respond(request: SeenRequest): Promise<Response> {
    const at = `${request.method} ${request.url.origin}${request.url.pathname}`;
    const { settings, issuer } = this;
    if (at === `GET ${this.#metadataUrl()}` && settings.metadataAt !== "none") return json(this.metadata);
    if (at === `GET ${issuer}/authorize`) return this.#authorize(request.url);
    if (at === `POST ${issuer}/token`) return tokenResponse(this, request);
    if (at === `POST ${issuer}/revoke`) return this.#revoke(request);
    if (at === `POST ${issuer}/register` && settings.registration) return this.#register(request);
    return new Response("not found", { status: 404 });
  }

  #metadataUrl(): string {
    const { origin, pathname } = new URL(this.issuer);
    const path = pathname === "/" ? "" : pathname;
    switch (this.settings.metadataAt) {
      case "openidInserted":
        return `${origin}/.well-known/openid-configuration${path}`;
      case "openidAppended":
        return `${origin}${path}/.well-known/openid-configuration`;
      case "origin":
        return `${origin}/.well-known/oauth-authorization-server`;
      case "oauth":
      case "none":
        return `${origin}/.well-known/oauth-authorization-server${path}`;
    }
  }

  async #authorize(url: URL): Promise<Response> {
    const get = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
    const clientId = get("client_id") ?? "";
    const redirectUri = get("redirect_uri") ?? "";
    const known = this.clients.get(clientId)?.redirectUris ?? (await this.#redirectUrisOfDocument(clientId));
    if (!known) return new Response(`unknown client ${clientId}`, { status: 400 });
    if (!known.some((one) => sameRedirect(one, redirectUri)))
      return new Response(`unknown redirect URI ${redirectUri}`, { status: 400 });
    const callback = new URL(redirectUri);
    const state = get("state");
    if (state !== undefined) callback.searchParams.set("state", state);
    if (this.settings.issParameter) callback.searchParams.set("iss", this.issuer);
    try {
      if (get("response_type") !== "code") throw new OAuthProblem("unsupported_response_type");
      const challenge = get("code_challenge");
      if (challenge === undefined || get("code_challenge_method") !== "S256")
        throw new OAuthProblem("invalid_request", "PKCE with S256 is required");
      if (state === undefined) throw new OAuthProblem("invalid_request", "state is missing");
      const resource = this.checkResource(get("resource"));
      if (this.settings.refuses) throw new OAuthProblem("access_denied", "the user refused");
      const scopes = this.settings.grantScopes(scopesOf(get("scope")));
      const code = this.secret("code");
      const expiresAt = Date.now() + 60_000;
      const login = ++this.#serial;
      const facts = { clientId, scopes, resource, expiresAt, thumbprint: undefined, login };
      this.codes.set(code, { ...facts, redirectUri, challenge, used: false });
      callback.searchParams.set("code", code);
    } catch (error) {
      if (!(error instanceof OAuthProblem)) throw error;
      callback.searchParams.set("error", error.code);
      callback.searchParams.set("error_description", error.message);
    }
    return new Response(null, { status: 302, headers: { location: callback.href } });
  }

  /** @throws OAuthProblem `invalid_target` */
  checkResource(resource: string | undefined): string | undefined {
    const { resources, withoutResource } = this.settings;
    if (resource === undefined && !withoutResource) throw new OAuthProblem("invalid_target", "resource is missing");
    if (resource !== undefined && resources && !resources.includes(resource))
      throw new OAuthProblem("invalid_target", `unknown resource ${resource}`);
    return resource;
  }

  async #redirectUrisOfDocument(clientId: string): Promise<readonly string[] | undefined> {
    if (!this.settings.clientIdMetadata || !clientId.startsWith("https://")) return undefined;
    const response = await this.network.fetch(new URL(clientId), {});
    const document = (await response.json()) as Readonly<Record<string, unknown>>;
    if (document["client_id"] !== clientId) return undefined;
    const redirectUris = document["redirect_uris"] as readonly string[];
    this.addClient({ clientId, redirectUris, metadata: document });
    return redirectUris;
  }

  #register({ body }: SeenRequest): Response {
    const metadata = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const redirectUris = metadata["redirect_uris"];
    if (!Array.isArray(redirectUris) || redirectUris.length === 0)
      return json({ error: "invalid_redirect_uri", error_description: "redirect_uris is missing" }, 400);
    const method = (metadata["token_endpoint_auth_method"] ?? "client_secret_basic") as FakeAuthMethod;
    if (!this.settings.authMethods.includes(method))
      return json({ error: "invalid_client_metadata", error_description: `${method} is not supported` }, 400);
    const clientId = this.secret("client");
    const clientSecret = method.startsWith("client_secret") ? this.secret("secret") : undefined;
    this.addClient({
      clientId,
      method,
      redirectUris: redirectUris as readonly string[],
      metadata,
      ...(clientSecret !== undefined && { clientSecret }),
    });
    return json(
      {
        ...metadata,
        client_id: clientId,
        client_id_issued_at: Math.floor(Date.now() / 1000),
        ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
        token_endpoint_auth_method: method,
      },
      201,
    );
  }

  #revoke({ form }: SeenRequest): Response {
    const token = form.get("token") ?? "";
    const facts = this.refreshTokens.get(token);
    this.accessTokens.delete(token);
    if (facts) this.endLogin(facts.login);
    return new Response(null, { status: 200 });
  }

  /** Ends one log-in: a refresh token or a code was used twice, or revoked. */
  endLogin(login: number): void {
    for (const [token, facts] of this.accessTokens) if (facts.login === login) this.accessTokens.delete(token);
    for (const [token, facts] of this.refreshTokens)
      if (facts.login === login) {
        this.refreshTokens.delete(token);
        this.retired.set(token, facts);
      }
  }
}

/** Redirect URIs are compared exactly, but the port of a loopback address may differ (RFC 8252, section 7.3). */
function sameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?(?=\/|$)/;
  return loopback.test(registered) && registered.replace(loopback, "$1") === given.replace(loopback, "$1");
}
