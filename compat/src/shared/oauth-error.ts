import type { OAuthErrorResponse } from "./oauth-types.js";

/** The errors of OAuth 2.0 and its extensions. */
export enum OAuthErrorCode {
  InvalidRequest = "invalid_request",
  InvalidClient = "invalid_client",
  InvalidGrant = "invalid_grant",
  UnauthorizedClient = "unauthorized_client",
  UnsupportedGrantType = "unsupported_grant_type",
  InvalidScope = "invalid_scope",
  AccessDenied = "access_denied",
  ServerError = "server_error",
  TemporarilyUnavailable = "temporarily_unavailable",
  UnsupportedResponseType = "unsupported_response_type",
  UnsupportedTokenType = "unsupported_token_type",
  InvalidToken = "invalid_token",
  MethodNotAllowed = "method_not_allowed",
  TooManyRequests = "too_many_requests",
  InvalidClientMetadata = "invalid_client_metadata",
  InvalidRedirectUri = "invalid_redirect_uri",
  InsufficientScope = "insufficient_scope",
  InvalidTarget = "invalid_target",
  InvalidDpopProof = "invalid_dpop_proof",
  UseDpopNonce = "use_dpop_nonce",
}

type Constructor = abstract new (...args: never[]) => unknown;

/** An error that OAuth defines, with its code. */
export class OAuthError extends Error {
  override name = "OAuthError";

  constructor(
    readonly code: OAuthErrorCode | string,
    message: string,
    readonly errorUri?: string,
  ) {
    super(message);
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }

  /** The body of a response with the error. */
  toResponseObject(): OAuthErrorResponse {
    return {
      error: this.code,
      error_description: this.message,
      ...(this.errorUri !== undefined && { error_uri: this.errorUri }),
    };
  }

  static fromResponse({ error, error_description, error_uri }: OAuthErrorResponse): OAuthError {
    return new OAuthError(error, error_description ?? error, error_uri);
  }
}
