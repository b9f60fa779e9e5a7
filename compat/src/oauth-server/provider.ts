import type { Response } from "express";
import type { OAuthTokenVerifier } from "../shared/bearer-auth.js";
import type { OAuthClientInformationFull, OAuthTokenRevocationRequest, OAuthTokens } from "../shared/oauth-types.js";

/** The clients that an authorization server knows. */
export interface OAuthRegisteredClientsStore {
  getClient(clientId: string): OAuthClientInformationFull | undefined | Promise<OAuthClientInformationFull | undefined>;
  /**
   * Adds a client, and returns it as the server has accepted it. Id and secret are generated before. Without this method clients
   * cannot register themselves. Keep expired secrets: requests with them are rejected.
   */
  registerClient?(
    client: Omit<OAuthClientInformationFull, "client_id" | "client_id_issued_at">,
  ): OAuthClientInformationFull | Promise<OAuthClientInformationFull>;
}

/** A checked authorization request. */
export interface AuthorizationParams {
  state?: string;
  scopes?: string[];
  codeChallenge: string;
  redirectUri: string;
  resource?: URL;
  /**
   * The issuer, which redirects to `redirectUri` name in `iss` (RFC 9207). `response.redirect` adds it; other responses, such as that of
   * a page for consent, must do so themselves.
   */
  issuer?: string;
}

/** The decisions of an authorization server, behind the endpoints of `mcpAuthRouter`. */
export interface OAuthServerProvider extends OAuthTokenVerifier {
  get clientsStore(): OAuthRegisteredClientsStore;
  /** Asks the user, and redirects to `params.redirectUri` in the end: with `code` and `state`, or with `error`. */
  authorize(client: OAuthClientInformationFull, params: AuthorizationParams, response: Response): Promise<void>;
  /** Returns the challenge of the authorization request that a code belongs to. */
  challengeForAuthorizationCode(client: OAuthClientInformationFull, authorizationCode: string): Promise<string>;
  /**
   * Issues tokens for a code.
   * @param codeVerifier only with `skipLocalPkceValidation`
   * @throws OAuthError of which the client is informed
   */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** Issues tokens for a refresh token. @throws OAuthError of which the client is informed */
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** Revokes a token, if it is valid. Without this method tokens cannot be revoked. */
  revokeToken?(client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest): Promise<void>;
  /** Whether redirects to clients name the issuer. Default: `true`. */
  authorizationResponseIssParameterSupported?: boolean;
  /** Whether another server compares code verifiers and challenges. Default: `false`. */
  skipLocalPkceValidation?: boolean;
}
