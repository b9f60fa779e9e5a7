import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { ClientMetadata, Configuration, Provider } from "oidc-provider";

export interface AuthorizationServerOptions {
  /** The scopes that users can grant for MCP servers. Default: none. */
  readonly scopes?: readonly string[];
  /** Whether clients may register themselves. Default: false, as at GitHub and Google. */
  readonly registration?: boolean;
  /** Clients that are known in advance. */
  readonly clients?: readonly ClientMetadata[];
  /** Whether clients must prove in each token request that they have the key to which the token is bound (DPoP). Default: false. */
  readonly dpop?: boolean;
}

export interface AuthorizationServer {
  readonly issuer: string;
  close(): Promise<void>;
}

/** Starts oidc-provider on this computer. Its pages for development accept any name and password. */
export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig" };
  const handle = await createHandler(issuer, configure(options, key));
  http.on("request", (request, response) => void handle(request, response));
  return {
    issuer,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

type Handler = ReturnType<Provider["callback"]>;

/** Without its warnings, for example that the log-in page is for development. */
async function createHandler(issuer: string, configuration: Configuration): Promise<Handler> {
  const { warn } = console;
  Object.assign(console, { warn: () => undefined });
  try {
    const { Provider } = await import("oidc-provider");
    return new Provider(issuer, configuration).callback();
  } finally {
    Object.assign(console, { warn });
  }
}

function configure(
  { scopes = [], registration = false, clients = [], dpop = false }: AuthorizationServerOptions,
  key: JWK,
): Configuration {
  return {
    jwks: { keys: [key] },
    cookies: { keys: ["a key of the examples"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: clients.map((client) => ({ ...client, dpop_bound_access_tokens: dpop })),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, name: `${sub} Example` }) }),
    claims: { profile: ["name"] },
    responseTypes: ["code"],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      ClientCredentials: 600,
      Grant: 86_400,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      ...(dpop && {
        dPoP: { enabled: true, nonceSecret: crypto.getRandomValues(Buffer.alloc(32)), requireNonce: () => true },
      }),
      registration: { enabled: registration },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // A token is for the one server that the client names (RFC 8707), and has only scopes of such servers.
        getResourceServerInfo: (_context, resource) => ({
          audience: resource,
          scope: scopes.join(" "),
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  };
}
