import { RESOURCES_READ } from "@mcpwright/protocol/names";
import { ErrorCode, RemoteError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";

/** The code that servers of older revisions use. */
export const olderNotFoundCode = -32002;

/**
 * The server does not have the resource. All revisions have this error for it, with code -32602; `cause` is the error that
 * the server sent.
 */
export class RemoteResourceNotFoundError extends RemoteError {
  override readonly name = "RemoteResourceNotFoundError";

  constructor(
    readonly uri: string,
    cause: RemoteError,
  ) {
    const { message, data } = cause;
    super(ErrorCode.InvalidParams, message, { ...(isObject(data) && data), uri }, { cause });
  }
}

/** Returns the error for the caller of a request that the server has rejected. */
export function toCallerError(error: unknown, method: string, params: object | undefined): unknown {
  const { uri } = (params ?? {}) as { readonly uri?: unknown };
  if (method !== RESOURCES_READ || typeof uri !== "string" || !(error instanceof RemoteError)) return error;
  const isNotFound =
    error.code === olderNotFoundCode ||
    (error.code === ErrorCode.InvalidParams && isObject(error.data) && error.data["uri"] === uri);
  return isNotFound && !(error instanceof RemoteResourceNotFoundError)
    ? new RemoteResourceNotFoundError(uri, error)
    : error;
}
