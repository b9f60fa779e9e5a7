import { urlElicitationProblem } from "./url-elicitation.js";

/** JSON-RPC error codes (JSON-RPC 2.0, section 5.1) and those that MCP adds. */
export const ErrorCode = {
  /** The text is not JSON. */
  ParseError: -32700,
  /** The JSON is not a legal message, or not legal now. */
  InvalidRequest: -32600,
  /** The receiver does not offer the method. */
  MethodNotFound: -32601,
  /** The params do not fit the method. */
  InvalidParams: -32602,
  /** The receiver failed. */
  InternalError: -32603,
  /** The user refused a sampling request. */
  UserRejected: -1,
  /** HTTP headers are missing or do not say what the body says (MCP 2026-07-28, Streamable HTTP). */
  HeaderMismatch: -32020,
  /** The request needs the user to visit URLs first; `data.elicitations` has them. */
  UrlElicitationRequired: -32042,
} as const;

/** Base of every error this package throws: `code` tells what happened, `data` the particulars. */
export abstract class McpError extends Error {
  /** A JSON-RPC code for what goes over the wire, a name for what happens on this side. */
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
 * A JSON-RPC error: the peer answered with it, or a handler throws it to answer with it.
 * Code, message and data go to the peer as they are, unless its revision forbids the code: of those from -32020 down,
 * 2026-07-28 has only its own, and -32002 (not found) is -32602 there.
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
 * The peer answered with an error. A handler that throws it answers with -32603, for it was said to somebody else: to pass it
 * on, throw a `ProtocolError` with its code, message and data.
 */
export class RemoteError extends ProtocolError {
  override readonly name = "RemoteError";
}

/** A handler throws it when nothing has this URI; every revision gets its own code for that. */
export class ResourceNotFoundError extends ProtocolError {
  override readonly name = "ResourceNotFoundError";

  constructor(readonly uri: string) {
    super(ErrorCode.InvalidParams, "Resource not found", { uri });
  }
}

/** Something needed a capability that the client did not declare; `data.requiredCapabilities` has just the missing part. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  override readonly name = "MissingRequiredClientCapabilityError";

  constructor(code: number, message: string, requiredCapabilities: object) {
    super(code, message, { requiredCapabilities });
  }
}

/** A question that sends the user to a URL. */
export interface UrlElicitation {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  /** Unique; `completeElicitation` says that the user is done there. */
  readonly elicitationId: string;
}

/**
 * A handler throws it when the user has to visit URLs before the request can succeed. The client is told in the way of its
 * revision; one that cannot open URLs gets a plain failure.
 */
export class UrlElicitationRequiredError extends ProtocolError {
  override readonly name = "UrlElicitationRequiredError";

  /** @throws SdkError `CANNOT_ASK` when there is no URL, or one cannot be asked for */
  constructor(
    readonly elicitations: readonly UrlElicitation[],
    message = "The user has to visit a URL first",
  ) {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations });
    if (elicitations.length === 0) throw new SdkError("CANNOT_ASK", `${this.name} needs a URL to visit`);
    for (const asked of elicitations as readonly Partial<UrlElicitation>[]) {
      const problem =
        asked.mode !== "url"
          ? "mode must be url"
          : asked.elicitationId
            ? urlElicitationProblem(asked)
            : "elicitationId must be there";
      if (problem !== undefined) throw new SdkError("CANNOT_ASK", `${this.name}: ${problem}`);
    }
  }
}

/** The peer does not speak the version that was asked for; `data` has `supported` and `requested`. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  override readonly name = "UnsupportedProtocolVersionError";

  constructor(code: number, supported: readonly string[], requested: string) {
    super(code, "Unsupported protocol version", { supported, requested });
  }
}

/** What can go wrong on this side. */
export type SdkErrorCode =
  /** The connection was not opened, or has been closed. */
  | "NOT_CONNECTED"
  /** `connect` was called on something that is connected. */
  | "ALREADY_CONNECTED"
  /** The peer did not declare what the call needs. */
  | "CAPABILITY_NOT_SUPPORTED"
  /** The revision in use does not have this. */
  | "NOT_IN_THIS_REVISION"
  /** The peer does not want an answer any more; the reason of a handler's signal. */
  | "REQUEST_CANCELLED"
  /** No answer in time. */
  | "REQUEST_TIMEOUT"
  /** The connection ended before the answer came. */
  | "CONNECTION_CLOSED"
  /** The message could not be handed to the transport. */
  | "SEND_FAILED"
  /** A server answered over HTTP with something that is no message; `data` has `status` and the start of the `body`. */
  | "HTTP_ERROR"
  /** The server does not know the session any more. */
  | "SESSION_LOST"
  /** The stream of an answer ended too early and could not be resumed; whether the request was carried out is unknown. */
  | "RESPONSE_LOST"
  /** The peer's answer is not one the method may have. */
  | "INVALID_RESULT"
  /** The peer sent something that is no answer to anything, or breaks the protocol. */
  | "INVALID_MESSAGE"
  /** The server asked for input more often than allowed. */
  | "INPUT_REQUIRED_ROUNDS_EXCEEDED"
  /** The server asked for input that this client cannot give. */
  | "INPUT_REQUIRED_UNSUPPORTED"
  /** A list had more pages than allowed, or its cursors go in a circle. */
  | "LIST_PAGINATION_EXCEEDED"
  /** Client and server share no revision. */
  | "NO_COMMON_REVISION"
  /** A limit of this side was reached. */
  | "LIMIT_EXCEEDED"
  /** A handler cannot ask the user here; the message says what to do instead. */
  | "CANNOT_ASK"
  /** What was registered or configured cannot work. */
  | "INVALID_CONFIGURATION";

/** Something went wrong on this side; nothing of it goes over the wire. */
export class SdkError extends McpError {
  override readonly name = "SdkError";

  constructor(
    readonly code: SdkErrorCode,
    message: string,
    data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, data, options);
  }
}
