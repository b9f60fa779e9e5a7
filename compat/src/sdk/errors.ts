import { ProtocolError as NativeProtocolError, SdkError as NativeSdkError } from "@mcpwright/runtime/errors";
import type { ElicitRequestURLParams } from "./messages.js";
import { ErrorCode } from "../types/error-code.js";
import { transportErrorOf } from "./shared/transport-errors.js";

export { ErrorCode } from "../types/error-code.js";

/** A JSON-RPC error: thrown by a handler to respond with it, or received from the peer. `message` begins with the code. */
export class McpError extends Error {
  override name = "McpError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(`MCP error ${code}: ${message}`);
  }

  /** Returns the error of the class that its code and data name. */
  static fromError(code: number, message: string, data?: unknown): McpError {
    const { elicitations } = Object(data) as { elicitations?: ElicitRequestURLParams[] };
    return code === UrlElicitationRequiredError.code && elicitations
      ? new UrlElicitationRequiredError(elicitations, message)
      : new McpError(code, message, data);
  }
}

/** The user must visit URLs before the request can succeed. */
export class UrlElicitationRequiredError extends McpError {
  static readonly code: number = ErrorCode.UrlElicitationRequired;

  constructor(
    elicitations: ElicitRequestURLParams[],
    message = `URL elicitation${elicitations.length > 1 ? "s" : ""} required`,
  ) {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations });
  }

  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] }).elicitations ?? [];
  }
}

/** Converts an error of a request that was sent. */
export function toMcpError(error: unknown): unknown {
  const ofTransport = transportErrorOf(error);
  if (ofTransport) return ofTransport;
  if (error instanceof NativeProtocolError) return McpError.fromError(error.code, error.message, error.data);
  if (!(error instanceof NativeSdkError)) return error;
  switch (error.code) {
    case "REQUEST_TIMEOUT": {
      const { timeoutMs: timeout } = error.data as { readonly timeoutMs?: number };
      return new McpError(ErrorCode.RequestTimeout, "Request timed out", { timeout });
    }
    case "CONNECTION_CLOSED":
    case "RESPONSE_LOST":
      return new McpError(ErrorCode.ConnectionClosed, "Connection closed");
    case "NOT_CONNECTED":
      return new Error("Not connected");
    // The official SDK passes on errors of `fetch` and of providers as they are.
    case "SEND_FAILED":
      return error.cause instanceof Error ? toMcpError(error.cause) : error;
    default:
      return error;
  }
}
