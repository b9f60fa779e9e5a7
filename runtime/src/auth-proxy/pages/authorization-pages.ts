import type { IncomingMessage, ServerResponse } from "node:http";
import { pathAndQuery, targetOf } from "../../node/request-target.js";
import type { Consents } from "../consents.js";
import { paths } from "../endpoints.js";
import type { OAuthProxyOptions } from "../oauth-proxy-options.js";
import { OAuthFailure } from "../oauth-failure.js";
import type { AuthorizationFailure, PendingAuthorization, PendingAuthorizations, ProxyPages } from "../proxy-pages.js";
import { hashOf, isSameText, randomSecret } from "../random-ids.js";
import { receivedBody } from "../received-body.js";
import { UpstreamError } from "../upstream-error.js";
import type { CallbackProblem, LoginRecord, LoginStart, UpstreamLogins } from "../upstream-logins.js";
import type { UpstreamLogin } from "../upstream-provider.js";
import { accountIdOf, type UpstreamTokens } from "../upstream-tokens.js";
import { type BrowserCookies, cookieNameOf } from "./browser-cookies.js";
import { clientNameOf, consentPage, isWebRedirect } from "./consent-page.js";
import { sendContinue, sendPage, sendProblem, sendRedirect } from "./page.js";

/** What the pages work with. */
export interface AuthorizationPagesParts {
  readonly options: OAuthProxyOptions;
  readonly basePath: string;
  readonly pending: PendingAuthorizations;
  readonly cookies: BrowserCookies;
  readonly consents: Consents;
  readonly logins: UpstreamLogins;
  readonly tokens: UpstreamTokens;
  readonly report: (error: unknown) => void;
}

/** The cookie of a browser that remembers consents. */
const browserCookie = "browser";
const formType = "application/x-www-form-urlencoded";
const maxFormBytes = 4_096;
const dayMs = 86_400_000;

/** The characters that an `error_description` does not have (RFC 6749, section 4.1.2.1). */
const notInDescription = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

const expired = "This log-in has expired, or was started in another browser.";

const callbackProblems: Readonly<Record<CallbackProblem, string>> = {
  "no-state": "The response of the log-in page is not valid.",
  "unknown-state": "This log-in has expired, or was used already.",
  "other-browser": "This log-in was started in another browser.",
};

/**
 * The pages between an authorization request and its response: first the consent of the user for this client, then the log-in at the
 * provider, then back to the client (MCP, security best practices: confused deputy).
 */
export class AuthorizationPages implements ProxyPages {
  readonly #parts: AuthorizationPagesParts;

  constructor(parts: AuthorizationPagesParts) {
    this.#parts = parts;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [received = "/", ...rest] = pathAndQuery(targetOf(request)).split("?");
    const path = received.slice(this.#parts.basePath.length);
    if (path === paths.callback) {
      // Programs that look at links in advance do not use up the response of the provider.
      if (request.method !== "GET") throw new OAuthFailure(405, "invalid_request", "use GET here", { allow: "GET" });
      if (isPrefetch(request)) sendProblem(response, 503, "This page cannot be loaded in advance.");
      else await this.#return(request, response, new URLSearchParams(rest.join("?")));
      return true;
    }
    if (!path.startsWith(`${paths.consent}/`)) return false;
    const pending = await this.#parts.pending.ofBrowser(request, response);
    if (!pending) sendProblem(response, 400, expired);
    else if (request.method === "POST") await this.#decide(request, response, pending);
    else await this.#ask(request, response, pending);
    return true;
  }

  /** Shows the consent page, unless the user has consented to exactly this request in this browser. Changes nothing. */
  async #ask(request: IncomingMessage, response: ServerResponse, pending: PendingAuthorization): Promise<void> {
    const { cookies, consents, options } = this.#parts;
    const browser = cookies.read(request, browserCookie);
    const mayRemember = this.#rememberDays(pending) !== undefined && !pending.promptsConsent && isVisit(request);
    if (browser !== undefined && mayRemember) {
      const consentOf = await consents.accountFor(browser, pending);
      if (consentOf !== undefined) {
        const begun = await this.#begin(request, response, pending, { isRemembered: false, consentOf });
        if (begun) sendRedirect(response, begun.url, begun.cookies);
        return;
      }
    }
    const formCookie = cookieNameOf("form", pending.uid);
    const secret = cookies.read(request, formCookie) ?? randomSecret();
    const maxAgeSeconds = (pending.expiresAt - Date.now()) / 1_000;
    sendPage(response, {
      status: 200,
      title: `Allow ${clientNameOf(pending)}?`,
      content: consentPage({
        pending,
        options,
        csrf: csrfOf(secret, pending),
        rememberDays: this.#rememberDays(pending),
      }),
      cookies: [...cookies.clearOldest(request, "form"), cookies.set(formCookie, secret, maxAgeSeconds)],
    });
  }

  /** Handles the form of the consent page. */
  async #decide(request: IncomingMessage, response: ServerResponse, pending: PendingAuthorization): Promise<void> {
    const { cookies } = this.#parts;
    if (!request.headers["content-type"]?.toLowerCase().startsWith(formType))
      throw new OAuthFailure(415, "invalid_request", `send the form as ${formType}`);
    const form = new URLSearchParams(await receivedBody(request, maxFormBytes));
    const secret = cookies.read(request, cookieNameOf("form", pending.uid));
    const [csrf = ""] = form.getAll("csrf");
    if (
      secret === undefined ||
      !isSameText(csrf, csrfOf(secret, pending)) ||
      !isOwnOrigin(request, new URL(this.#parts.options.issuer).origin)
    ) {
      sendProblem(response, 403, "The answer did not come from the page of this server in this browser.");
      return;
    }
    const decision = form.getAll("decision").join();
    if (decision === "deny") {
      const url = await this.#parts.pending.refuse(pending.uid, "access_denied", "the user denied the request");
      if (url === undefined) sendProblem(response, 400, expired);
      else sendContinue(response, "Denied", url);
      return;
    }
    if (decision !== "allow") {
      sendProblem(response, 400, "The answer was neither Allow nor Deny.");
      return;
    }
    const isRemembered = form.get("remember") === "yes" && this.#rememberDays(pending) !== undefined;
    const begun = await this.#begin(request, response, pending, { isRemembered });
    if (begun) sendContinue(response, `Log in at ${this.#parts.options.upstream.name}`, begun.url, begun.cookies);
  }

  /** Begins the log-in at the provider, or ends the authorization when that is not possible. */
  async #begin(
    request: IncomingMessage,
    response: ServerResponse,
    pending: PendingAuthorization,
    start: LoginStart,
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] } | undefined> {
    const { logins, cookies } = this.#parts;
    try {
      const { url, cookieName, cookieValue, maxAgeSeconds } = await logins.start(pending, start);
      return {
        url: url.href,
        cookies: [...cookies.clearOldest(request, "login"), cookies.set(cookieName, cookieValue, maxAgeSeconds)],
      };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const url = await this.#failed(pending.uid, error);
      if (url === undefined) sendProblem(response, 400, expired);
      return url === undefined ? undefined : { url, cookies: [] };
    }
  }

  /** The user returns from the provider. */
  async #return(request: IncomingMessage, response: ServerResponse, parameters: URLSearchParams): Promise<void> {
    const { logins, cookies, pending: waiting, tokens } = this.#parts;
    const returned = await logins.returned(parameters, (name) => cookies.read(request, name));
    if (typeof returned === "string") {
      sendProblem(response, 400, callbackProblems[returned]);
      return;
    }
    const { record, cookieName } = returned;
    const { browserHash } = record;
    const used = [cookies.clear(cookieName)];
    const pending = await waiting.find(record.uid);
    if (!pending) {
      sendProblem(response, 400, expired, used);
      return;
    }
    let login: UpstreamLogin;
    try {
      login = await returned.finish();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const url = await this.#failed(record.uid, error);
      if (url === undefined) sendProblem(response, 400, expired, used);
      else sendRedirect(response, url, used);
      return;
    }
    // Another user has not consented yet: the tokens are not kept.
    if (record.consentOf !== undefined && record.consentOf !== accountIdOf(login.user.issuer, login.user.subject))
      return this.#askAnotherUser(request, response, pending, used);
    const accountId = await tokens.add(login);
    const remembered = await this.#remember(request, accountId, pending, record);
    const url = await waiting.approve(record.uid, accountId, pending.scopes, { cookieName, browserHash });
    if (url === undefined) {
      sendProblem(response, 400, expired, used);
      return;
    }
    // The engine clears the cookie of the log-in when it has given the code to this browser.
    sendRedirect(response, url, remembered);
  }

  /** Another user has logged in than the one who had consented in this browser. */
  async #askAnotherUser(
    request: IncomingMessage,
    response: ServerResponse,
    { uid }: PendingAuthorization,
    used: readonly string[],
  ): Promise<void> {
    const { cookies, consents, basePath } = this.#parts;
    const browser = cookies.read(request, browserCookie);
    if (browser !== undefined) await consents.forgetBrowser(browser);
    sendRedirect(response, `${basePath}${paths.consent}/${uid}`, [...used, cookies.clear(browserCookie)]);
  }

  /** @returns the cookies to set */
  async #remember(
    request: IncomingMessage,
    accountId: string,
    pending: PendingAuthorization,
    { isRemembered }: LoginRecord,
  ): Promise<readonly string[]> {
    const { consents, cookies } = this.#parts;
    const days = this.#rememberDays(pending);
    if (!isRemembered || days === undefined) return [];
    const browser = cookies.read(request, browserCookie);
    const secret = await consents.remember(accountId, pending, browser, Date.now() + days * dayMs);
    return [cookies.set(browserCookie, secret, days * 86_400)];
  }

  /** Ends an authorization with the error of the provider. @returns the URL that gives the client an error */
  async #failed(uid: string, error: UpstreamError): Promise<string | undefined> {
    const { pending, options, report } = this.#parts;
    const { name } = options.upstream;
    const refuse = (code: AuthorizationFailure, description: string): Promise<string | undefined> =>
      pending.refuse(uid, code, description.replace(notInDescription, "?"));
    if (error.reason === "denied") return refuse("access_denied", error.message);
    report(error);
    if (error.reason === "unreachable")
      return refuse("temporarily_unavailable", `${name} does not respond; try again later`);
    return refuse("server_error", `the log-in at ${name} failed`);
  }

  /**
   * The days for which a consent can be remembered. Undefined when the user is asked each time: other programs on the user's device can
   * receive the codes of such a client (RFC 8252, section 8.6).
   */
  #rememberDays({ redirectUri }: PendingAuthorization): number | undefined {
    const { rememberConsentDays = 30 } = this.#parts.options;
    return rememberConsentDays > 0 && isWebRedirect(redirectUri) ? rememberConsentDays : undefined;
  }
}

/** Binds a form to this browser and to one authorization request. */
function csrfOf(secret: string, { uid }: PendingAuthorization): string {
  return hashOf("csrf", secret, uid);
}

/** Whether a user sees the response: a page in a tab, neither loaded in advance nor in a frame. */
function isVisit(request: IncomingMessage): boolean {
  const { "sec-fetch-dest": target } = request.headers;
  return !isPrefetch(request) && (target === undefined || target === "document");
}

function isPrefetch({ headers }: IncomingMessage): boolean {
  return /prefetch|prerender|preview/i.test(`${String(headers["sec-purpose"])} ${String(headers["purpose"])}`);
}

/**
 * Browsers say where a form comes from; older ones do not. The origin of a page that sends no referrer is `null`.
 * @param own the origin of the issuer
 */
function isOwnOrigin({ headers }: IncomingMessage, own: string): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || origin === "null" || origin === own;
}
