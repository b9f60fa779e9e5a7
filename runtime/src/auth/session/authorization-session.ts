import { AuthorizationError, UnauthorizedError } from "../auth-errors.js";
import { bearerParameters } from "../discovery/challenge.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { Grant, GrantContext } from "../grants/grant.js";
import type { OAuthOptions } from "../oauth-options.js";
import type { DpopKey } from "../tokens/dpop.js";
import type { TokenSet } from "../tokens/token-set.js";
import { chooseDpopKey, dpopKeyOf } from "./dpop-choice.js";
import { Flow } from "./flow.js";
import { createGrantContext } from "./grant-context.js";
import type { IssuerQueue } from "./issuer-queue.js";
import { tokensRecord } from "./record-kinds.js";
import { initialScopes, parseScopes, withOfflineAccess } from "./scopes.js";
import { ServerDiscovery } from "./server-discovery.js";
import type { SessionParts } from "./session-parts.js";
import { StepUps, type Rejection } from "./step-ups.js";
import type { StoredRecords } from "./stored-records.js";
import { finishedStepUps, rejectedToken, withFinishedStepUps } from "./stored-step-ups.js";
import { TokenCache } from "./token-cache.js";
import { obtainTokens, recordOf } from "./token-grant.js";
import { refreshTokens } from "./token-refresh.js";
import { revokeTokens } from "./token-revocation.js";

/** How many log-ins within a minute may be in vain when they finish in another request. */
const maxRejectedTokens = 2;

/** The request of tokens that arrive from elsewhere. */
export interface AcceptedRequest {
  /** The requested scopes. Default: the granted ones. */
  readonly scopes?: readonly string[] | undefined;
  /** The `resource` parameter. */
  readonly resource?: string | undefined;
}

interface Attempt {
  readonly flow: Flow;
  /** Whether the error of another attempt is also that of this one. */
  readonly shares: (other: Flow) => boolean;
  /** Whether another attempt has made this one unnecessary. */
  readonly isDone: () => boolean;
  readonly work: (flow: Flow) => Promise<void>;
}

/**
 * The authorization of one user or application for one MCP server: its tokens, and one attempt at a time to get better ones,
 * which all rejected requests wait for.
 */
export class AuthorizationSession {
  readonly #parts: SessionParts;
  readonly #discovery: ServerDiscovery;
  readonly #stepUps: StepUps;
  #flow: Flow | undefined;
  /** The key of the last request. */
  #key: DpopKey | undefined;
  /** The access token whose early refresh has failed. */
  #notRefreshable: string | undefined;

  /** @param shared what the sessions of a provider share */
  constructor(
    url: URL,
    grant: Grant,
    options: OAuthOptions,
    shared: { readonly records: StoredRecords; readonly queue: IssuerQueue },
  ) {
    this.#parts = { url, grant, options, ...shared, cache: new TokenCache(url.href, shared.records) };
    this.#discovery = new ServerDiscovery(this.#parts);
    this.#stepUps = new StepUps(this.#parts, this.#discovery);
  }

  /** Whether tokens are being requested. */
  get isBusy(): boolean {
    return this.#flow !== undefined;
  }

  /**
   * Returns the tokens for the next request; refreshes them when they are about to expire. Undefined when there are none.
   * @throws AuthorizationError when they have expired, and the refresh fails
   */
  async tokens(): Promise<TokenSet | undefined> {
    const { cache, grant, options } = this.#parts;
    await cache.load();
    const { tokens } = cache;
    if (!tokens || cache.isFresh) return tokens;
    // The clock of this machine may be wrong: the MCP server decides.
    if (tokens.refreshToken === undefined && grant.isInteractive) return tokens;
    if (cache.isValid && this.#notRefreshable === tokens.accessToken) return tokens;
    try {
      await this.#attempt({
        flow: new Flow("renewal"),
        shares: isForAll,
        isDone: () => cache.tokens?.accessToken !== tokens.accessToken,
        work: (flow) => this.#renew(flow),
      });
    } catch (error) {
      if (!cache.isValid) throw error;
      this.#notRefreshable = tokens.accessToken;
      options.onerror?.(error as Error);
    }
    return cache.tokens;
  }

  /** Reads the stored tokens again. @throws AuthorizationError `store-failed` */
  reload(): Promise<void> {
    return this.#parts.cache.reload();
  }

  /** Returns the key that an access token is bound to, when it is one of the last two. @throws AuthorizationError `store-failed` */
  async dpopKey(accessToken: string): Promise<DpopKey | undefined> {
    const tokens = this.#parts.cache.find(accessToken);
    this.#key = tokens && (await dpopKeyOf(tokens));
    return this.#key;
  }

  /** Looks at a response of the MCP server: it may have a DPoP nonce. @param url that of the request */
  inspect(response: Response, url: URL): void {
    this.#key?.learnNonce(response, url);
    // A request that lacks a scope has a valid token.
    if (response.ok || response.status === 403) this.#parts.cache.prove();
  }

  /**
   * Gets better tokens after the MCP server has rejected a request.
   * @returns whether to send the request again
   * @throws AuthorizationError, InsufficientScopeError; UnauthorizedError when a user has to log in first
   */
  async rejected(rejection: Rejection): Promise<boolean> {
    const { cache } = this.#parts;
    await cache.load();
    const { token, status, wwwAuthenticate } = rejection;
    const isNonceDemand = bearerParameters(wwwAuthenticate)["error"] === "use_dpop_nonce";
    if (isNonceDemand && token !== undefined && cache.find(token)?.scheme === "DPoP") return true;
    const isStepUp = status === 403 && token !== undefined;
    const scopes = parseScopes(bearerParameters(wwwAuthenticate)["scope"]) ?? [];
    const isDone = (): boolean => cache.hasOther(token);
    await this.#attempt(
      isStepUp
        ? {
            flow: new Flow("step-up", scopes),
            shares: ({ kind, scopes: others }) => kind === "step-up" && includesAll(others, scopes),
            isDone,
            work: (flow) =>
              this.#stepUps.run(flow, rejection, (server, wanted) => this.#obtain(flow, server, wanted, token)),
          }
        : {
            flow: new Flow("authorization"),
            shares: isForAll,
            isDone,
            work: (flow) => this.#authorize(flow, rejection),
          },
    );
    return true;
  }

  /**
   * Prepares a log-in that finishes elsewhere: finds the authorization server, and chooses scopes and key.
   * @throws AuthorizationError
   */
  async prepare(wwwAuthenticate: string | undefined, signal: AbortSignal): Promise<GrantContext> {
    const { cache, options } = this.#parts;
    await cache.load();
    const server = await this.#discovery.renew(wwwAuthenticate, signal);
    const scopes = this.#requestScopes(server, this.#initialScopes(server, wwwAuthenticate));
    const key = await chooseDpopKey(options, server, cache.tokens);
    return createGrantContext(this.#parts, server, scopes, key, signal);
  }

  /**
   * Keeps tokens of a log-in that has finished elsewhere. Requests that wait for a log-in continue.
   * @throws AuthorizationError `store-failed`
   */
  async accept(tokens: TokenSet, { scopes = tokens.scopes, resource }: AcceptedRequest = {}): Promise<void> {
    const { cache } = this.#parts;
    await cache.reload();
    const record = recordOf(
      { issuer: tokens.issuer, resource },
      scopes,
      tokens.clientId,
      this.#discovery.resourceMetadata,
    );
    const stepUps = withFinishedStepUps(cache.server?.stepUps);
    await cache.save(tokens, { ...record, ...(stepUps.length > 0 && { stepUps }) }, "authorization");
    this.#flow?.accept();
  }

  /**
   * Deletes the tokens, and revokes them where the authorization server offers it. A failed revocation is reported to `onerror`.
   * @throws AuthorizationError `store-failed` when they cannot be deleted
   */
  async logout(signal: AbortSignal): Promise<void> {
    const { cache, records, options } = this.#parts;
    await this.close(new AuthorizationError("abandoned", "the application logged out"));
    await cache.load();
    this.#stepUps.clear();
    const { server } = cache;
    if (!server) return;
    const deleted = await records.locked(
      tokensRecord,
      [server.issuer, cache.url],
      async () => {
        await cache.reload();
        const { tokens, server: record = server } = cache;
        await cache.clear();
        return tokens && { tokens, record };
      },
      signal,
    );
    if (!deleted) return;
    try {
      await revokeTokens(this.#parts, await this.#discovery.of(deleted.record, signal), deleted.tokens, signal);
    } catch (error) {
      options.onerror?.(error as Error);
    }
  }

  /** Ends the attempt to get tokens, if there is one. The session can still be used. */
  async close(reason: Error): Promise<void> {
    const flow = this.#flow;
    flow?.abort(reason);
    await flow?.settled;
  }

  /** Makes an attempt to get tokens, after those in progress, unless they succeeded. */
  async #attempt({ flow, shares, isDone, work }: Attempt): Promise<void> {
    while (this.#flow) {
      const { done } = this.#flow;
      await (shares(this.#flow) ? done : done.catch(() => undefined));
    }
    if (isDone()) return;
    this.#flow = flow;
    flow.start(
      () => work(flow),
      () => {
        if (this.#flow === flow) this.#flow = undefined;
      },
    );
    await flow.done;
  }

  /** Before the tokens expire, or after. */
  async #renew(flow: Flow): Promise<void> {
    const { cache, grant } = this.#parts;
    await cache.reload();
    const { tokens } = cache;
    if (!tokens || cache.isFresh) return;
    const server = await this.#discovery.current(flow.signal);
    if (cache.tokens !== tokens) return;
    if (tokens.refreshToken !== undefined && (await refreshTokens(this.#parts, server, tokens, flow.signal))) return;
    // The log-in of a user starts with a challenge.
    if (!grant.isInteractive) await this.#obtain(flow, server, cache.server?.scopes, tokens.accessToken);
  }

  async #authorize(flow: Flow, { token, wwwAuthenticate }: Rejection): Promise<void> {
    const { cache } = this.#parts;
    const origin = cache.unproven;
    await cache.reload();
    if (cache.hasOther(token)) return;
    const { tokens, server: before } = cache;
    const server = await this.#discovery.renew(wwwAuthenticate, flow.signal);
    const isSame = before?.issuer === server.issuer && (before.resource ?? server.resource) === server.resource;
    if (tokens && isSame) {
      if (origin === "authorization" || finishedStepUps(before.stepUps, rejectedToken) >= maxRejectedTokens)
        throw rejectedNewToken(this.#parts.url, server.issuer);
      const mayRefresh = origin === undefined && tokens.refreshToken !== undefined;
      if (mayRefresh && (await refreshTokens(this.#parts, server, tokens, flow.signal))) return;
    }
    try {
      await this.#obtain(flow, server, this.#initialScopes(server, wwwAuthenticate), token);
    } catch (error) {
      if (token !== undefined && error instanceof UnauthorizedError) await cache.addPendingLogin(rejectedToken);
      throw error;
    }
  }

  #initialScopes(server: DiscoveredServer, wwwAuthenticate: string | undefined): readonly string[] | undefined {
    const { cache, options } = this.#parts;
    return initialScopes({
      challenged: parseScopes(bearerParameters(wwwAuthenticate)["scope"]),
      supported: server.scopesSupported,
      configured: options.scopes,
      earlier: cache.server?.issuer === server.issuer ? cache.server.scopes : undefined,
    });
  }

  #requestScopes({ metadata }: DiscoveredServer, scopes: readonly string[] | undefined): readonly string[] | undefined {
    return this.#parts.grant.isInteractive ? withOfflineAccess(scopes, metadata.scopes_supported) : scopes;
  }

  #obtain(
    flow: Flow,
    server: DiscoveredServer,
    scopes: readonly string[] | undefined,
    insufficient: string | undefined,
  ): Promise<void> {
    return obtainTokens(this.#parts, {
      server,
      scopes: this.#requestScopes(server, scopes),
      insufficient,
      resourceMetadata: this.#discovery.resourceMetadata,
      flow,
    });
  }
}

/** Whether the outcome of an attempt concerns every request. */
function isForAll({ kind }: Flow): boolean {
  return kind !== "step-up";
}

function includesAll(scopes: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => scopes.includes(scope));
}

function rejectedNewToken({ origin, pathname }: URL, issuer: string): AuthorizationError {
  return new AuthorizationError(
    "token-rejected",
    `${origin}${pathname} rejects the token that ${issuer} has just issued for it; check that both agree on the resource, the audience and the time`,
    { issuer },
  );
}
