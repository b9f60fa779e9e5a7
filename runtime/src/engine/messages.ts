import type { RequestId } from "@mcpwright/protocol/contract";
import { SdkError, type SdkErrorCode } from "./errors.js";
import type { JSONRPCRequest, Params } from "./json-rpc.js";

/** Params with further metadata; what was there before wins nothing and loses nothing. */
export function withMeta(params: object | undefined, meta: object): object {
  return Object.assign({}, params, { _meta: { ...(params as Params | undefined)?._meta, ...meta } });
}

export function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Whatever was thrown, as an error. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  try {
    return new Error(String(thrown));
  } catch {
    return new Error("something was thrown that has no text", { cause: thrown });
  }
}

export function isSdkError(error: unknown, code: SdkErrorCode): error is SdkError {
  return error instanceof SdkError && error.code === code;
}

/** A request; without an id, a notification. */
export function createMessage(method: string, params: object | undefined, id?: RequestId): JSONRPCRequest {
  // Whoever takes messages as objects tells notifications by the absence of the member.
  return (
    id === undefined ? { jsonrpc: "2.0", method, params } : { jsonrpc: "2.0", id, method, params }
  ) as JSONRPCRequest;
}

export function connectionClosedError(cause: Error | undefined): SdkError {
  if (isSdkError(cause, "SESSION_LOST")) return cause;
  const why = cause ? `: ${cause.message}` : "";
  return new SdkError("CONNECTION_CLOSED", `the connection was closed${why}`, undefined, { cause });
}
