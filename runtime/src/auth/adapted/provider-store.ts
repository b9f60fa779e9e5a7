import { parseServerUrl } from "../../http-client/server-url.js";
import type { Registration } from "../client-identity/registration.js";
import { registrationsRecord, type StoredRegistrations } from "../client-identity/registration-record.js";
import type { CredentialStore } from "../credential-store.js";
import type { AuthorizationFlow } from "../grants/authorization-flow.js";
import { type FinishedFlow, flowRecord } from "../grants/flow-records.js";
import { type ServerRecord, serverRecord, tokensRecord } from "../session/record-kinds.js";
import { parseScopes } from "../session/scopes.js";
import type { TokenSet } from "../tokens/token-set.js";
import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens, StoredLogin } from "./oauth-client-provider.js";

/**
 * Keeps credentials where a program with an `OAuthClientProvider` keeps them, and in memory what such a provider cannot keep, such as
 * the time at which tokens expire.
 */
export class ProviderStore implements CredentialStore {
  readonly #memory = new Map<string, string>();
  /** The authorization servers of clients whose information does not name theirs. */
  readonly #issuers = new Map<string, string>();
  /** For providers without `discoveryState`. */
  #discovery: OAuthDiscoveryState | undefined;
  /** The access token of tokens that were deleted, for providers without `invalidateCredentials`. */
  #deletedToken: string | undefined;
  /** The last log-in in progress. */
  #login: StoredLogin | undefined;

  constructor(readonly provider: OAuthClientProvider) {}

  async get(key: string): Promise<string | undefined> {
    const [kind, name = ""] = key.split(" ");
    switch (kind) {
      case registrationsRecord.name:
        return toText(await this.#registrations(key, name));
      case tokensRecord.name:
        return toText(await this.#tokens(key, name));
      case serverRecord.name:
        return this.#memory.get(key) ?? toText(await this.#server(name));
      case flowRecord.name:
        return this.#memory.get(key) ?? toText(await this.#flow(name));
      default:
        return this.#memory.get(key);
    }
  }

  async set(key: string, text: string): Promise<void> {
    const [kind, name = ""] = key.split(" ");
    this.#memory.set(key, text);
    switch (kind) {
      case registrationsRecord.name:
        return this.#saveClient(name, JSON.parse(text) as StoredRegistrations);
      case tokensRecord.name:
        return this.#saveTokens(JSON.parse(text) as TokenSet);
      case serverRecord.name:
        return this.#saveServer(name, JSON.parse(text) as ServerRecord);
      case flowRecord.name:
        return this.#saveFlow(name, JSON.parse(text) as AuthorizationFlow | FinishedFlow);
      default:
    }
  }

  async delete(key: string): Promise<void> {
    const [kind, name = ""] = key.split(" ");
    const text = this.#memory.get(key);
    this.#memory.delete(key);
    const { provider } = this;
    switch (kind) {
      case registrationsRecord.name:
        return provider.invalidateCredentials?.("client");
      case tokensRecord.name: {
        const deleted = text === undefined ? undefined : (JSON.parse(text) as TokenSet).accessToken;
        this.#deletedToken = deleted;
        const stored = await provider.tokens({ issuer: name });
        // The provider keeps the tokens of one log-in: after another one, they are not those to be deleted.
        const areOthers =
          (stored?.issuer ?? name) !== name || (deleted ?? stored?.access_token) !== stored?.access_token;
        return areOthers ? undefined : provider.invalidateCredentials?.("tokens");
      }
      case serverRecord.name:
        this.#discovery = undefined;
        return provider.invalidateCredentials?.("discovery");
      case flowRecord.name:
        return this.#forgetLogin(name);
      default:
    }
  }

  /** The last access token for an MCP server, also one that the program has deleted. */
  lastToken(url: URL): string | undefined {
    const { href } = parseServerUrl(url);
    const [, text] = [...this.#memory].find(([key]) => isTokensKey(key) && key.endsWith(` ${href}`)) ?? [];
    return text === undefined ? undefined : (JSON.parse(text) as TokenSet).accessToken;
  }

  /** The log-in in progress: the last one of this object, or the stored one. */
  async login(): Promise<StoredLogin | undefined> {
    return this.#login ?? (await this.#read())?.login;
  }

  /** Notes the state that the authorization server gets in place of that of the last log-in. */
  async replaceState(givenState: string): Promise<void> {
    if (!this.#login) return;
    this.#login = { ...this.#login, givenState };
    await this.#saveLogin(this.#login);
  }

  async #registrations(key: string, issuer: string): Promise<StoredRegistrations | undefined> {
    const { provider } = this;
    const client = await provider.clientInformation({ issuer });
    if (!client) return undefined;
    const { client_id: clientId, client_secret: clientSecret, client_secret_expires_at: expiresAt = 0 } = client;
    const owner = client.issuer ?? this.#issuers.get(clientId) ?? issuerOf(await this.#read());
    if (owner !== undefined && owner !== issuer) return undefined;
    this.#issuers.set(clientId, issuer);
    const remembered = this.#memory.get(key);
    const known = remembered === undefined ? undefined : (JSON.parse(remembered) as StoredRegistrations);
    const isKnown = known?.registrations[0]?.clientId === clientId;
    if (isKnown && known.registrations[0]?.clientSecret === clientSecret && provider.saveClientInformation)
      return known;
    const { token_endpoint_auth_method: method = provider.clientMetadata.token_endpoint_auth_method } = client;
    const withSecret = method?.startsWith("client_secret") === true ? method : "client_secret_basic";
    const registration: Registration = {
      clientId,
      method: clientSecret === undefined ? "none" : withSecret,
      redirectUris: client.redirect_uris ?? [String(provider.redirectUrl)],
      ...(clientSecret !== undefined && { clientSecret }),
      ...(clientSecret !== undefined && expiresAt > 0 && { secretExpiresAt: expiresAt * 1000 }),
    };
    return { registrations: [registration] };
  }

  async #saveClient(issuer: string, { registrations: [newest] }: StoredRegistrations): Promise<void> {
    const { provider } = this;
    const before = await provider.clientInformation({ issuer });
    if (!newest || (before?.client_id === newest.clientId && before.issuer === issuer)) return;
    const { clientId, clientSecret, secretExpiresAt = 0, method, redirectUris } = newest;
    const client = {
      // A client that was there before keeps what only its authorization server knows.
      ...(before?.client_id === clientId && before),
      client_id: clientId,
      ...(clientSecret !== undefined && {
        client_secret: clientSecret,
        client_secret_expires_at: Math.round(secretExpiresAt / 1000),
      }),
      token_endpoint_auth_method: method,
      redirect_uris: [...redirectUris],
      issuer,
    };
    await provider.saveClientInformation?.(client, { issuer });
  }

  async #tokens(key: string, issuer: string): Promise<TokenSet | undefined> {
    const { provider } = this;
    const stored = await provider.tokens({ issuer });
    if (!stored || (stored.issuer ?? issuer) !== issuer) return undefined;
    const { access_token: accessToken, refresh_token: refreshToken } = stored;
    // Those that are bound to a key are of no use without it.
    if (accessToken === this.#deletedToken || !/^bearer$/i.test(stored.token_type)) return undefined;
    for (const [other, text] of this.#memory) {
      const known = isTokensKey(other) ? (JSON.parse(text) as TokenSet) : undefined;
      if (known?.accessToken === accessToken) return other === key ? known : undefined;
    }
    const clientId = (await provider.clientInformation({ issuer }))?.client_id ?? provider.clientMetadataUrl;
    if (clientId === undefined) return undefined;
    const scopes = parseScopes(stored.scope) ?? [];
    const tokens: TokenSet = {
      accessToken,
      scheme: "Bearer",
      scopes,
      issuer,
      clientId,
      ...(refreshToken !== undefined && { refreshToken }),
    };
    this.#memory.set(key, JSON.stringify(tokens));
    return tokens;
  }

  async #saveTokens({ accessToken, scheme, expiresAt, refreshToken, scopes, issuer }: TokenSet): Promise<void> {
    this.#deletedToken = undefined;
    const tokens: OAuthTokens = {
      access_token: accessToken,
      token_type: scheme,
      ...(expiresAt !== undefined && { expires_in: Math.max(0, Math.round((expiresAt - Date.now()) / 1000)) }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      issuer,
    };
    await this.provider.saveTokens(tokens, { issuer });
  }

  /** What the discovery state says about an MCP server; the tokens name their authorization server, too. */
  async #server(url: string): Promise<ServerRecord | undefined> {
    const known = await this.#read();
    if (known?.serverUrl !== undefined && known.serverUrl !== url) return undefined;
    const issuer = issuerOf(known) ?? (await this.provider.tokens())?.issuer;
    if (issuer === undefined) return undefined;
    const { resourceMetadataUrl } = known ?? {};
    return { issuer, ...(resourceMetadataUrl !== undefined && { resourceMetadata: resourceMetadataUrl }) };
  }

  async #saveServer(serverUrl: string, { issuer, resourceMetadata }: ServerRecord): Promise<void> {
    await this.#write({
      authorizationServerUrl: issuer,
      serverUrl,
      ...(resourceMetadata !== undefined && { resourceMetadataUrl: resourceMetadata }),
    });
  }

  async #flow(state: string): Promise<AuthorizationFlow | undefined> {
    const login = (await this.#read())?.login;
    if (login?.state !== state) return undefined;
    const { givenState: _givenState, ...flow } = login;
    return { ...flow, verifier: await this.provider.codeVerifier() };
  }

  async #saveFlow(state: string, flow: AuthorizationFlow | FinishedFlow): Promise<void> {
    if ("isFinished" in flow) return this.#forgetLogin(state);
    const { verifier, registration: _registration, dpopKey: _dpopKey, ...login } = flow;
    this.#login = login;
    await this.#dropTokensOfOthers(login.server.issuer);
    await this.provider.saveCodeVerifier(verifier);
    await this.#saveLogin(login);
  }

  /** Tokens that do not name their authorization server would count as those of the one that is noted next. */
  async #dropTokensOfOthers(issuer: string): Promise<void> {
    const stored = await this.provider.tokens({ issuer });
    if (!stored || stored.issuer !== undefined || issuerOf(await this.#read()) === issuer) return;
    this.#deletedToken = stored.access_token;
    await this.provider.invalidateCredentials?.("tokens");
  }

  async #forgetLogin(state: string): Promise<void> {
    const login = await this.login();
    if (login?.state !== state) return;
    this.#login = undefined;
    await this.#saveLogin(undefined, login.server.issuer);
  }

  async #saveLogin(login: StoredLogin | undefined, issuer = login?.server.issuer ?? ""): Promise<void> {
    await this.#write({
      authorizationServerUrl: issuer,
      login,
      ...(login && { serverUrl: login.url, authorizationServerMetadata: login.server.metadata }),
    });
  }

  async #read(): Promise<OAuthDiscoveryState | undefined> {
    return this.provider.discoveryState ? this.provider.discoveryState() : this.#discovery;
  }

  /** Changes the discovery state. That of another authorization server is dropped. */
  async #write(changes: OAuthDiscoveryState): Promise<void> {
    const before = await this.#read();
    const isSame = issuerOf(before) === issuerOf(changes);
    this.#discovery = { ...(isSame && before), ...changes };
    await this.provider.saveDiscoveryState?.(this.#discovery);
  }
}

/** The official SDK stores the URL at which it found the metadata, which can differ from the issuer. */
function issuerOf(state: OAuthDiscoveryState | undefined): string | undefined {
  return state?.authorizationServerMetadata?.issuer ?? state?.authorizationServerUrl;
}

function isTokensKey(key: string): boolean {
  return key.startsWith(`${tokensRecord.name} `);
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
