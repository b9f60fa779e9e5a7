/** A real authorization server (oidc-provider) in this process, on a free loopback port. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Adapter, ClientMetadata, Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { acceptAssertions, exchangeIdTokens, sign } from "./assertion-grants.js";
import type { RegisteredResource } from "./registered-resource.js";

export interface AuthServerOptions {
  /** Whether clients may register themselves (RFC 7591). Default: false. */
  readonly registration?: boolean;
  /** Accepts the URLs of these documents as client ids. The web outside of this process consists of them. Default: none. */
  readonly documents?: Readonly<Record<string, object>>;
  /** Clients that are known in advance. */
  readonly clients?: readonly ClientMetadata[];
  /** Lifetime of access tokens in seconds. Default: 3,600. */
  readonly accessTokenSeconds?: number;
  /** Issuers whose JWTs it accepts instead of a log-in (RFC 7523). Default: none. */
  readonly trustedIssuers?: readonly string[];
  /**
   * The clients, by their ids, whose ID tokens it exchanges for identity assertions, as the identity provider of an enterprise; and
   * the ids of the same clients at the other authorization servers. Default: none.
   */
  readonly exchange?: Readonly<Record<string, string>>;
  /** Whether it serves claims about the user at `/me`, as an API for tokens without a resource. Default: false. */
  readonly userinfo?: boolean;
  /** Whether it binds tokens to keys (RFC 9449). Default: true. */
  readonly dpop?: boolean;
  /** Whether the token endpoint demands a DPoP nonce (RFC 9449, section 8). Default: false. */
  readonly dpopNonces?: boolean;
}

export interface AuthServer {
  readonly issuer: string;
  /** The resources by their identifiers; add those that the tests start. */
  readonly resources: Map<string, RegisteredResource>;
  /**
   * What happened, in order: `page` when an authorization page was asked for, `register`, `granted <grant type>`,
   * `refused <error>`, `revoked`.
   */
  readonly events: string[];
  /** Asks about an opaque token (RFC 7662). */
  introspect(token: string): Promise<Readonly<Record<string, unknown>>>;
  /** Signs a JWT as this server: an ID token, or the identity of a workload. It is valid for five minutes. */
  sign(claims: Readonly<Record<string, string>>): Promise<string>;
  /** Ends the lifetime of all opaque access tokens. */
  expireAccessTokens(): Promise<void>;
  /** Ends the lifetime of all refresh tokens. */
  expireRefreshTokens(): Promise<void>;
  /** Forgets the clients that have registered themselves. */
  forgetClients(): Promise<void>;
  close(): Promise<void>;
}

/** The identity with which resources introspect tokens. */
export const introspector = { client_id: "resource", client_secret: "secret-of-the-resource" };

export async function startAuthServer(options: AuthServerOptions = {}): Promise<AuthServer> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const resources = new Map<string, RegisteredResource>();
  const events: string[] = [];
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "signing" };
  const provider = await createProvider(issuer, configure(options, key, resources));
  if (options.trustedIssuers) acceptAssertions(provider, options.trustedIssuers, resources);
  if (options.exchange) exchangeIdTokens(provider, key, options.exchange);
  record(provider, events);
  const accessTokens = new Set<Stored>();
  const refreshTokens = new Set<Stored>();
  const clientIds = new Set<string>();
  provider.on("access_token.saved", (token) => accessTokens.add(token));
  provider.on("client_credentials.saved", (token) => accessTokens.add(token));
  provider.on("refresh_token.saved", (token) => refreshTokens.add(token));
  provider.on("registration_create.success", (_context, client) => clientIds.add(client.clientId));
  const handle = provider.callback();
  http.on("request", (request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    if (pathname === "/auth") events.push("page");
    void handle(request, response).then(() => {
      if (pathname === "/token/revocation" && response.statusCode === 200) events.push("revoked");
    });
  });
  return {
    issuer,
    resources,
    events,
    async introspect(token) {
      const body = new URLSearchParams({ token, ...introspector });
      const response = await fetch(`${issuer}/token/introspection`, { method: "POST", body });
      if (!response.ok) throw new Error(`introspection: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
    sign: (claims) => sign(key, { iss: issuer, ...claims }),
    expireAccessTokens: () => destroyAll(accessTokens),
    expireRefreshTokens: () => destroyAll(refreshTokens),
    async forgetClients() {
      // Its declaration lacks this member of all models.
      const { adapter } = provider.Client as unknown as { readonly adapter: Adapter };
      for (const id of clientIds) await adapter.destroy(id);
      clientIds.clear();
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

interface Stored {
  destroy(): Promise<void>;
}

async function destroyAll(stored: Set<Stored>): Promise<void> {
  for (const one of stored) await one.destroy();
  stored.clear();
}

/** Without the warnings that Node 20 is old, and that the log-in page accepts any password. */
async function createProvider(issuer: string, configuration: Configuration): Promise<Provider> {
  const { warn } = console;
  Object.assign(console, { warn: () => undefined });
  try {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, configuration);
  } finally {
    Object.assign(console, { warn });
  }
}

function configure(
  {
    registration = false,
    documents,
    clients = [],
    accessTokenSeconds = 3_600,
    userinfo = false,
    dpop = true,
    dpopNonces = false,
  }: AuthServerOptions,
  key: JWK,
  resources: ReadonlyMap<string, RegisteredResource>,
): Configuration {
  return {
    jwks: { keys: [key] },
    cookies: { keys: ["a key of the tests"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [
      ...clients,
      {
        ...introspector,
        grant_types: [],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    clientBasedCORS: (_context, origin, { redirectUris = [] }) =>
      redirectUris.some((uri) => new URL(uri).origin === origin),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    responseTypes: ["code"],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    renderError: (context, out) => {
      context.type = "text";
      context.body = `${out.error}: ${out.error_description ?? ""}`;
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3_600,
      Interaction: 3_600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      registration: {
        enabled: registration,
        // Official clients register the scopes of their first log-in only. As many servers do, it does not limit them to those.
        idFactory: ({ oidc: { body } }) => {
          delete body?.["scope"];
          return crypto.randomUUID();
        },
      },
      clientIdMetadataDocument: documents ? { enabled: true, ack: "draft-02" } : { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_context, { clientId }) => clientId === introspector.client_id },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => client.clientId === token.clientId },
      userinfo: { enabled: userinfo },
      rpInitiatedLogout: { enabled: false },
      dPoP: !dpop
        ? { enabled: false }
        : { enabled: true, nonceSecret: crypto.getRandomValues(Buffer.alloc(32)), requireNonce: () => dpopNonces },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, identifier) => {
          const resource = resources.get(identifier);
          if (!resource) throw new Error(`unknown resource: ${identifier}`);
          return {
            audience: identifier,
            scope: resource.scopes.join(" "),
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: resource.tokens,
            ...(resource.tokens === "jwt" && { jwt: { sign: { alg: "ES256" } } }),
          };
        },
      },
    },
    fetch: (url) => {
      const document = documents?.[new Request(url).url];
      return Promise.resolve(document ? Response.json(document) : new Response(null, { status: 404 }));
    },
  };
}

function record(provider: Provider, events: string[]): void {
  provider.on("registration_create.success", () => events.push("register"));
  provider.on("grant.success", (context: KoaContextWithOIDC) => {
    events.push(`granted ${String(context.oidc.params?.["grant_type"])}`);
  });
  const refuse = (_context: KoaContextWithOIDC, { error }: { readonly error: string }): void => {
    events.push(`refused ${error}`);
  };
  provider.on("grant.error", refuse).on("authorization.error", refuse).on("registration_create.error", refuse);
}
