import { isSdkError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { Authorizer, type WaitHook } from "./authorizer.js";
import type { FetchLike } from "./fetch-like.js";
import { hideCredentials, httpError, reasonOf } from "./http-error.js";
import type { HttpClientOptions } from "./options.js";
import { operationOf, type OutgoingRequest } from "./outgoing-request.js";
import { discard, readText } from "./response-body.js";
import { toAuthProvider } from "./to-auth-provider.js";

const maxRedirects = 5;

/** Sends HTTP requests to one server, with the user's headers and authorization, and never to another origin. */
export class AuthorizedFetch {
  readonly #fetch: FetchLike;
  readonly #init: RequestInit;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorizer: Authorizer | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` for an invalid `authProvider` */
  constructor(
    readonly url: URL,
    readonly options: HttpClientOptions,
    onWait: WaitHook = () => undefined,
  ) {
    const { authProvider, requestInit } = options;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#init = { ...requestInit, redirect: "manual" };
    this.#headers = Object.fromEntries(new Headers(requestInit?.headers));
    if (authProvider !== undefined)
      this.#authorizer = new Authorizer(toAuthProvider(authProvider), url, this.#fetch, onWait);
  }

  /** The current token. */
  token(): unknown {
    return this.#authorizer?.token();
  }

  /**
   * Returns a response of any status; 401 and `insufficient_scope` only when authorization has ended.
   * @throws SdkError `SEND_FAILED` without a response or token, `HTTP_ERROR` for a redirect that is not followed
   * @throws SdkError `AUTHORIZATION_FAILED`, `UNAUTHORIZED`, `INSUFFICIENT_SCOPE`, `INVALID_CONFIGURATION` of the provider
   */
  async send(request: OutgoingRequest, url = this.url): Promise<Response> {
    const send = (): Promise<Response> =>
      this.#authorizer
        ? this.#authorizer.send(request, (token) => this.#follow(request, url, token))
        : this.#follow(request, url);
    try {
      return await send();
    } catch (error) {
      // A response may arrive twice; if it does not arrive at all, its request waits in vain.
      if (request.method !== "POST" || operationOf(request.message) || !isSdkError(error, "SEND_FAILED")) throw error;
      return send();
    }
  }

  /** @throws SdkError `HTTP_ERROR` for a response that contains no message */
  async throwHttpError(request: OutgoingRequest, response: Response, why?: string, url = this.url): Promise<never> {
    const body = await readText(response, 2 ** 16, "cut").catch(() => "");
    throw httpError(request.method, url, response, body, why);
  }

  async #follow(request: OutgoingRequest, start: URL, token?: string): Promise<Response> {
    const { method, body, signal } = request;
    for (let url = start, redirects = 0; ; redirects++) {
      const authorized = { method, url, server: this.url };
      const authorization = await this.#authorizer?.headers(token, authorized, signal);
      const headers = { ...this.#headers, ...request.headers, ...authorization };
      const response = await this.#once({ ...this.#init, method, headers, body: body ?? null, signal }, url);
      hideCredentials(response, authorization);
      await this.#authorizer?.inspect(response, authorized, signal);
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
