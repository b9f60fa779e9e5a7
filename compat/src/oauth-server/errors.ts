import type { OAuthErrorResponse } from "../shared/oauth-types.js";

/** An error of an authorization server. Each class has the code that OAuth defines for it. */
export class OAuthError extends Error {
  static errorCode: string;
  /** @param errorUri a page about the error */
  constructor(
    message: string,
    readonly errorUri?: string,
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** The `error` of the response. */
  get errorCode(): string {
    return (this.constructor as typeof OAuthError).errorCode;
  }

  /** The body of the response (RFC 6749, section 5.2). */
  toResponseObject(): OAuthErrorResponse {
    const { errorCode: error, message: error_description, errorUri } = this;
    return { error, error_description, ...(errorUri && { error_uri: errorUri }) };
  }
}

/** A parameter is missing, invalid or repeated. */
export class InvalidRequestError extends OAuthError {
  static override errorCode = "invalid_request";
}

/** The client is unknown, or has not authenticated itself. */
export class InvalidClientError extends OAuthError {
  static override errorCode = "invalid_client";
}

/** An authorization code or a refresh token is not valid, or is that of another client. */
export class InvalidGrantError extends OAuthError {
  static override errorCode = "invalid_grant";
}

/** The client may not use this type of grant. */
export class UnauthorizedClientError extends OAuthError {
  static override errorCode = "unauthorized_client";
}

/** The server does not have this type of grant. */
export class UnsupportedGrantTypeError extends OAuthError {
  static override errorCode = "unsupported_grant_type";
}

/** A scope is unknown, or was not granted. */
export class InvalidScopeError extends OAuthError {
  static override errorCode = "invalid_scope";
}

/** The user or the server has refused. */
export class AccessDeniedError extends OAuthError {
  static override errorCode = "access_denied";
}

/** The server has failed. */
export class ServerError extends OAuthError {
  static override errorCode = "server_error";
}

/** The server is overloaded or in maintenance. */
export class TemporarilyUnavailableError extends OAuthError {
  static override errorCode = "temporarily_unavailable";
}

/** The server does not have this type of response. */
export class UnsupportedResponseTypeError extends OAuthError {
  static override errorCode = "unsupported_response_type";
}

/** The server cannot revoke this type of token (RFC 7009). */
export class UnsupportedTokenTypeError extends OAuthError {
  static override errorCode = "unsupported_token_type";
}

/** An access token is not valid (RFC 6750). */
export class InvalidTokenError extends OAuthError {
  static override errorCode = "invalid_token";
}

/** The endpoint does not have this HTTP method. OAuth has no code for it. */
export class MethodNotAllowedError extends OAuthError {
  static override errorCode = "method_not_allowed";
}

/** The client has sent too many requests. OAuth has no code for it. */
export class TooManyRequestsError extends OAuthError {
  static override errorCode = "too_many_requests";
}

/** A client has registered itself with invalid metadata (RFC 7591). */
export class InvalidClientMetadataError extends OAuthError {
  static override errorCode = "invalid_client_metadata";
}

/** The access token does not have all scopes that the request needs (RFC 6750). */
export class InsufficientScopeError extends OAuthError {
  static override errorCode = "insufficient_scope";
}

/** The resource is unknown or invalid (RFC 8707). */
export class InvalidTargetError extends OAuthError {
  static override errorCode = "invalid_target";
}

/** An error with a code of your own. */
export class CustomOAuthError extends OAuthError {
  readonly #code: string;

  constructor(customErrorCode: string, message: string, errorUri?: string) {
    super(message, errorUri);
    this.#code = customErrorCode;
  }

  override get errorCode(): string {
    return this.#code;
  }
}

/** The classes of errors, by their codes. */
export const OAUTH_ERRORS: Readonly<Record<string, typeof InvalidRequestError>> = /* @__PURE__ */ Object.fromEntries(
  [
    InvalidRequestError,
    InvalidClientError,
    InvalidGrantError,
    UnauthorizedClientError,
    UnsupportedGrantTypeError,
    InvalidScopeError,
    AccessDeniedError,
    ServerError,
    TemporarilyUnavailableError,
    UnsupportedResponseTypeError,
    UnsupportedTokenTypeError,
    InvalidTokenError,
    MethodNotAllowedError,
    TooManyRequestsError,
    InvalidClientMetadataError,
    InsufficientScopeError,
    InvalidTargetError,
  ].map((one) => [one.errorCode, one]),
);
