import { ProtocolError as NativeProtocolError } from "@mcpwright/runtime/errors";
import { SdkError, SdkErrorCode, toOfficialError } from "../shared/errors.js";
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

/** Converts an error of the runtime, or of version 2 of the official SDK. */
export function toMcpError(error: unknown): unknown {
  const ofTransport = transportErrorOf(error);
  if (ofTransport) return ofTransport;
  const known = toOfficialError(error);
  if (known instanceof NativeProtocolError) return McpError.fromError(known.code, known.message, known.data);
  if (!(known instanceof SdkError)) return known;
  switch (known.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpError(ErrorCode.RequestTimeout, known.message, known.data);
    case SdkErrorCode.ConnectionClosed:
      return new McpError(ErrorCode.ConnectionClosed, "Connection closed");
    case SdkErrorCode.NotConnected:
      return new Error("Not connected");
    default:
      return error;
  }
}
