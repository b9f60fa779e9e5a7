import type { OAuthClientProvider } from "./provider.js";
import type { OAuthClientMetadata, StoredOAuthClientInformation, StoredOAuthTokens } from "../../shared/oauth-types.js";

/** The base of providers whose client is registered, and has no user. Keeps the tokens in memory. */
export abstract class StoredClientProvider implements OAuthClientProvider {
  #tokens: StoredOAuthTokens | undefined;
  protected client: StoredOAuthClientInformation;
  readonly #metadata: OAuthClientMetadata;

  /**
   * @param issuer the only authorization server that gets the credentials. Default: any that the server names, with a warning
   * @throws Error for an issuer that is not a string, or empty
   */
  protected constructor(
    client: StoredOAuthClientInformation,
    metadata: Omit<OAuthClientMetadata, "redirect_uris">,
    issuer: string | undefined,
  ) {
    if (issuer === undefined)
      // eslint-disable-next-line no-console -- as in the official SDK: programs should not go on without it
      console.warn(
        "Pass `expectedIssuer`, the issuer of your authorization server. Without it, the MCP server decides which authorization server gets the credentials of this client.",
      );
    else if (typeof issuer !== "string" || issuer === "")
      throw new Error("expectedIssuer must be the authorization server's issuer URL");
    this.client = issuer === undefined ? client : { ...client, issuer };
    this.#metadata = { redirect_uris: [], ...metadata };
  }

  get redirectUrl(): undefined {
    return undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    return this.#metadata;
  }

  clientInformation(): StoredOAuthClientInformation {
    return this.client;
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
