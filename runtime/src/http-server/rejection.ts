import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import type { HttpHeaders, Responder } from "./host-adapter.js";
import { requestIds } from "./request-ids.js";
import { withJsonHeaders } from "./response-headers.js";

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

export function tooManyError(what: "requests" | "sessions" | "streams"): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `Too many ${what}; try again later`);
}

export function shuttingDownError(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
}
