import { OAuthError, OAuthErrorCode } from "../../shared/oauth-error.js";
import type { FetchLike } from "../../shared/transport.js";
import { startAuthorization } from "./authorization-request.js";
import { discoverAuthorizationServerMetadata, discoverOAuthServerInfo, optionalResourceMetadata } from "./discovery.js";
import { selectResourceURL } from "./discovery.js";
import { AuthorizationServerMismatchError } from "./errors.js";
import type { OAuthClientProvider, OAuthDiscoveryState } from "./provider.js";
import { registerClient, resolveClientMetadata, validateClientMetadataUrl } from "./registration.js";
import { fetchToken, refreshAuthorization } from "./token-requests.js";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "../../shared/oauth-types.js";

/** `REDIRECT`: the user was sent to the authorization server. */
export type AuthResult = "AUTHORIZED" | "REDIRECT";

export interface AuthOptions {
  serverUrl: string | URL;
  /** The code of the response to the authorization request. */
  authorizationCode?: string | undefined;
  /** The `iss` of that response. */
  iss?: string | undefined;
  scope?: string | undefined;
  resourceMetadataUrl?: URL | undefined;
  fetchFn?: FetchLike | undefined;
  skipIssuerMetadataValidation?: boolean | undefined;
  /** Whether the user logs in even if there is a refresh token. */
  forceReauthorization?: boolean | undefined;
}

/**
 * Gets tokens for a server with the credentials of the provider, or sends the user to log in.
 * @throws OAuthError when the authorization server refuses. Credentials that it rejects are dropped, and the log-in begins anew once.
 */
export async function auth(provider: OAuthClientProvider, options: AuthOptions): Promise<AuthResult> {
  try {
    return await new Login(provider, options).run();
  } catch (error) {
    const code = error instanceof OAuthError ? error.code : undefined;
    const isClientRejected = code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
    if (!isClientRejected && code !== OAuthErrorCode.InvalidGrant) throw error;
    if (isClientRejected) await provider.invalidateCredentials?.("client");
    await provider.invalidateCredentials?.("tokens");
    return new Login(provider, options).run();
  }
}

/** One attempt to get tokens. */
class Login {
  #server!: OAuthDiscoveryState;
  #issuer!: string;

  constructor(
    readonly provider: OAuthClientProvider,
    readonly options: AuthOptions,
  ) {}

  async run(): Promise<AuthResult> {
    const { provider, options } = this;
    const { serverUrl, authorizationCode, iss, fetchFn } = options;
    await this.#discover();
    const resource = await selectResourceURL(serverUrl, provider, this.#server.resourceMetadata);
    if (resource) await provider.saveResourceUrl?.(resource.href);
    const scope = this.#scope();
    const client = await this.#client(scope);
    const { authorizationServerUrl: url, authorizationServerMetadata: metadata } = this.#server;
    if (authorizationCode !== undefined || !provider.redirectUrl) {
      const tokens = await fetchToken(provider, url, { metadata, resource, authorizationCode, iss, scope, fetchFn });
      return this.#save(tokens);
    }
    const refreshed = await this.#refresh(client, resource);
    if (refreshed) return this.#save(refreshed);
    const state = await provider.state?.();
    const { redirectUrl } = provider;
    const started = await startAuthorization(url, {
      metadata,
      clientInformation: client,
      redirectUrl,
      scope,
      state,
      resource,
    });
    await provider.saveCodeVerifier(started.codeVerifier);
    await provider.redirectToAuthorization(started.authorizationUrl);
    return "REDIRECT";
  }

  async #save(tokens: StoredOAuthTokens): Promise<AuthResult> {
    const issuer = this.#issuer;
    await this.provider.saveTokens({ ...tokens, issuer }, { issuer });
    return "AUTHORIZED";
  }

  /** Finds the authorization server, or takes the one that was found before. */
  async #discover(): Promise<void> {
    const { provider, options } = this;
    const { serverUrl, fetchFn, skipIssuerMetadataValidation, authorizationCode } = options;
    const known = await provider.discoveryState?.();
    const resourceMetadataUrl =
      options.resourceMetadataUrl ?? (known?.resourceMetadataUrl ? new URL(known.resourceMetadataUrl) : undefined);
    const found = known?.authorizationServerUrl
      ? {
          authorizationServerUrl: known.authorizationServerUrl,
          authorizationServerMetadata:
            known.authorizationServerMetadata ??
            (await discoverAuthorizationServerMetadata(known.authorizationServerUrl, {
              fetchFn,
              skipIssuerValidation: skipIssuerMetadataValidation,
            })),
          resourceMetadata:
            known.resourceMetadata ?? (await optionalResourceMetadata(serverUrl, resourceMetadataUrl, fetchFn)),
        }
      : await discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl, fetchFn, skipIssuerMetadataValidation });
    this.#server = { ...found, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) };
    this.#issuer = found.authorizationServerMetadata?.issuer ?? found.authorizationServerUrl;
    await provider.saveAuthorizationServerUrl?.(this.#issuer);
    if (authorizationCode !== undefined) this.#assertSameServer(known);
    const isNew =
      found.authorizationServerMetadata !== known?.authorizationServerMetadata ||
      found.resourceMetadata !== known?.resourceMetadata;
    if (isNew) await provider.saveDiscoveryState?.(this.#server);
  }

  /** The code must not be sent to another server than the one that issued it (SEP-2352). */
  #assertSameServer(known: OAuthDiscoveryState | undefined): void {
    const recorded = known?.authorizationServerMetadata?.issuer ?? known?.authorizationServerUrl;
    if (recorded === undefined) {
      if (this.provider.saveDiscoveryState)
        throw new AuthorizationServerMismatchError("unknown, because discoveryState() returned nothing", this.#issuer);
    } else if (!isSameIssuer(recorded, this.#issuer))
      throw new AuthorizationServerMismatchError(recorded, this.#issuer);
  }

  /** The scopes of the challenge, else those that the server has, else those of the client. */
  #scope(): string | undefined {
    const { resourceMetadata, authorizationServerMetadata } = this.#server;
    const { clientMetadata } = this.provider;
    const scope = [this.options.scope, resourceMetadata?.scopes_supported?.join(" "), clientMetadata.scope].find(
      Boolean,
    );
    const wantsRefresh =
      authorizationServerMetadata?.scopes_supported?.includes("offline_access") &&
      clientMetadata.grant_types?.includes("refresh_token");
    if (!scope || !wantsRefresh || scope.split(" ").includes("offline_access")) return scope;
    return `${scope} offline_access`;
  }

  /** The client as the authorization server knows it; registers it if it does not. */
  async #client(scope: string | undefined): Promise<StoredOAuthClientInformation> {
    const { provider, options } = this;
    const context = { issuer: this.#issuer };
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = this.#server;
    const stored = await provider.clientInformation(context);
    if (stored && (stored.issuer === undefined || isSameIssuer(stored.issuer, this.#issuer))) {
      if (stored.issuer === undefined) await provider.saveClientInformation?.({ ...stored, ...context }, context);
      return stored;
    }
    if (stored?.issuer && !provider.saveClientInformation)
      throw new AuthorizationServerMismatchError(stored.issuer, this.#issuer);
    if (options.authorizationCode !== undefined)
      throw new Error("Existing OAuth client information is required when exchanging an authorization code");
    validateClientMetadataUrl(provider.clientMetadataUrl);
    let client: StoredOAuthClientInformation;
    if (provider.clientMetadataUrl && metadata?.client_id_metadata_document_supported)
      client = { client_id: provider.clientMetadataUrl, ...context };
    else {
      if (!provider.saveClientInformation)
        throw new Error("OAuth client information must be saveable for dynamic registration");
      const { fetchFn } = options;
      const clientMetadata = resolveClientMetadata(provider);
      const registered = await registerClient(authorizationServerUrl, { metadata, clientMetadata, scope, fetchFn });
      client = { ...registered, ...context };
    }
    await provider.saveClientInformation?.(client, context);
    return client;
  }

  /** @returns undefined when the user has to log in @throws OAuthError when the server rejects the client or the token */
  async #refresh(
    client: StoredOAuthClientInformation,
    resource: URL | undefined,
  ): Promise<StoredOAuthTokens | undefined> {
    const { provider, options } = this;
    const tokens = await provider.tokens({ issuer: this.#issuer });
    const isOurs = tokens?.issuer === undefined || isSameIssuer(tokens.issuer, this.#issuer);
    if (!tokens?.refresh_token || !isOurs || options.forceReauthorization) return undefined;
    try {
      return await refreshAuthorization(this.#server.authorizationServerUrl, {
        metadata: this.#server.authorizationServerMetadata,
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        scope: await provider.scopeForRefresh?.(tokens),
        resource,
        addClientAuthentication: provider.addClientAuthentication?.bind(provider),
        dpop: await provider.dpop?.(),
        fetchFn: options.fetchFn,
      });
    } catch (error) {
      const isFinal = error instanceof OAuthError && error.code !== (OAuthErrorCode.ServerError as string);
      if (isFinal || (error as Error).name === "InsecureTokenEndpointError") throw error;
      return undefined;
    }
  }
}

function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}
