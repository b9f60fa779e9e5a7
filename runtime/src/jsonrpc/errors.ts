import { urlElicitationProblem } from "./url-elicitation.js";

/** JSON-RPC error codes (JSON-RPC 2.0, section 5.1) and those that MCP adds. */
export const ErrorCode = {
  /** The text is not JSON. */
  ParseError: -32700,
  /** The JSON is not a valid message, or not valid in this state. */
  InvalidRequest: -32600,
  /** The receiver does not offer the method. */
  MethodNotFound: -32601,
  /** The params are invalid for the method. */
  InvalidParams: -32602,
  /** The receiver failed. */
  InternalError: -32603,
  /** The user rejected a sampling request. */
  UserRejected: -1,
  /** The request was refused by a rate limit; `data.retryAfterMs` is the time to wait, if it is known. */
  TooManyRequests: 429,
  /** HTTP headers are missing or differ from the body (MCP 2026-07-28, Streamable HTTP). */
  HeaderMismatch: -32020,
  /** The user must visit URLs before the request can succeed; `data.elicitations` contains them. */
  UrlElicitationRequired: -32042,
} as const;

/** Base of every error that this package throws: `code` identifies the error, `data` contains details. */
export abstract class McpError extends Error {
  /** A JSON-RPC code for errors that are sent to or received from a peer; a name for errors of this side. */
  abstract readonly code: number | string;

  constructor(
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * A JSON-RPC error. A handler throws it to respond with an error; a `RemoteError` is one that the peer responded with.
 * Code, message and data are sent as they are, unless the peer's revision forbids the code: 2026-07-28 reserves the codes
 * from -32020 down for the ones it defines, and has -32602 instead of -32002 (not found).
 */
export class ProtocolError extends McpError {
  override readonly name: string = "ProtocolError";

  constructor(
    readonly code: number,
    message: string,
    data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, data, options);
  }
}

/**
 * The peer responded with an error. A handler that throws it responds with -32603, because the error belongs to another
 * request. To pass it on, throw a `ProtocolError` with its code, message and data.
 */
export class RemoteError extends ProtocolError {
  override readonly name: string = "RemoteError";
}

/** Thrown by a handler when no resource has this URI. Each peer receives the code of its revision. */
export class ResourceNotFoundError extends ProtocolError {
  override readonly name = "ResourceNotFoundError";

  constructor(readonly uri: string) {
    super(ErrorCode.InvalidParams, "Resource not found", { uri });
  }
}

/** A request needs a capability that the client did not declare; `data.requiredCapabilities` contains the missing part. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  override readonly name = "MissingRequiredClientCapabilityError";

  constructor(code: number, message: string, requiredCapabilities: object) {
    super(code, message, { requiredCapabilities });
  }
}

/** An elicitation that asks the user to visit a URL. */
export interface UrlElicitation {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  /** Unique; pass it to `completeElicitation` when the user is done. */
  readonly elicitationId: string;
}

/**
 * Thrown by a handler when the user must visit URLs before the request can succeed. The client receives it in the form of
 * its revision; a client that cannot open URLs receives a plain error.
 */
export class UrlElicitationRequiredError extends ProtocolError {
  override readonly name = "UrlElicitationRequiredError";

  /** @throws SdkError `CANNOT_ASK` when `elicitations` is empty or contains an invalid one */
  constructor(
    readonly elicitations: readonly UrlElicitation[],
    message = "The user has to visit a URL first",
  ) {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations });
    if (elicitations.length === 0) throw new SdkError("CANNOT_ASK", `${this.name}: elicitations must not be empty`);
    for (const asked of elicitations as readonly Partial<UrlElicitation>[]) {
      const problem =
        asked.mode !== "url"
          ? 'mode must be "url"'
          : asked.elicitationId
            ? urlElicitationProblem(asked)
            : "elicitationId must be a non-empty string";
      if (problem !== undefined) throw new SdkError("CANNOT_ASK", `${this.name}: ${problem}`);
    }
  }
}

/** The peer does not support the requested protocol version; `data` contains `supported` and `requested`. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  override readonly name = "UnsupportedProtocolVersionError";

  constructor(code: number, supported: readonly string[], requested: string) {
    super(code, "Unsupported protocol version", { supported, requested });
  }
}

/** The codes of errors on this side. */
export type SdkErrorCode =
  /** The connection was not opened, or has been closed. */
  | "NOT_CONNECTED"
  /** `connect` was called on something that is connected. */
  | "ALREADY_CONNECTED"
  /** The peer did not declare a capability that the call needs. */
  | "CAPABILITY_NOT_SUPPORTED"
  /** The revision in use does not have this method or feature. */
  | "NOT_IN_THIS_REVISION"
  /** The peer cancelled the request; the abort reason of a handler's signal. */
  | "REQUEST_CANCELLED"
  /** The response did not arrive in time. */
  | "REQUEST_TIMEOUT"
  /** The server did not respond to the request that opens the connection in time. */
  | "CONNECT_TIMEOUT"
  /** The connection ended before the response arrived. */
  | "CONNECTION_CLOSED"
  /** The transport could not send the message. */
  | "SEND_FAILED"
  /** The HTTP response of a server is not a message; `data` contains `status` and the start of the `body`. */
  | "HTTP_ERROR"
  /** The server no longer has the session. */
  | "SESSION_LOST"
  /** The response stream ended early and could not be resumed; the server may have processed the request. */
  | "RESPONSE_LOST"
  /** The peer's result is not valid for the method; `data` contains `result`, and in `issues` the invalid members. */
  | "INVALID_RESULT"
  /** The peer sent a response that matches no request, or violated the protocol. */
  | "INVALID_MESSAGE"
  /** The server asked for input more often than allowed. */
  | "INPUT_REQUIRED_ROUNDS_EXCEEDED"
  /** The server asked for input that this client cannot give. */
  | "INPUT_REQUIRED_UNSUPPORTED"
  /** A list had more pages than allowed, or repeated a cursor. */
  | "LIST_PAGINATION_EXCEEDED"
  /** Client and server have no revision in common. */
  | "NO_COMMON_REVISION"
  /** A limit of this side was reached. */
  | "LIMIT_EXCEEDED"
  /** A handler cannot request input here; the message contains the remedy. */
  | "CANNOT_ASK"
  /** A deprecated feature was used; it works. Reported to `onerror` once per process and feature. */
  | "DEPRECATED"
  /** A log-in failed, an `AuthorizationError`; `data.reason` says why. */
  | "AUTHORIZATION_FAILED"
  /** A server does not accept an access token, an `InvalidTokenError`. */
  | "INVALID_TOKEN"
  /** A server cannot verify an access token now, a `TokenVerificationError`. */
  | "TOKEN_NOT_VERIFIED"
  /** A store failed: a `ProxyStoreError`, a `TaskStoreError` or a `BackplaneError`; `data.reason` says why. */
  | "STORE_FAILED"
  /** A task was cancelled, a `TaskError`. */
  | "TASK_CANCELLED"
  /** A task did not end in the time that its server keeps it, a `TaskError`. */
  | "TASK_EXPIRED"
  /** The server does not have a task, a `TaskError`. */
  | "TASK_NOT_FOUND"
  /** The provider behind an OAuth proxy did not do what was asked, an `UpstreamError`; `data.reason` says why. */
  | "UPSTREAM_FAILED"
  /** The user has to log in first, an `UnauthorizedError`. */
  | "UNAUTHORIZED"
  /** The server needs scopes that the log-in did not give, an `InsufficientScopeError`. */
  | "INSUFFICIENT_SCOPE"
  /** A server behind a gateway shows something that was not approved. */
  | "NOT_APPROVED"
  /** A text of a server behind a gateway has hidden or confusable characters. */
  | "HIDDEN_TEXT"
  /** A registration or option is invalid. */
  | "INVALID_CONFIGURATION";

/** An error on this side; it is never sent to the peer. */
export class SdkError extends McpError {
  override readonly name: string = "SdkError";

  constructor(
    readonly code: SdkErrorCode,
    message: string,
    data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, data, options);
  }
}
