import type { AuthChallenge } from "../../http-client/auth-provider.js";
import { parseServerUrl } from "../../http-client/server-url.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { assertMethods } from "../../options/assert-methods.js";
import { stateMismatch } from "../grants/authorization-callback.js";
import type { ActiveInteraction } from "../grants/authorization-interaction.js";
import type { OAuthOptions } from "../oauth-options.js";
import { AuthorizationCodeProvider } from "../providers/authorization-code-provider.js";
import { parseScopes } from "../session/scopes.js";
import type { TokenSet } from "../tokens/token-set.js";
import type { OAuthClientProvider } from "./oauth-client-provider.js";
import { ProviderStore } from "./provider-store.js";

/** Options of `adaptOAuthClientProvider`; the others are members of the provider. */
export type AdaptedProviderOptions = Omit<OAuthOptions, "store" | "scopes" | "dpop">;

/** Members of the official interface that would be lost without an error, and what to use. */
const unsupported: Readonly<Record<string, string>> = {
  addClientAuthentication: "the option client of AuthorizationCodeProvider, with a secret or a privateKey",
  dpop: "AuthorizationCodeProvider, which binds tokens to a key by itself",
};

/** An adapted provider, and the options of the call that has adapted it. */
interface Adapted {
  readonly made: AdaptedOAuthProvider;
  readonly options: AdaptedProviderOptions;
}

const adapted = new WeakMap<OAuthClientProvider, Adapted>();

/**
 * Logs in with a provider that was written for the official SDK: it says where the user returns, shows the authorization page, and keeps the
 * credentials. All checks are those of `AuthorizationCodeProvider`: PKCE, the issuer, the resource, and the state.
 *
 * A request that needs a log-in calls `redirectToAuthorization`, and fails with an `UnauthorizedError`. Pass the callback to `finishAuth`,
 * and send the request again. For programs of your own, use `AuthorizationCodeProvider` or `InteractiveProvider`.
 * @param options apply to the provider from the first call on: later calls need none, and must not pass other values
 * @returns the same object for the same provider
 * @throws SdkError `INVALID_CONFIGURATION` for a provider without a `redirectUrl`, for one with `addClientAuthentication` or `dpop`, and for
 * options that differ from those of the first call
 * @example
 * ```ts
 * const authProvider = adaptOAuthClientProvider(new MyOAuthClientProvider());
 * try {
 *   await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
 * } catch (error) {
 *   if (!(error instanceof UnauthorizedError)) throw error;
 *   await authProvider.finishAuth(await receiveCallback());
 *   await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
 * }
 * ```
 */
export function adaptOAuthClientProvider(
  provider: OAuthClientProvider,
  options: AdaptedProviderOptions = {},
): AdaptedOAuthProvider {
  assertMethods(
    provider,
    ["tokens", "saveTokens", "clientInformation", "redirectToAuthorization", "codeVerifier", "saveCodeVerifier"],
    "pass an OAuthClientProvider",
  );
  const known = adapted.get(provider);
  if (known) {
    assertSame(options, known.options);
    return known.made;
  }
  const made = new AdaptedOAuthProvider(provider, options);
  adapted.set(provider, { made, options: { ...options } });
  return made;
}

function assertSame(options: AdaptedProviderOptions, first: AdaptedProviderOptions): void {
  const names = Object.keys(options) as (keyof AdaptedProviderOptions)[];
  const other = names.filter((name) => options[name] !== undefined && options[name] !== first[name]);
  if (other.length > 0)
    throw invalid(
      `adaptOAuthClientProvider has adapted this provider with another value of ${other.join(", ")}: pass options to its first call, and none to later ones`,
    );
}

/** The result of `adaptOAuthClientProvider`. */
export class AdaptedOAuthProvider extends AuthorizationCodeProvider {
  readonly #provider: OAuthClientProvider;
  readonly #ownStore: ProviderStore;

  /** @internal */
  constructor(provider: OAuthClientProvider, options: AdaptedProviderOptions) {
    const { clientMetadata, clientMetadataUrl } = provider;
    const store = new ProviderStore(provider);
    const scopes = parseScopes(clientMetadata.scope);
    super({
      ...options,
      redirectUri: redirectUriOf(provider),
      clientName: clientMetadata.client_name ?? "MCP client",
      registrationMetadata: clientMetadata,
      registration: provider.saveClientInformation !== undefined,
      store,
      dpop: false,
      interaction: { begin: () => Promise.resolve(interactionOf(provider, store)) },
      ...(scopes && { scopes }),
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    });
    this.#provider = provider;
    this.#ownStore = store;
  }

  /** Returns the tokens, also when the program has replaced or deleted them in the meantime. */
  override async tokens(server: string | URL): Promise<TokenSet | undefined> {
    const stored = await this.#provider.tokens();
    if (!stored) return undefined;
    const known = await super.tokens(server);
    if (!known || known.accessToken === stored.access_token) return known;
    await this.session(parseServerUrl(server)).reload();
    return super.tokens(server);
  }

  /** Starts a log-in, also when the program has deleted its tokens: then the session must not use those that it remembers. */
  override async onUnauthorized(challenge: AuthChallenge): Promise<boolean> {
    const { url, status, token } = challenge;
    const isDeleted = status === 401 && token === undefined && !(await this.#provider.tokens());
    return super.onUnauthorized(isDeleted ? { ...challenge, token: this.#ownStore.lastToken(url) } : challenge);
  }

  /**
   * Finishes the log-in that a request has started.
   * @param response the parameters of the callback, or its code alone; the caller of the latter has compared the state. The parameters are
   * safer: their state and issuer are checked
   * @param iss the parameter `iss` of the callback, beside a code
   * @throws AuthorizationError `state-mismatch` when no such log-in is in progress; otherwise as `finish`
   */
  async finishAuth(response: URLSearchParams | string, iss?: string): Promise<void> {
    const login = await this.#ownStore.login();
    if (!login) throw stateMismatch("no log-in is in progress");
    const callback = new URL(login.redirectUri);
    const { state, givenState } = login;
    const parameters =
      typeof response === "string"
        ? new URLSearchParams({ code: response, state, ...(iss !== undefined && { iss }) })
        : response;
    for (const [name, value] of parameters) callback.searchParams.append(name, value);
    if (givenState !== undefined && callback.searchParams.getAll("state").join(" ") === givenState)
      callback.searchParams.set("state", state);
    await this.finish(callback);
  }
}

function redirectUriOf(provider: OAuthClientProvider): string {
  for (const [name, instead] of Object.entries(unsupported))
    if (provider[name as keyof OAuthClientProvider] !== undefined)
      throw invalid(`${name} of an OAuthClientProvider is not supported: use ${instead}`);
  const { redirectUrl } = provider;
  if (redirectUrl !== undefined) return String(redirectUrl);
  throw invalid(
    "an OAuthClientProvider needs a redirectUrl; without a user, use ClientCredentialsProvider or another provider for services",
  );
}

/** Shows the page by the provider. The callback arrives at `finishAuth`. */
function interactionOf(provider: OAuthClientProvider, store: ProviderStore): ActiveInteraction {
  return {
    redirectUri: redirectUriOf(provider),
    authorize: async (url) => {
      const own = url.searchParams.get("state") ?? "";
      const given = await provider.state?.();
      if (given !== undefined && given !== "") {
        await store.replaceState(given);
        // `searchParams` would encode the other parameters anew.
        url.search = url.search.replace(own, encodeURIComponent(given));
      }
      await provider.redirectToAuthorization(url);
      return undefined;
    },
    end: () => undefined,
  };
}

function invalid(message: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", message);
}
