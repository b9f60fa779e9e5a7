import type { OAuthClientProvider } from "./provider.js";
import type { OAuthClientMetadata, StoredOAuthClientInformation, StoredOAuthTokens } from "../../shared/oauth-types.js";

/** The base of providers whose client is registered, and has no user. Keeps the tokens in memory. */
export abstract class StoredClientProvider implements OAuthClientProvider {
  #tokens: StoredOAuthTokens | undefined;
  readonly #client: StoredOAuthClientInformation;
  readonly #metadata: OAuthClientMetadata;

  /** @param issuer the only authorization server that gets the credentials. Default: any that the server names */
  protected constructor(
    client: StoredOAuthClientInformation,
    metadata: Omit<OAuthClientMetadata, "redirect_uris">,
    issuer: string | undefined,
  ) {
    this.#client = issuer === undefined ? client : { ...client, issuer };
    this.#metadata = { redirect_uris: [], ...metadata };
  }

  get redirectUrl(): undefined {
    return undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    return this.#metadata;
  }

  clientInformation(): StoredOAuthClientInformation {
    return this.#client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): void {
    throw new Error("redirectToAuthorization is not used: this flow has no user");
  }

  saveCodeVerifier(): void {
    // There is none.
  }

  codeVerifier(): string {
    throw new Error("codeVerifier is not used: this flow has no user");
  }

  prepareTokenRequest(scope?: string): URLSearchParams | Promise<URLSearchParams> {
    return new URLSearchParams({ grant_type: "client_credentials", ...(scope && { scope }) });
  }
}
