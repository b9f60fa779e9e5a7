import { setTimeout as sleep } from "node:timers/promises";
import type { ProxyStore } from "./proxy-store.js";
import { hashOf } from "./random-ids.js";
import type { SealedRecords } from "./sealed-records.js";
import { callUpstream } from "./upstream-calls.js";
import { UpstreamError } from "./upstream-error.js";
import type { UpstreamLogin, UpstreamProvider, UpstreamTokenSet } from "./upstream-provider.js";

/** The provider's tokens of one account. */
export interface TokenRecord extends UpstreamTokenSet {
  /** The user at the provider. */
  readonly issuer: string;
  readonly subject: string;
  /** The `Date.now()` after which no MCP token of the log-in can be valid. */
  readonly endsAt: number;
}

/** The provider's access token of a user. Use it in tools; never return it to the client. */
export interface UpstreamAccess {
  readonly accessToken: string;
  /** The `Date.now()` at which it ends; undefined when the provider does not state it. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
  /** The issuer of the user's identity at the provider. */
  readonly issuer: string;
  /** The id of the user at the provider. */
  readonly subject: string;
}

export interface UpstreamTokensOptions {
  readonly timeoutMs: number;
  /** Milliseconds that the tokens of a log-in are kept. */
  readonly keepMs: number;
  /** Revokes the MCP tokens of an account. */
  readonly revokeAccount: (accountId: string) => void | Promise<void>;
}

/** Tokens that end sooner are refreshed. */
const marginMs = 60_000;
const permitKind = "UpstreamRefreshPermit";
const pollMs = 100;

/** The accounts' tokens at the provider, encrypted in the store. */
export class UpstreamTokens {
  readonly #refreshes = new Map<string, Promise<TokenRecord>>();

  constructor(
    readonly provider: UpstreamProvider,
    readonly store: ProxyStore,
    readonly records: SealedRecords<TokenRecord>,
    readonly options: UpstreamTokensOptions,
  ) {}

  /** Keeps the tokens of a log-in. @returns the id of the account: the same for each log-in of the user */
  async add({ user, tokens }: UpstreamLogin): Promise<string> {
    const { issuer, subject } = user;
    const accountId = accountIdOf(issuer, subject);
    // Some providers issue a refresh token only at the first log-in.
    const refreshToken = tokens.refreshToken ?? (await this.records.get(accountId))?.refreshToken;
    await this.#save(accountId, { ...tokens, refreshToken, issuer, subject, endsAt: Date.now() + this.options.keepMs });
    await this.#permit(accountId);
    return accountId;
  }

  /**
   * Returns the access token of an account, refreshed when it has expired.
   * @param rejected an access token that the provider's API has refused: it is not returned again
   * @throws UpstreamError `login-required`, `unreachable`, `refused`, `invalid`
   */
  async of(accountId: string, rejected?: string): Promise<UpstreamAccess> {
    const record = await this.records.get(accountId);
    if (!record) return this.#end(accountId, "there are no tokens");
    if (isUsable(record, rejected)) return toAccess(record);
    const running = this.#refreshes.get(accountId);
    if (running) {
      const found = await running;
      // The caller that started it may not know yet that the token was refused.
      return found.accessToken === rejected ? this.of(accountId, rejected) : toAccess(found);
    }
    const refresh = this.#refresh(accountId, rejected).finally(() => this.#refreshes.delete(accountId));
    this.#refreshes.set(accountId, refresh);
    return toAccess(await refresh);
  }

  /** Refreshes unless another process has. The permit, which one process can take, keeps two from using one refresh token. */
  async #refresh(accountId: string, rejected: string | undefined): Promise<TokenRecord> {
    const lastTry = Date.now() + this.options.timeoutMs * 4;
    // A process that ended with the permit must not keep it.
    while ((await this.store.take(permitKind, accountId)) === undefined && Date.now() < lastTry) {
      await sleep(pollMs);
      const record = await this.records.get(accountId);
      if (!record) return this.#end(accountId, "there are no tokens");
      if (isUsable(record, rejected)) return record;
    }
    try {
      return await this.#refreshAlone(accountId, rejected);
    } finally {
      await this.#permit(accountId);
    }
  }

  async #refreshAlone(accountId: string, rejected: string | undefined): Promise<TokenRecord> {
    const record = await this.records.get(accountId);
    if (!record) return this.#end(accountId, "there are no tokens");
    if (isUsable(record, rejected)) return record;
    const { refreshToken } = record;
    if (refreshToken === undefined)
      return this.#end(
        accountId,
        record.accessToken === rejected ? "the access token was revoked" : "the access token has expired",
      );
    try {
      const tokens = await callUpstream(this.provider, this.options.timeoutMs, (context) =>
        this.provider.refresh(refreshToken, context),
      );
      const newer = await this.#newerThan(record, accountId);
      if (newer) return newer;
      const { issuer, subject, endsAt } = record;
      const fresh = { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken, issuer, subject, endsAt };
      await this.#save(accountId, fresh);
      return fresh;
    } catch (error) {
      const newer = error instanceof UpstreamError ? await this.#newerThan(record, accountId) : undefined;
      if (newer) return newer;
      if (error instanceof UpstreamError && error.reason === "login-required")
        return this.#end(accountId, "the provider no longer accepts the log-in");
      // A token that is about to end still serves this request.
      const { expiresAt = 0 } = record;
      if (error instanceof UpstreamError && record.accessToken !== rejected && expiresAt > Date.now()) return record;
      throw error;
    }
  }

  /** The tokens of a log-in that took place while those of an earlier one were refreshed: they stay. */
  async #newerThan({ accessToken }: TokenRecord, accountId: string): Promise<TokenRecord | undefined> {
    const current = await this.records.get(accountId);
    return current?.accessToken === accessToken ? undefined : current;
  }

  /** Ends the log-in of an account, so that the clients of the user start a new one. */
  async #end(accountId: string, why: string): Promise<never> {
    await this.options.revokeAccount(accountId);
    await this.records.delete(accountId);
    const { name } = this.provider;
    throw new UpstreamError(
      "login-required",
      `the user has to log in at ${name} again: ${why}. The MCP tokens of the account were revoked, so that the client starts a new log-in with its next request`,
    );
  }

  async #save(accountId: string, record: TokenRecord): Promise<void> {
    await this.records.set(accountId, record, record.endsAt, accountId);
  }

  async #permit(accountId: string): Promise<void> {
    await this.store.set(permitKind, accountId, "1", Date.now() + this.options.keepMs, accountId);
  }
}

/** The id of an account: names the user of an issuer, and reveals neither. */
export function accountIdOf(issuer: string, subject: string): string {
  return hashOf("account", issuer, subject);
}

function isUsable({ accessToken, expiresAt = Infinity }: TokenRecord, rejected: string | undefined): boolean {
  return accessToken !== rejected && expiresAt > Date.now() + marginMs;
}

function toAccess({ accessToken, expiresAt, scopes, issuer, subject }: TokenRecord): UpstreamAccess {
  return { accessToken, expiresAt, scopes, issuer, subject };
}
