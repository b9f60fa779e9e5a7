import {
  McpError as NativeMcpError,
  ProtocolError as NativeProtocolError,
  SdkError as NativeSdkError,
} from "@mcpwright/runtime/errors";
import type {
  ClientCapabilities,
  ElicitRequestURLParams,
  MissingRequiredClientCapabilityErrorData,
  UnsupportedProtocolVersionErrorData,
} from "../types/index.js";

/** The codes of errors that are sent to and received from peers. */
export enum ProtocolErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ResourceNotFound = -32002,
  MissingRequiredClientCapability = -32021,
  UnsupportedProtocolVersion = -32022,
  UrlElicitationRequired = -32042,
}

/** The codes of errors on this side. */
export enum SdkErrorCode {
  NotConnected = "NOT_CONNECTED",
  AlreadyConnected = "ALREADY_CONNECTED",
  NotInitialized = "NOT_INITIALIZED",
  CapabilityNotSupported = "CAPABILITY_NOT_SUPPORTED",
  RequestTimeout = "REQUEST_TIMEOUT",
  ConnectionClosed = "CONNECTION_CLOSED",
  SendFailed = "SEND_FAILED",
  InvalidResult = "INVALID_RESULT",
  UnsupportedResultType = "UNSUPPORTED_RESULT_TYPE",
  InputRequiredRoundsExceeded = "INPUT_REQUIRED_ROUNDS_EXCEEDED",
  ListPaginationExceeded = "LIST_PAGINATION_EXCEEDED",
  MethodNotSupportedByProtocolVersion = "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION",
  EraNegotiationFailed = "ERA_NEGOTIATION_FAILED",
  ClientHttpNotImplemented = "CLIENT_HTTP_NOT_IMPLEMENTED",
  ClientHttpAuthentication = "CLIENT_HTTP_AUTHENTICATION",
  ClientHttpForbidden = "CLIENT_HTTP_FORBIDDEN",
  ClientHttpUnexpectedContent = "CLIENT_HTTP_UNEXPECTED_CONTENT",
  ClientHttpFailedToOpenStream = "CLIENT_HTTP_FAILED_TO_OPEN_STREAM",
  ClientHttpFailedToTerminateSession = "CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION",
}

type Constructor = abstract new (...args: never[]) => unknown;

/** Whether a class itself, not a subclass, is asked for its instances. */
function hasInstance(base: Constructor, asked: unknown, native: Constructor, value: unknown): boolean {
  return asked === base ? value instanceof native : Function.prototype[Symbol.hasInstance].call(asked, value);
}

/** An error on this side. Those that the runtime throws are instances, too. */
export class SdkError extends NativeMcpError {
  override name = "SdkError";
  declare readonly data?: unknown;

  constructor(
    readonly code: SdkErrorCode,
    message: string,
    data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, data, options);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      hasInstance(SdkError, this, NativeSdkError, value) || Function.prototype[Symbol.hasInstance].call(this, value)
    );
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }
}

export interface SdkHttpErrorData {
  status: number;
  statusText?: string;
  [key: string]: unknown;
}

/** An HTTP response that is not a message. */
export class SdkHttpError extends SdkError {
  override name = "SdkHttpError";
  declare readonly data: SdkHttpErrorData;

  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- requires `data`
  constructor(code: SdkErrorCode, message: string, data: SdkHttpErrorData, options?: ErrorOptions) {
    super(code, message, data, options);
  }

  get status(): number {
    return this.data.status;
  }

  get statusText(): string | undefined {
    return this.data.statusText;
  }
}

/** A JSON-RPC error: thrown by a handler to respond with it, or received from the peer. Those of the runtime are instances, too. */
export class ProtocolError extends NativeProtocolError {
  override name = "ProtocolError";
  declare readonly data?: unknown;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasInstance(ProtocolError, this, NativeProtocolError, value);
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }

  /** Returns the error of the class that its code and data name. */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    return (
      specificError(code, message, data as Readonly<Record<string, unknown>> | undefined) ??
      new ProtocolError(code, message, data)
    );
  }
}

/** No resource has the URI. */
export class ResourceNotFoundError extends ProtocolError {
  constructor(uri: string, message = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  get uri(): string {
    return (this.data as { uri: string }).uri;
  }
}

/** The user must visit URLs before the request can succeed. */
export class UrlElicitationRequiredError extends ProtocolError {
  constructor(
    elicitations: ElicitRequestURLParams[],
    message = `URL elicitation${elicitations.length > 1 ? "s" : ""} required`,
  ) {
    super(ProtocolErrorCode.UrlElicitationRequired, message, { elicitations });
  }

  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] }).elicitations ?? [];
  }
}

/** The peer does not support the protocol version. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  constructor(data: UnsupportedProtocolVersionErrorData, message = `Unsupported protocol version: ${data.requested}`) {
    super(ProtocolErrorCode.UnsupportedProtocolVersion, message, data);
  }

  get supported(): string[] {
    return (this.data as UnsupportedProtocolVersionErrorData).supported;
  }

  get requested(): string {
    return (this.data as UnsupportedProtocolVersionErrorData).requested;
  }
}

/** The request needs a capability that the client did not declare. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  constructor(
    data: MissingRequiredClientCapabilityErrorData,
    message = `Missing required client capabilities: ${Object.keys(data.requiredCapabilities).join(", ")}`,
  ) {
    super(ProtocolErrorCode.MissingRequiredClientCapability, message, data);
  }

  get requiredCapabilities(): ClientCapabilities {
    return (this.data as MissingRequiredClientCapabilityErrorData).requiredCapabilities;
  }
}

function specificError(
  code: number,
  message: string,
  data: Readonly<Record<string, unknown>> | undefined,
): ProtocolError | undefined {
  if (Object(data) !== data || !data) return undefined;
  const { elicitations, supported, requested, uri, requiredCapabilities } = data;
  const is = (one: number): boolean => code === one;
  if (is(ProtocolErrorCode.UrlElicitationRequired) && Array.isArray(elicitations))
    return new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message);
  if (is(ProtocolErrorCode.UnsupportedProtocolVersion) && Array.isArray(supported) && typeof requested === "string")
    return new UnsupportedProtocolVersionError({ supported: supported as string[], requested }, message);
  if (is(ProtocolErrorCode.MissingRequiredClientCapability) && Object(requiredCapabilities) === requiredCapabilities)
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: requiredCapabilities as object }, message);
  // Other errors about params may contain the URI among other members.
  const isAboutUri = is(ProtocolErrorCode.InvalidParams) && Object.keys(data).length === 1;
  return typeof uri === "string" && (isAboutUri || is(ProtocolErrorCode.ResourceNotFound))
    ? new ResourceNotFoundError(uri, message)
    : undefined;
}

/** The codes of the official SDK for those of the runtime, where the code or the text differs. */
const officialCodes: Readonly<Record<string, readonly [code: SdkErrorCode, text?: string]>> = {
  NOT_CONNECTED: [SdkErrorCode.NotConnected, "Not connected"],
  CONNECTION_CLOSED: [SdkErrorCode.ConnectionClosed, "Connection closed"],
  NOT_IN_THIS_REVISION: [SdkErrorCode.MethodNotSupportedByProtocolVersion],
  NO_COMMON_REVISION: [SdkErrorCode.EraNegotiationFailed],
  INPUT_REQUIRED_UNSUPPORTED: [SdkErrorCode.CapabilityNotSupported],
  RESPONSE_LOST: [SdkErrorCode.ConnectionClosed],
  REQUEST_CANCELLED: [SdkErrorCode.ConnectionClosed],
  CANNOT_ASK: [SdkErrorCode.MethodNotSupportedByProtocolVersion],
};

/** Converts an error of the runtime to the one that the official SDK throws in its place; other values stay as they are. */
export function toOfficialError(error: unknown): unknown {
  if (error instanceof NativeProtocolError)
    return error.constructor === ProtocolError || Object.getPrototypeOf(error.constructor) === ProtocolError
      ? error
      : ProtocolError.fromError(error.code, error.message, error.data);
  if (!(error instanceof NativeSdkError)) return error;
  if (error.code === "REQUEST_TIMEOUT" || error.code === "CONNECT_TIMEOUT") {
    const { timeoutMs: timeout } = error.data as { readonly timeoutMs?: number };
    return new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout }, { cause: error });
  }
  // The official SDK passes on errors of transports, `fetch` and providers as they are.
  if (error.code === "SEND_FAILED" && error.cause instanceof Error) return toOfficialError(error.cause);
  if (error.code === "HTTP_ERROR") {
    const { status, body: text } = error.data as { readonly status: number; readonly body: string };
    const what = `Error POSTing to endpoint: ${text}`;
    return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, what, { status, text }, { cause: error });
  }
  const [code, text = error.message] = officialCodes[error.code] ?? [];
  return code ? new SdkError(code, text, error.data, { cause: error }) : error;
}
