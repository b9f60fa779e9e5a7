import type { TokenSet } from "../tokens/token-set.js";
import { dpopKeyOf } from "./dpop-choice.js";
import { serverRecord, tokensRecord, type ServerRecord } from "./record-kinds.js";
import type { StoredRecords } from "./stored-records.js";
import { withPendingStepUp } from "./stored-step-ups.js";

/** How long before they expire tokens are refreshed. */
const skewMs = 10_000;
/** How long new tokens count as just issued. */
const newMs = 60_000;

/** Where tokens come from: a refresh, or an authorization. */
export type TokenOrigin = "refresh" | "authorization";

/** The tokens for one MCP server, in memory and in the store. */
export class TokenCache {
  tokens: TokenSet | undefined;
  server: ServerRecord | undefined;
  /** The tokens before the current ones: a request may still carry them. */
  #previous: TokenSet | undefined;
  #loading: Promise<void> | undefined;
  /** Counts changes in memory: what was read before a change is outdated. */
  #version = 0;
  #isUnsaved = false;
  /** Of tokens that this process got, and that the MCP server has not accepted yet. */
  #unproven: { readonly origin: TokenOrigin; readonly at: number } | undefined;
  #skewMs = skewMs;
  /** The access token of stored tokens that cannot be used. */
  #unusable: string | undefined;

  constructor(
    readonly url: string,
    readonly records: StoredRecords,
  ) {}

  /** Reads the store, the first time. @throws AuthorizationError `store-failed` */
  load(): Promise<void> {
    this.#loading ??= this.reload().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Reads the store: another process may have changed it. @throws AuthorizationError `store-failed` */
  async reload(): Promise<void> {
    if (this.#isUnsaved && this.tokens && this.server) await this.#write(this.tokens, this.server);
    const version = this.#version;
    const server = await this.records.read(serverRecord, this.url);
    const tokens = server && (await this.records.read(tokensRecord, server.issuer, this.url));
    // Tokens under the key of another issuer would be sent to the wrong one.
    const usable = tokens?.issuer === server?.issuer && (await this.#hasUsableKey(tokens)) ? tokens : undefined;
    if (version !== this.#version) return;
    this.server = server;
    this.#replace(usable);
  }

  /** A key that is not valid makes the whole record invalid. */
  async #hasUsableKey(tokens: TokenSet | undefined): Promise<boolean> {
    try {
      if (tokens) await dpopKeyOf(tokens);
      return true;
    } catch (error) {
      if (this.#unusable !== tokens?.accessToken) this.records.onerror?.(error as Error);
      this.#unusable = tokens?.accessToken;
      return false;
    }
  }

  /**
   * Keeps new tokens, in memory even when the store fails: a refresh token that was replaced cannot be used again.
   * @throws AuthorizationError `store-failed`
   */
  async save(tokens: TokenSet, server: ServerRecord, origin: TokenOrigin): Promise<void> {
    const before = this.server;
    this.#version++;
    this.#replace(tokens);
    this.server = server;
    this.#unproven = { origin, at: performance.now() };
    const lifetimeMs = tokens.expiresAt === undefined ? Infinity : tokens.expiresAt - Date.now();
    // Tokens that live for seconds are not refreshed for each request.
    this.#skewMs = Math.max(0, Math.min(skewMs, lifetimeMs / 5));
    this.#isUnsaved = true;
    await this.#write(tokens, server);
    if (before && before.issuer !== server.issuer) await this.records.delete(tokensRecord, before.issuer, this.url);
  }

  /** Forgets the tokens, but not the server. @throws AuthorizationError `store-failed` */
  async dropTokens(): Promise<void> {
    const issuer = this.server?.issuer;
    this.#forgetTokens();
    if (issuer !== undefined) await this.records.delete(tokensRecord, issuer, this.url);
  }

  /** Forgets all. @throws AuthorizationError `store-failed` */
  async clear(): Promise<void> {
    await this.dropTokens();
    this.server = undefined;
    await this.records.delete(serverRecord, this.url);
  }

  async saveServer(server: ServerRecord): Promise<void> {
    this.#version++;
    this.server = server;
    await this.records.write(serverRecord, [this.url], server);
  }

  /** Notes that a log-in has been started that finishes in another request. @throws AuthorizationError `store-failed` */
  async addPendingLogin(operation: string | undefined): Promise<void> {
    const { server } = this;
    if (server) await this.saveServer({ ...server, stepUps: withPendingStepUp(server.stepUps, operation) });
  }

  /** Whether there are tokens that need no refresh. Tokens without expiry never do. */
  get isFresh(): boolean {
    return this.#lasts(this.#skewMs);
  }

  /** Whether the tokens have not expired. */
  get isValid(): boolean {
    return this.#lasts(0);
  }

  /** Returns the tokens with this access token, which may be those before the current ones. */
  find(accessToken: string): TokenSet | undefined {
    return [this.tokens, this.#previous].find((tokens) => tokens?.accessToken === accessToken);
  }

  /** Whether there is another token than the one that the MCP server rejected. */
  hasOther(rejected: string | undefined): boolean {
    return this.tokens !== undefined && this.tokens.accessToken !== rejected;
  }

  /** The origin of tokens that were just issued, and that the MCP server has never accepted. */
  get unproven(): TokenOrigin | undefined {
    return this.#unproven && performance.now() - this.#unproven.at < newMs ? this.#unproven.origin : undefined;
  }

  /** The MCP server has accepted the tokens. */
  prove(): void {
    this.#unproven = undefined;
  }

  #lasts(ms: number): boolean {
    return this.tokens !== undefined && (this.tokens.expiresAt ?? Infinity) > Date.now() + ms;
  }

  #replace(tokens: TokenSet | undefined): void {
    const before = this.tokens;
    this.tokens = tokens;
    if (tokens?.accessToken === before?.accessToken) return;
    this.#previous = before;
    this.#unproven = undefined;
    this.#skewMs = skewMs;
  }

  #forgetTokens(): void {
    this.#version++;
    this.#isUnsaved = false;
    this.tokens = undefined;
    this.#previous = undefined;
    this.#unproven = undefined;
  }

  async #write(tokens: TokenSet, server: ServerRecord): Promise<void> {
    const version = this.#version;
    await this.records.write(serverRecord, [this.url], server);
    await this.records.write(tokensRecord, [tokens.issuer, this.url], tokens);
    if (version === this.#version) this.#isUnsaved = false;
  }
}
