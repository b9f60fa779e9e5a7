import { parseServerUrl } from "../../http-client/server-url.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { AuthorizationError } from "../auth-errors.js";
import type { ClientIdentityOptions } from "../client-identity/client-identity-options.js";
import { assertRedirectUri } from "../client-identity/redirect-uri.js";
import { AuthorizationCodeGrant } from "../grants/authorization-code.js";
import type { StartedLogin } from "../grants/authorization-code.js";
import type { AuthorizationInteraction } from "../grants/authorization-interaction.js";
import type { AuthorizationParameters } from "../grants/authorization-request.js";
import type { OAuthOptions } from "../oauth-options.js";
import { OAuthProvider } from "./oauth-provider.js";

export interface AuthorizationCodeOptions extends OAuthOptions, ClientIdentityOptions {
  /**
   * Where the authorization server sends the user afterwards: an https URL of the application, http on a loopback address, or a
   * scheme of the application. Required without `interaction`.
   */
  readonly redirectUri?: string;
  /**
   * Shows the authorization page and receives the callback while the request waits. Default: none; the request fails with an
   * `UnauthorizedError` that has the URL of the page.
   */
  readonly interaction?: AuthorizationInteraction;
  /**
   * Additional parameters of authorization requests, such as `login_hint`, or those that an authorization server has of its own.
   * Default: none, but `prompt: "consent"` together with the scope `offline_access`, which OpenID Connect demands.
   */
  readonly authorizationParameters?: AuthorizationParameters;
}

export interface StartOptions {
  /** The `WWW-Authenticate` header of a rejected request, which may name scopes. Default: none. */
  readonly wwwAuthenticate?: string;
  readonly signal?: AbortSignal;
}

/**
 * Lets a user log in (RFC 6749, section 4.1, with PKCE): for web servers and web pages, where the callback arrives in another
 * request than the one that needs the log-in. For programs on the user's device there is `InteractiveProvider` in `/auth/node`.
 *
 * A request that needs a log-in fails with an `UnauthorizedError`. Send the user to its `data.authorizationUrl`, pass the URL of the
 * callback to `finish`, and send the request again. Log-ins in progress are in the store, so that another process can finish
 * them; each can be finished once, within 10 minutes.
 *
 * @example A web server, with one store per user
 * ```ts
 * const providerOf = (user: string) =>
 *   new AuthorizationCodeProvider({
 *     redirectUri: "https://app.example.com/callback",
 *     clientName: "Example",
 *     store: storeOfUser(store, user),
 *     registrationStore: store,
 *   });
 *
 * // In the handler that calls a tool:
 * try {
 *   await client.connect(new StreamableHTTPClientTransport(server, { authProvider: providerOf(user) }));
 * } catch (error) {
 *   if (!(error instanceof UnauthorizedError) || !error.data.authorizationUrl) throw error;
 *   return Response.redirect(error.data.authorizationUrl);
 * }
 *
 * // In the handler of /callback:
 * await providerOf(user).finish(request.url);
 * ```
 *
 * @example A web page
 * ```ts
 * const provider = new AuthorizationCodeProvider({
 *   redirectUri: `${location.origin}/`,
 *   clientName: "Example",
 *   store: new WebStorageCredentialStore(sessionStorage),
 * });
 * if (new URLSearchParams(location.search).has("state")) {
 *   await provider.finish(location.href);
 *   history.replaceState(null, "", "/");
 * }
 * ```
 */
export class AuthorizationCodeProvider extends OAuthProvider {
  readonly #grant: AuthorizationCodeGrant;
  readonly #redirectUri: string | undefined;
  #closed = new AbortController();

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: AuthorizationCodeOptions) {
    const { redirectUri, interaction } = options;
    if (redirectUri !== undefined || !interaction) assertRedirectUri(redirectUri);
    const grant = new AuthorizationCodeGrant({ ...options, interaction: interaction ?? deferred(redirectUri ?? "") });
    super(grant, options);
    this.#grant = grant;
    this.#redirectUri = redirectUri;
  }

  /**
   * Starts a log-in before a request needs it, or without a request: returns the URL of the page to which to send the user. Tokens
   * that exist stay in use until the log-in has finished.
   * @param serverUrl the URL of the MCP server
   * @throws AuthorizationError
   */
  async start(serverUrl: string | URL, { wwwAuthenticate, signal }: StartOptions = {}): Promise<StartedLogin> {
    const redirectUri = this.#redirectUri;
    if (redirectUri === undefined)
      throw new SdkError("INVALID_CONFIGURATION", "start() needs the option redirectUri, to which the user returns");
    const session = this.session(parseServerUrl(serverUrl));
    const context = await session.prepare(wwwAuthenticate, this.#signal(signal));
    return this.#grant.start(context, redirectUri);
  }

  /**
   * Finishes a log-in that this provider, or another one with the same store, has started. Requests that wait for it continue.
   * @param callbackUrl the URL to which the authorization server has sent the user; a path such as `/callback?code=…` is resolved
   * against `redirectUri`
   * @returns the URL of the MCP server
   * @throws AuthorizationError `state-mismatch` for an unknown, expired or finished log-in, `callback-invalid`, `issuer-mismatch`,
   * `denied` when the user refused, `token-refused`, `token-invalid`, `unreachable`, `store-failed`
   */
  async finish(callbackUrl: string | URL, { signal }: { readonly signal?: AbortSignal } = {}): Promise<URL> {
    const context = { store: this.store, signal: this.#signal(signal) };
    const { flow, tokens } = await this.#grant.finish(callbackUrl, this.#redirectUri, context);
    const url = new URL(flow.url);
    await this.session(url).accept(tokens, { scopes: flow.scopes, resource: flow.server.resource });
    return url;
  }

  override async close(): Promise<void> {
    this.#closed.abort(new AuthorizationError("abandoned", "the provider was closed"));
    this.#closed = new AbortController();
    await super.close();
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([this.#closed.signal, signal]) : this.#closed.signal;
  }
}

/** The callback arrives in another request. */
function deferred(redirectUri: string): AuthorizationInteraction {
  const active = {
    redirectUri,
    authorize: () => Promise.resolve(undefined),
    end: () => undefined,
  };
  return { begin: () => Promise.resolve(active) };
}
