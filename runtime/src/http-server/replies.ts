import type { RequestId } from "@mcpwright/protocol/contract";
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
export function withJsonHeaders(more: HttpHeaders): HttpHeaders {
  return mergeHeaders(jsonHeaders, more);
}

export function withSseHeaders(more: HttpHeaders): HttpHeaders {
  return mergeHeaders(sseHeaders, more);
}

function mergeHeaders(usual: HttpHeaders, more: HttpHeaders): HttpHeaders {
  return Object.keys(more).length > 0 ? { ...usual, ...more } : usual;
}

/** Thrown where a request is not served: the status and the error that say so. */
export class HttpRejection extends Error {
  constructor(
    readonly status: number,
    /** As a text, what makes it an invalid request. */
    readonly error: ProtocolError | string,
    readonly headers?: HttpHeaders,
  ) {
    super();
  }
}

/** Refuses a request with a JSON-RPC error. @param to the message that is refused; its id is repeated */
export function sendRejection(
  responder: Responder,
  { status, error, headers }: HttpRejection,
  usual: HttpHeaders,
  to?: unknown,
): void {
  const { code, message, data } =
    typeof error === "string" ? new ProtocolError(ErrorCode.InvalidRequest, error) : error;
  const [id] = Array.isArray(to) ? [] : requestIds(to);
  const text = JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  responder.respond(status, withJsonHeaders({ ...usual, ...headers }), text);
}

/** The ids of the requests in a message or batch; there are no batches in batches. */
export function requestIds(message: unknown): RequestId[] {
  if (Array.isArray(message)) return message.filter((one) => !Array.isArray(one)).flatMap(requestIds);
  return isObject(message) && message["method"] !== undefined && isRequestId(message["id"]) ? [message["id"]] : [];
}

export function tooManyError(what: "requests" | "sessions" | "streams"): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `Too many ${what}; try again later`);
}

export function shuttingDownError(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
}
