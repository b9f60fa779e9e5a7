import { cookieNameOf } from "./pages/browser-cookies.js";
import type { ApprovingBrowser, PendingAuthorization } from "./proxy-pages.js";
import { hashOf, isSameText, randomSecret } from "./random-ids.js";
import type { SealedRecords } from "./sealed-records.js";
import { callUpstream } from "./upstream-calls.js";
import { UpstreamError } from "./upstream-error.js";
import type { UpstreamLogin, UpstreamProvider } from "./upstream-provider.js";

/** A log-in at the provider that has begun, under the hash of its `state`. */
export interface LoginRecord extends Pick<ApprovingBrowser, "browserHash"> {
  readonly uid: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Whether the user wants not to be asked again. */
  readonly isRemembered: boolean;
  /** The account whose consent in this browser replaced the page; undefined when the user has answered the page. */
  readonly consentOf?: string | undefined;
}

/** How a log-in begins. */
export type LoginStart = Pick<LoginRecord, "isRemembered" | "consentOf">;

/** A log-in that was begun. */
export interface StartedUpstreamLogin {
  readonly url: URL;
  /** The name of the cookie that belongs to the log-in. */
  readonly cookieName: string;
  readonly cookieValue: string;
  readonly maxAgeSeconds: number;
}

/** A callback that belongs to a log-in of this browser. */
export interface ReturnedLogin {
  readonly record: LoginRecord;
  readonly cookieName: string;
  /** Checks the response of the provider and redeems its code. @throws UpstreamError */
  finish(): Promise<UpstreamLogin>;
}

export type CallbackProblem = "no-state" | "unknown-state" | "other-browser";

const maxLoginMs = 600_000;

/** The log-ins at the provider. */
export class UpstreamLogins {
  readonly #records: SealedRecords<LoginRecord>;
  readonly #provider: UpstreamProvider;
  readonly #redirectUri: string;
  readonly #timeoutMs: number;

  constructor(
    records: SealedRecords<LoginRecord>,
    provider: UpstreamProvider,
    options: { readonly redirectUri: string; readonly timeoutMs: number },
  ) {
    this.#records = records;
    this.#provider = provider;
    this.#redirectUri = options.redirectUri;
    this.#timeoutMs = options.timeoutMs;
  }

  /** Begins a log-in, after the consent; it replaces an earlier one of the same authorization. @throws UpstreamError */
  async start({ uid, expiresAt }: PendingAuthorization, start: LoginStart): Promise<StartedUpstreamLogin> {
    const request = {
      redirectUri: this.#redirectUri,
      state: randomSecret(),
      nonce: randomSecret(),
      codeVerifier: randomSecret(),
    };
    const url = await callUpstream(this.#provider, this.#timeoutMs, (context) =>
      this.#provider.authorizationUrl(request, context),
    );
    const cookieValue = randomSecret();
    const { nonce, codeVerifier, state } = request;
    const endsAt = Math.min(expiresAt, Date.now() + maxLoginMs);
    const record = { uid, browserHash: hashOf(cookieValue), nonce, codeVerifier, ...start };
    // One log-in per authorization: repeated answers of the page do not fill the store.
    const group = hashOf("authorization", uid);
    await this.#records.deleteGroup(group);
    await this.#records.set(hashOf(state), record, endsAt, group);
    return { url, cookieName: cookieNameOf("login", state), cookieValue, maxAgeSeconds: (endsAt - Date.now()) / 1_000 };
  }

  /**
   * Finds the log-in of a callback. It belongs to one browser and is used once; a callback in another browser does not use it up.
   * @param readCookie returns the value of a cookie of the browser
   */
  async returned(
    parameters: URLSearchParams,
    readCookie: (name: string) => string | undefined,
  ): Promise<ReturnedLogin | CallbackProblem> {
    const [state, ...others] = parameters.getAll("state");
    if (state === undefined || others.length > 0 || !/^[\w-]{43}$/.test(state)) return "no-state";
    const id = hashOf(state);
    const cookieName = cookieNameOf("login", state);
    const found = await this.#records.get(id);
    if (!found) return "unknown-state";
    const cookie = readCookie(cookieName);
    if (cookie === undefined || !isSameText(hashOf(cookie), found.browserHash)) return "other-browser";
    const record = await this.#records.take(id);
    if (!record) return "unknown-state";
    const { nonce, codeVerifier } = record;
    const response = { redirectUri: this.#redirectUri, state, nonce, codeVerifier, parameters };
    return {
      record,
      cookieName,
      finish: () =>
        callUpstream(this.#provider, this.#timeoutMs, async (context) =>
          this.#check(await this.#provider.finish(response, context)),
        ),
    };
  }

  /** Users without an id would share one account. @throws UpstreamError `invalid` */
  #check(login: UpstreamLogin): UpstreamLogin {
    const { issuer, subject } = login.user;
    const { accessToken } = login.tokens;
    for (const [name, value] of Object.entries<unknown>({ issuer, subject, accessToken }))
      if (typeof value !== "string" || value === "")
        throw new UpstreamError(
          "invalid",
          `the provider ${this.#provider.name} gave no ${name} of the user as a string`,
        );
    return login;
  }
}
