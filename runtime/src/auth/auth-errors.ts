import { SdkError } from "../jsonrpc/errors.js";

/** Why an authorization failed. */
export type AuthorizationFailure =
  /** A URL is not https (loopback aside), has another scheme, or leads to a forbidden address. */
  | "insecure-url"
  /** No document with the metadata was found. */
  | "metadata-not-found"
  /** A metadata document is too large, too slow, not JSON, or lacks a member. */
  | "metadata-invalid"
  /** The metadata belongs to another resource. */
  | "resource-mismatch"
  /** The metadata or the authorization response names another issuer. */
  | "issuer-mismatch"
  /** The authorization server does not announce PKCE with S256. */
  | "pkce-unsupported"
  /** The server lists no authorization server that the application accepts. */
  | "server-not-accepted"
  /** There is no client identity for this authorization server: none was given, and it offers no registration. */
  | "no-client"
  /** The authorization server rejected the registration of the client. */
  | "registration-refused"
  /** The callback has no `state`, an unknown one, or one that was used before. */
  | "state-mismatch"
  /** The callback has no `code`, or is not the redirect URI of the flow. */
  | "callback-invalid"
  /** This machine cannot receive the callback, for example because the port is in use. */
  | "callback-unavailable"
  /** The authorization server redirected with an error, for example because the user refused. */
  | "denied"
  /** The user closed the page or took too long. */
  | "abandoned"
  /** The token endpoint rejected the request; `error` has its code. */
  | "token-refused"
  /** The response of the token endpoint is not valid. */
  | "token-invalid"
  /** The MCP server rejects a token that was just issued for it. */
  | "token-rejected"
  /** A server could not be reached, did not respond in time, or is unavailable (5xx, 429). A later attempt may succeed. */
  | "unreachable"
  /** The credential store failed. */
  | "store-failed";

export interface AuthorizationErrorData {
  readonly reason: AuthorizationFailure;
  /** The issuer of the authorization server, when it is known. */
  readonly issuer?: string;
  /** The OAuth error code of the authorization server (RFC 6749, sections 4.1.2.1 and 5.2). */
  readonly error?: string;
  readonly errorDescription?: string;
  /** The HTTP status of the response that failed. */
  readonly status?: number;
}

/** An authorization failed; the request was not sent again. No member contains a token, a code or a secret. */
export class AuthorizationError extends SdkError {
  override readonly name = "AuthorizationError";
  declare readonly data: AuthorizationErrorData;

  constructor(
    readonly reason: AuthorizationFailure,
    message: string,
    data: Omit<AuthorizationErrorData, "reason"> = {},
    options?: ErrorOptions,
  ) {
    super("AUTHORIZATION_FAILED", message, { reason, ...data }, options);
  }
}

/** The user has to log in first, and the application has to finish the log-in before the request can be sent again. */
export class UnauthorizedError extends SdkError {
  override readonly name = "UnauthorizedError";
  declare readonly data: { readonly authorizationUrl: string | undefined };

  /** @param authorizationUrl the page where the user logs in, when a flow has been started */
  constructor(message: string, authorizationUrl?: URL) {
    super("UNAUTHORIZED", message, { authorizationUrl: authorizationUrl?.href });
  }
}

/** The server needs scopes that a new authorization did not give; asking again would not help. */
export class InsufficientScopeError extends SdkError {
  override readonly name = "InsufficientScopeError";
  declare readonly data: {
    readonly required: readonly string[];
    readonly granted: readonly string[];
    readonly operation: string | undefined;
  };

  constructor(message: string, required: readonly string[], granted: readonly string[], operation: string | undefined) {
    super("INSUFFICIENT_SCOPE", message, { required, granted, operation });
  }
}
