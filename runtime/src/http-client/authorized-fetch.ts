import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import type { AuthChallenge } from "./auth-provider.js";
import type { FetchLike } from "./fetch-like.js";
import { httpError, reasonOf } from "./http-error.js";
import type { HttpClientOptions } from "./options.js";
import { discard, readText } from "./response-body.js";

const maxRedirects = 5;
/** The most challenges for authorization that one request may get. */
const maxChallenges = 3;

export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends HTTP requests to one server, with the user's headers and authorization, and never to another origin. */
export class AuthorizedFetch {
  readonly #fetch: FetchLike;
  readonly #init: RequestInit;
  readonly #headers: Readonly<Record<string, string>>;
  /** The authorization in progress. */
  #authorizing: Promise<unknown> | undefined;

  constructor(
    readonly url: URL,
    readonly options: HttpClientOptions,
  ) {
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#init = { ...options.requestInit, redirect: "manual" };
    this.#headers = Object.fromEntries(new Headers(options.requestInit?.headers));
  }

  /**
   * Returns a response of any status; 401 and `insufficient_scope` only when authorization has ended.
   * @throws SdkError `SEND_FAILED` without a response, `HTTP_ERROR` for a redirect that is not followed
   */
  async send(request: OutgoingRequest, url = this.url): Promise<Response> {
    const { authProvider } = this.options;
    if (!authProvider) return this.#follow(request, url, undefined);
    for (let challenges = 0; ; challenges++) {
      // Another request may be getting a better token.
      await this.#authorizing?.catch(() => undefined);
      const token = await authProvider.token();
      const response = await this.#follow(request, url, token);
      if (challenges >= maxChallenges || !authProvider.onUnauthorized || !isChallenge(response)) return response;
      // Another request has got a new token in the meantime.
      if (!this.#authorizing && (await authProvider.token()) !== token) discard(response);
      else if (!(await this.#authorize(url, response, token))) return response;
    }
  }

  /** @throws SdkError `HTTP_ERROR` for a response that contains no message */
  async throwHttpError(request: OutgoingRequest, response: Response, why?: string, url = this.url): Promise<never> {
    const body = await readText(response, 2 ** 16, "cut").catch(() => "");
    throw httpError(request.method, url, response, body, why);
  }

  async #authorize(url: URL, response: Response, token: string | undefined): Promise<boolean> {
    const challenge: AuthChallenge = {
      status: response.status,
      wwwAuthenticate: response.headers.get("www-authenticate") ?? undefined,
      url,
      token,
      operation: undefined,
      response,
      fetch: this.#fetch,
    };
    this.#authorizing ??= Promise.resolve()
      .then(() => this.options.authProvider?.onUnauthorized?.(challenge))
      .finally(() => (this.#authorizing = undefined));
    const again = (await this.#authorizing) !== false;
    if (again) discard(response);
    return again;
  }

  async #follow(request: OutgoingRequest, start: URL, token: string | undefined): Promise<Response> {
    const headers = { ...this.#headers, ...request.headers };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    const init = { ...this.#init, ...request, headers };
    for (let url = start, redirects = 0; ; redirects++) {
      const response = await this.#once(init, url);
      const { status, type } = response;
      if (type !== "opaqueredirect" && (status < 300 || status > 399 || status === 304)) return response;
      const location = response.headers.get("location");
      const target = location === null ? undefined : parseUrl(location, url);
      // Only 307 and 308 keep the method and the body.
      if (target?.origin !== start.origin || (status !== 307 && status !== 308) || redirects >= maxRedirects)
        return this.throwHttpError(
          request,
          response,
          `redirects to ${target?.href ?? "another URL"}; connect to that instead`,
          url,
        );
      discard(response);
      url = target;
    }
  }

  async #once(init: RequestInit, url: URL): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      const where = `${init.method ?? ""} ${url.origin}${url.pathname}`;
      // A browser hides responses of another origin that does not allow the request.
      const page = (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin;
      if (page !== undefined && page !== url.origin && error instanceof TypeError)
        throw new SdkError(
          "HTTP_ERROR",
          `${where}: no response, or one that the browser hides (CORS)`,
          {
            status: 0,
            url: String(url),
            body: "",
          },
          { cause: error },
        );
      throw new SdkError("SEND_FAILED", `${where}: ${reasonOf(error)}`, { url: String(url) }, { cause: error });
    }
  }
}

function isChallenge({ status, headers }: Response): boolean {
  return status === 401 || (status === 403 && /insufficient_scope/i.test(headers.get("www-authenticate") ?? ""));
}
