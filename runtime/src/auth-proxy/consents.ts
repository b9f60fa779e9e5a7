import type { PendingAuthorization } from "./proxy-pages.js";
import { hashOf, randomSecret } from "./random-ids.js";
import type { SealedRecords } from "./sealed-records.js";

/** A consent that a user has given, and wants to be remembered. */
export interface ConsentRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The `Date.now()` at which it was given. */
  readonly givenAt: number;
}

/** A browser that remembers consents. */
export interface BrowserRecord {
  readonly accountId: string;
}

/**
 * The consents that users want to be remembered, each in one browser, for one client, redirect URI and set of scopes. A browser is known
 * by a secret, of which the store has the hash, and remembers the consents of one user.
 */
export class Consents {
  readonly #consents: SealedRecords<ConsentRecord>;
  readonly #browsers: SealedRecords<BrowserRecord>;

  constructor(consents: SealedRecords<ConsentRecord>, browsers: SealedRecords<BrowserRecord>) {
    this.#consents = consents;
    this.#browsers = browsers;
  }

  /** Returns the account that has consented in this browser to exactly this request, and wants not to be asked again. */
  async accountFor(browserSecret: string, pending: PendingAuthorization): Promise<string | undefined> {
    const accountId = await this.#accountOf(browserSecret);
    if (accountId === undefined) return undefined;
    const consent = await this.#consents.get(consentId(browserSecret, accountId, pending));
    return consent && accountId;
  }

  /**
   * Remembers a consent.
   * @param browserSecret that of the browser's cookie; undefined when it has none
   * @param endsAt the `Date.now()` at which the user is asked again
   * @returns the secret of the browser, for its cookie
   */
  async remember(
    accountId: string,
    pending: PendingAuthorization,
    browserSecret: string | undefined,
    endsAt: number,
  ): Promise<string> {
    const isOwn = browserSecret !== undefined && (await this.#accountOf(browserSecret)) === accountId;
    const secret = isOwn ? browserSecret : randomSecret();
    const { clientId, redirectUri, scopes } = pending;
    const record = { clientId, redirectUri, scopes, givenAt: Date.now() };
    await this.#consents.set(consentId(secret, accountId, pending), record, endsAt, accountId);
    await this.#browsers.set(hashOf(secret), { accountId }, endsAt, accountId);
    return secret;
  }

  async forgetBrowser(browserSecret: string): Promise<void> {
    await this.#browsers.delete(hashOf(browserSecret));
  }

  async #accountOf(browserSecret: string): Promise<string | undefined> {
    return (await this.#browsers.get(hashOf(browserSecret)))?.accountId;
  }
}

function consentId(
  browserSecret: string,
  accountId: string,
  { clientId, redirectUri, scopes }: PendingAuthorization,
): string {
  return hashOf(hashOf(browserSecret), accountId, clientId, redirectUri, ...[...scopes].sort());
}
