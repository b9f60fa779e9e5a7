import { ErrorCode, ProtocolError } from "../engine/errors.js";
import { isObject, isRequestId } from "../engine/json-rpc.js";
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
  return joined(jsonHeaders, more);
}

export function sseWith(more: HttpHeaders | undefined): HttpHeaders {
  return joined(sseHeaders, more);
}

function joined(usual: HttpHeaders, more: HttpHeaders | undefined): HttpHeaders {
  return more && Object.keys(more).length > 0 ? { ...usual, ...more } : usual;
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
  const id = isObject(to) && to["method"] !== undefined && isRequestId(to["id"]) ? to["id"] : undefined;
  responder.answer(status, jsonWith(headers), JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
}

export function tooMany(what: "requests" | "sessions" | "streams"): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `Too many ${what}; try again later`);
}

export function shuttingDown(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
}
