import { ErrorCode, ProtocolError } from "../engine/errors.js";
import { isObject, isRequestId, type JSONRPCErrorObject } from "../engine/json-rpc.js";
import { JSON_TYPE, SSE_TYPE } from "../http/headers.js";
import type { HttpHeaders, Responder } from "./request.js";

const jsonHeaders: HttpHeaders = { "content-type": JSON_TYPE };
const sseHeaders: HttpHeaders = {
  "content-type": SSE_TYPE,
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Headers of JSON answers; one object for all that need no others. */
export function jsonWith(more: HttpHeaders | undefined): HttpHeaders {
  return more && Object.keys(more).length > 0 ? { ...jsonHeaders, ...more } : jsonHeaders;
}

export function sseWith(more: HttpHeaders | undefined): HttpHeaders {
  return more && Object.keys(more).length > 0 ? { ...sseHeaders, ...more } : sseHeaders;
}

/** Refuses a request with a JSON-RPC error. @param to the message that is refused; its id is repeated */
export function refuse(
  responder: Responder,
  status: number,
  error: ProtocolError | string,
  headers?: HttpHeaders,
  to?: unknown,
): void {
  const { code, message, data } =
    typeof error === "string" ? new ProtocolError(ErrorCode.InvalidRequest, error) : error;
  const object: JSONRPCErrorObject = data === undefined ? { code, message } : { code, message, data };
  const id = isObject(to) && to["method"] !== undefined && isRequestId(to["id"]) ? to["id"] : undefined;
  const body = { jsonrpc: "2.0", ...(id !== undefined && { id }), error: object };
  responder.answer(status, jsonWith(headers), JSON.stringify(body));
}

export function shuttingDown(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
}
