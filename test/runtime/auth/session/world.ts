import { calculatePKCECodeChallenge, generateRandomCodeVerifier, None } from "oauth4webapi";
import type { OAuthClient, OAuthOptions, TokenSet } from "../../../../runtime/src/auth.js";
import type { Grant, GrantContext } from "../../../../runtime/src/auth/grants/grant.js";
import { OAuthProvider } from "../../../../runtime/src/auth/providers/oauth-provider.js";
import type { AuthorizationSession } from "../../../../runtime/src/auth/session/authorization-session.js";
import { AuthorizedFetch } from "../../../../runtime/src/http-client/authorized-fetch.js";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { FakeNetwork } from "../fake-network.js";
import { FakeResourceServer } from "../fake-resource-server.js";

export const mcpUrl = new URL("https://mcp.example.com/mcp");
const redirectUri = "http://127.0.0.1/callback";

/** The authorization-code flow of a user who agrees at once. */
export class CodeGrant implements Grant {
  readonly isInteractive: boolean = true;
  source: OAuthClient["source"] = "dynamic";
  /** The client at authorization servers that have no other one. */
  clientId = "app";
  /** Clients by issuer. */
  readonly clientIds = new Map<string, string>();
  /** The scopes of each log-in. */
  readonly logins: (readonly string[] | undefined)[] = [];
  /** The clients that the authorization server does not know any more. */
  readonly forgotten: string[] = [];
  /** Runs before each log-in. */
  before: (context: GrantContext) => unknown = () => undefined;

  constructor(readonly server: FakeAuthorizationServer) {
    server.addClient({ clientId: this.clientId, redirectUris: [redirectUri] });
  }

  resolveClient({ server }: GrantContext): Promise<OAuthClient> {
    const clientId = this.clientIds.get(server.issuer) ?? this.clientId;
    return Promise.resolve({ clientId, authentication: None(), source: this.source });
  }

  forgetClient(_context: GrantContext, { clientId }: OAuthClient): Promise<void> {
    this.forgotten.push(clientId);
    return Promise.resolve();
  }

  async obtain(context: GrantContext, client: OAuthClient): Promise<TokenSet> {
    const { scopes, tokens } = context;
    this.logins.push(scopes);
    await this.before(context);
    const { url, verifier } = await authorizationUrl(context, client);
    const callback = await this.server.visit(url);
    const code = callback.searchParams.get("code") ?? "";
    const parameters = { code, code_verifier: verifier, redirect_uri: redirectUri };
    return tokens.request(client, "authorization_code", parameters);
  }
}

async function authorizationUrl(
  { server, scopes }: GrantContext,
  { clientId }: OAuthClient,
): Promise<{ url: URL; verifier: string }> {
  const verifier = generateRandomCodeVerifier();
  const url = new URL(server.metadata.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state: "the-state",
    ...(scopes && { scope: scopes.join(" ") }),
    ...(server.resource !== undefined && { resource: server.resource }),
  }).toString();
  return { url, verifier };
}

/** The client-credentials grant. */
export class MachineGrant extends CodeGrant {
  override readonly isInteractive = false;
  override source: OAuthClient["source"] = "pre-registered";

  constructor(server: FakeAuthorizationServer) {
    super(server);
    server.addClient({ clientId: this.clientId, method: "client_secret_post", clientSecret: "s3cret" });
  }

  override resolveClient(): Promise<OAuthClient> {
    return Promise.resolve({
      clientId: this.clientId,
      source: this.source,
      authentication: (_server, client, body) => {
        body.set("client_id", client.client_id);
        body.set("client_secret", "s3cret");
      },
    });
  }

  override async obtain(context: GrantContext, client: OAuthClient): Promise<TokenSet> {
    this.logins.push(context.scopes);
    await this.before(context);
    const scope = context.scopes && { scope: context.scopes.join(" ") };
    return context.tokens.request(client, "client_credentials", { ...scope });
  }
}

/** A user with a provider, an MCP server, and its authorization server. */
export interface World {
  readonly network: FakeNetwork;
  readonly server: FakeAuthorizationServer;
  readonly mcp: FakeResourceServer;
  readonly grant: CodeGrant;
  readonly provider: TestProvider;
  /** What was reported to `onerror`. */
  readonly errors: Error[];
  /** Sends a request as a transport does. */
  readonly call: (options?: CallOptions) => Promise<Response>;
  /** A second process with the same store or grant. */
  readonly another: (options?: OAuthOptions, grant?: Grant) => Pick<World, "provider" | "call" | "errors">;
}

/** A provider with open sessions. */
export class TestProvider extends OAuthProvider {
  override session(url: URL): AuthorizationSession {
    return super.session(url);
  }
}

export interface CallOptions {
  /** Distinguishes transports of the same provider. Default: the URL. */
  readonly transport?: string;
  /** Default: `tools/list`. */
  readonly method?: string;
  readonly signal?: AbortSignal;
  readonly url?: URL;
}

export function createWorld(
  options: OAuthOptions = {},
  createGrant: (server: FakeAuthorizationServer) => CodeGrant = (server) => new CodeGrant(server),
): World {
  const network = new FakeNetwork();
  const server = new FakeAuthorizationServer(network);
  const mcp = new FakeResourceServer(network, [server]);
  const grant = createGrant(server);
  const another = (more: OAuthOptions = {}, otherGrant: Grant = grant): ReturnType<World["another"]> => {
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    const provider = new TestProvider(otherGrant, { fetch: network.fetch, onerror, ...options, ...more });
    const transports = new Map<string, AuthorizedFetch>();
    const call: World["call"] = ({ transport: name, method = "tools/list", signal, url = mcpUrl } = {}) => {
      const key = name ?? url.href;
      const transport =
        transports.get(key) ?? new AuthorizedFetch(url, { authProvider: provider, fetch: network.fetch });
      transports.set(key, transport);
      const message = { jsonrpc: "2.0" as const, id: 1, method, params: {} };
      return transport.send({
        method: "POST",
        headers: {},
        body: JSON.stringify(message),
        message,
        signal: signal ?? new AbortController().signal,
      });
    };
    return { provider, call, errors };
  };
  return { network, server, mcp, grant, another, ...another() };
}

/** The requests of a grant type to the token endpoint. */
export function tokenRequests(network: FakeNetwork, grantType: string): readonly URLSearchParams[] {
  return network
    .requests("POST https://auth.example.com/token")
    .map(({ form }) => form)
    .filter((form) => form.get("grant_type") === grantType);
}
