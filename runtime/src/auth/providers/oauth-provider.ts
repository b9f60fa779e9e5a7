import type {
  AuthChallenge,
  AuthHeaders,
  AuthorizedRequest,
  AuthProvider,
  TokenUse,
} from "../../http-client/auth-provider.js";
import { parseServerUrl } from "../../http-client/server-url.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { assertMethods } from "../../options/assert-methods.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { AuthorizationError } from "../auth-errors.js";
import { MemoryCredentialStore } from "../credential-store.js";
import type { Grant } from "../grants/grant.js";
import type { OAuthOptions } from "../oauth-options.js";
import { AuthorizationSession } from "../session/authorization-session.js";
import { IssuerQueue } from "../session/issuer-queue.js";
import { StoredRecords } from "../session/stored-records.js";
import type { TokenSet } from "../tokens/token-set.js";

/** The most MCP servers whose tokens are kept in memory; those of the others are read from the store again. */
const maxSessions = 100;

export interface LogoutOptions {
  /** Stops the revocation; the tokens may be deleted nevertheless. */
  readonly signal?: AbortSignal;
}

/**
 * Logs in to the authorization servers of MCP servers (MCP, authorization), and keeps the tokens. Base of the ready-made
 * providers, which differ in their grant: use one of those, or pass a grant of your own.
 *
 * A provider stands for one user or one application. It may be passed to any number of transports and serves any number of MCP
 * servers; a token is sent only to the MCP server that it was issued for. Create one provider per user, each with a store of
 * its own (`storeOfUser`).
 *
 * When an MCP server rejects a request, the provider finds the authorization server that the MCP server trusts, refreshes the
 * tokens or gets new ones, and the transport sends the request again. Requests that are rejected in the meantime wait for the
 * same log-in. Tokens are refreshed seconds before they expire.
 *
 * @example
 * ```ts
 * const authProvider = new OAuthProvider(grant, { store });
 * const transport = new StreamableHTTPClientTransport(new URL("https://mcp.example.com/mcp"), { authProvider });
 * await client.connect(transport); // logs in
 * await authProvider.logout("https://mcp.example.com/mcp");
 * ```
 */
export class OAuthProvider implements AuthProvider, AsyncDisposable {
  /** Where the credentials are kept. */
  protected readonly store: NonNullable<OAuthOptions["store"]>;
  readonly #grant: Grant;
  readonly #options: OAuthOptions;
  readonly #shared: { readonly records: StoredRecords; readonly queue: IssuerQueue };
  /** By the URL of the MCP server; the last used ones are at the end. */
  readonly #sessions = new Map<string, AuthorizationSession>();

  /**
   * @param grant how tokens are obtained
   * @throws SdkError `INVALID_CONFIGURATION` when the store lacks a method, or a number is negative
   */
  constructor(grant: Grant, options: OAuthOptions = {}) {
    const { store = new MemoryCredentialStore(), onerror } = options;
    assertMethods(store, ["get", "set", "delete"], "store must be a CredentialStore with get, set and delete");
    assertNumberOptions(options);
    this.store = store;
    this.#grant = grant;
    this.#options = options;
    this.#shared = { records: new StoredRecords(store, onerror), queue: new IssuerQueue() };
  }

  /**
   * Returns the access token for an MCP server; refreshes it first when it is about to expire. Undefined before the first
   * log-in, which starts when the server rejects a request.
   * @throws AuthorizationError when the token has expired, and the refresh fails
   */
  async token(use?: TokenUse): Promise<string | undefined> {
    if (!use) throw new SdkError("INVALID_CONFIGURATION", "token() needs the URL of the MCP server: token({ url })");
    return (await this.tokens(use.url))?.accessToken;
  }

  /**
   * Returns the access token for an MCP server with what is known about it, such as its scopes; as `token` otherwise. Secret: for tests and
   * for stores of your own.
   * @param server the URL of the MCP server
   * @throws AuthorizationError when the token has expired, and the refresh fails
   */
  tokens(server: string | URL): Promise<TokenSet | undefined> {
    return this.session(parseServerUrl(server)).tokens();
  }

  /** Returns the `Authorization` header, with a new proof for each request when the token is bound to a key (RFC 9449). */
  async headers(token: string, { method, url, server }: AuthorizedRequest): Promise<AuthHeaders> {
    // A token is for one server.
    if (url.origin !== server.origin) return {};
    const key = await this.session(server).dpopKey(token);
    if (!key) return { authorization: `Bearer ${token}` };
    return { authorization: `DPoP ${token}`, dpop: await key.proof(method, url, token) };
  }

  /** Learns the nonces of the server, and that it accepts the token. */
  onResponse(response: Response, { url, server }: AuthorizedRequest): void {
    this.session(server).inspect(response, url);
  }

  /**
   * Gets better tokens: by a refresh, or by the grant. Called by the transport.
   * @throws AuthorizationError, InsufficientScopeError; UnauthorizedError when a user has to log in first
   */
  async onUnauthorized(challenge: AuthChallenge): Promise<boolean> {
    return this.session(challenge.url).rejected(challenge);
  }

  /**
   * Logs out of an MCP server: deletes its tokens, and revokes them where the authorization server offers it (RFC 7009). Works
   * without a connection: a revocation that fails is reported to `onerror`. The registration of the client is kept.
   * @param server the URL of the MCP server
   * @throws AuthorizationError `store-failed` when the tokens cannot be deleted
   * @throws the abort reason of `signal`
   */
  async logout(server: string | URL, { signal = new AbortController().signal }: LogoutOptions = {}): Promise<void> {
    await this.session(parseServerUrl(server)).logout(signal);
  }

  /** Ends log-ins in progress: requests that wait for them fail. Tokens are kept, and the provider can still be used. */
  async close(): Promise<void> {
    const reason = new AuthorizationError("abandoned", "the provider was closed");
    await Promise.all([...this.#sessions.values()].map((session) => session.close(reason)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the session of an MCP server. The fragment of the URL does not matter. */
  protected session(server: URL): AuthorizationSession {
    const url = parseServerUrl(server);
    const known = this.#sessions.get(url.href);
    const session = known ?? new AuthorizationSession(url, this.#grant, this.#options, this.#shared);
    if (known) this.#sessions.delete(url.href);
    this.#sessions.set(url.href, session);
    if (this.#sessions.size > maxSessions) this.#forgetOldest();
    return session;
  }

  #forgetOldest(): void {
    for (const [url, session] of this.#sessions)
      if (!session.isBusy) {
        this.#sessions.delete(url);
        return;
      }
  }
}
