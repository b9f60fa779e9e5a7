import type { PendingAuthorization } from "./proxy-pages.js";
import { hashOf, randomSecret } from "./random-ids.js";
import type { SealedRecords } from "./sealed-records.js";

/** A consent that a user has given. */
export interface ConsentRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The `Date.now()` at which it was given. */
  readonly givenAt: number;
  /** Whether the user wants not to be asked again. */
  readonly isRemembered: boolean;
}

/** A browser whose user wants not to be asked again. */
export interface BrowserRecord {
  readonly accountId: string;
}

/**
 * The consents that users have given, each for one client, redirect URI and set of scopes, and the browsers that remember them. A browser
 * is known by a secret, of which the store has the hash.
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
    const accountId = (await this.#browsers.get(hashOf(browserSecret)))?.accountId;
    if (accountId === undefined) return undefined;
    const consent = await this.#consents.get(consentId(accountId, pending));
    return consent?.isRemembered === true ? accountId : undefined;
  }

  /** Adds a consent. @param endsAt the `Date.now()` at which the user is asked again */
  async add(accountId: string, pending: PendingAuthorization, isRemembered: boolean, endsAt: number): Promise<void> {
    const { clientId, redirectUri, scopes } = pending;
    const record = { clientId, redirectUri, scopes, givenAt: Date.now(), isRemembered };
    await this.#consents.set(consentId(accountId, pending), record, endsAt, accountId);
  }

  /** Makes a browser known. @returns its secret, for a cookie */
  async rememberBrowser(accountId: string, endsAt: number): Promise<string> {
    const secret = randomSecret();
    await this.#browsers.set(hashOf(secret), { accountId }, endsAt, accountId);
    return secret;
  }

  async forgetBrowser(browserSecret: string): Promise<void> {
    await this.#browsers.delete(hashOf(browserSecret));
  }
}

function consentId(accountId: string, { clientId, redirectUri, scopes }: PendingAuthorization): string {
  return hashOf(accountId, clientId, redirectUri, ...[...scopes].sort());
}
