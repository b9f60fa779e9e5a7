import type { Attributes } from "@opentelemetry/api";
import { SUBSCRIPTIONS_LISTEN, TOOLS_CALL } from "@mcpwright/protocol/names";
import { isSdkError } from "../jsonrpc/error-conversion.js";
import { ErrorCode, SdkError } from "../jsonrpc/errors.js";
import { type ObservedMessage, type Outcome, resultOf } from "./observed-message.js";

/** How an operation ended, in the terms of the conventions. */
export interface Ending {
  /** `error.type` and `rpc.response.status_code`, if they apply. */
  readonly attributes: Attributes;
  /** Whether the status of the span is an error. */
  readonly isError: boolean;
  /** The message of the error response. */
  readonly message?: string;
}

/** The code of older revisions for a resource that is not found. */
const notFound = -32002;

/** Codes that blame the caller: the side that receives the request does not count them as errors. */
const callerCodes: readonly number[] = [
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  notFound,
];

/** @param isReceived whether this side has received the message */
export function endingOf({ method }: ObservedMessage, outcome: Outcome, isReceived: boolean): Ending {
  if ("error" in outcome)
    return method === SUBSCRIPTIONS_LISTEN && isRegularEnd(outcome.error)
      ? { attributes: {}, isError: false }
      : { attributes: { "error.type": errorType(outcome.error) }, isError: true };
  if ("errorResponse" in outcome) {
    const { code, message } = outcome.errorResponse;
    const isError = !isReceived || !callerCodes.includes(code);
    const text = String(code);
    return {
      attributes: { "rpc.response.status_code": text, ...(isError && { "error.type": text }) },
      isError,
      message,
    };
  }
  const isError = method === TOOLS_CALL && resultOf(outcome)?.["isError"] === true;
  return { attributes: isError ? { "error.type": "tool_error" } : {}, isError };
}

/** Whether a side has ended the stream, or closed the connection. */
function isRegularEnd(error: unknown): boolean {
  return (
    isSdkError(error, "REQUEST_CANCELLED") || (isSdkError(error, "CONNECTION_CLOSED") && error.cause === undefined)
  );
}

/** The class of an error without a response: the code of an `SdkError`, or the name of another one. */
export function errorType(error: unknown): string {
  if (error instanceof SdkError) return error.code;
  return error instanceof Error && error.name !== "" ? error.name : "_OTHER";
}
