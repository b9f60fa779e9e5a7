import type { Response } from "express";
import type { output, ZodType } from "zod/v4";
import type { OAuthClientInformationFull, OAuthTokenRevocationRequest, OAuthTokens } from "../shared/oauth-types.js";
import type { FetchLike } from "../shared/transport.js";
import { OAuthClientInformationFullSchema, OAuthTokensSchema } from "../types/core-oauth-schemas.js";
import type { AuthInfo } from "../types/message-info.js";
import { ServerError } from "./errors.js";
import type { AuthorizationParams, OAuthRegisteredClientsStore, OAuthServerProvider } from "./provider.js";

/** The endpoints of the other authorization server. */
export interface ProxyEndpoints {
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl?: string;
  registrationUrl?: string;
}

export interface ProxyOptions {
  endpoints: ProxyEndpoints;
  /** Checks an access token. */
  verifyAccessToken: (token: string) => Promise<AuthInfo>;
  /** Finds a client of the other server. */
  getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>;
  /** Sends the requests to the other server. Default: the global `fetch`. */
  fetch?: FetchLike;
}

/** Only clients add the issuer to what they store. */
const TokenResponse = /* @__PURE__ */ OAuthTokensSchema.omit({ issuer: true });
const RegistrationResponse = /* @__PURE__ */ OAuthClientInformationFullSchema.omit({ issuer: true });

/** Passes the requests of clients to another authorization server, and its answers back. */
export class ProxyOAuthServerProvider implements OAuthServerProvider {
  protected readonly _endpoints: ProxyEndpoints;
  protected readonly _verifyAccessToken: (token: string) => Promise<AuthInfo>;
  protected readonly _getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>;
  protected readonly _fetch?: FetchLike;
  /** The other server compares code verifiers and challenges. */
  skipLocalPkceValidation = true;
  /** The other server redirects to clients, and does not know this issuer. */
  authorizationResponseIssParameterSupported = false;
  revokeToken?: (client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest) => Promise<void>;

  constructor({ endpoints, verifyAccessToken, getClient, fetch: given }: ProxyOptions) {
    this._endpoints = endpoints;
    this._verifyAccessToken = verifyAccessToken;
    this._getClient = getClient;
    if (given) this._fetch = given;
    const { revocationUrl } = endpoints;
    if (revocationUrl !== undefined)
      this.revokeToken = async (client, { token, token_type_hint }) => {
        const response = await this.#post(revocationUrl, "Token revocation", {
          token,
          ...credentialsOf(client),
          token_type_hint,
        });
        await response.body?.cancel();
      };
  }

  get clientsStore(): OAuthRegisteredClientsStore {
    const { registrationUrl } = this._endpoints;
    return {
      getClient: this._getClient,
      ...(registrationUrl !== undefined && {
        registerClient: async (client) => {
          const headers = { "Content-Type": "application/json" };
          const what = "Client registration";
          const response = await this.#send(registrationUrl, what, { headers, body: JSON.stringify(client) });
          return parsed(RegistrationResponse, response);
        },
      }),
    };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a redirect that fails rejects
  async authorize(client: OAuthClientInformationFull, params: AuthorizationParams, response: Response): Promise<void> {
    const { redirectUri: redirect_uri, codeChallenge: code_challenge, state, scopes, resource } = params;
    const url = new URL(this._endpoints.authorizationUrl);
    url.search = formOf({
      client_id: client.client_id,
      response_type: "code",
      redirect_uri,
      code_challenge,
      code_challenge_method: "S256",
      state,
      scope: scopes?.join(" "),
      resource: resource?.href,
    }).toString();
    response.redirect(url.href);
  }

  /** The other server knows the challenge. */
  challengeForAuthorizationCode(_client: OAuthClientInformationFull, _authorizationCode: string): Promise<string> {
    return Promise.resolve("");
  }

  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    return this.#requestTokens("Token exchange", {
      grant_type: "authorization_code",
      ...credentialsOf(client),
      code: authorizationCode,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
      resource: resource?.href,
    });
  }

  async exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    return this.#requestTokens("Token refresh", {
      grant_type: "refresh_token",
      ...credentialsOf(client),
      refresh_token: refreshToken,
      scope: scopes?.join(" "),
      resource: resource?.href,
    });
  }

  verifyAccessToken(token: string): Promise<AuthInfo> {
    return this._verifyAccessToken(token);
  }

  async #requestTokens(what: string, params: Params): Promise<OAuthTokens> {
    return parsed(TokenResponse, await this.#post(this._endpoints.tokenUrl, what, params));
  }

  #post(url: string, what: string, params: Params): Promise<globalThis.Response> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.#send(url, what, { headers, body: formOf(params).toString() });
  }

  /** @throws ServerError for a response that is not OK */
  async #send(url: string, what: string, init: RequestInit): Promise<globalThis.Response> {
    const response = await (this._fetch ?? fetch)(url, { method: "POST", ...init });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new ServerError(`${what} failed: ${response.status}`);
  }
}

type Params = Readonly<Record<string, string | undefined>>;

function credentialsOf({ client_id, client_secret }: OAuthClientInformationFull): Params {
  return { client_id, client_secret };
}

function formOf(params: Params): URLSearchParams {
  return new URLSearchParams(Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

async function parsed<Schema extends ZodType>(schema: Schema, response: globalThis.Response): Promise<output<Schema>> {
  return schema.parse(await response.json());
}
