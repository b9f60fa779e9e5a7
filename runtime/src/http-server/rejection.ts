import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import type { Refusal } from "../jsonrpc/refusal.js";
import type { HttpHeaders, Responder } from "./host-adapter.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import { withJsonHeaders } from "./response-headers.js";

/** Thrown when a request is rejected: contains the status and the error of the response. */
export class HttpRejection extends Error {
  constructor(
    readonly status: number,
    /** The error; a string is the message of an `InvalidRequest` error. */
    readonly error: Pick<ProtocolError, "code" | "message" | "data"> | string,
    readonly headers?: HttpHeaders,
  ) {
    super();
  }
}

/** Rejects a request with a JSON-RPC error. @param to the rejected message, whose id the response repeats */
export function sendRejection(
  responder: Pick<Responder, "respond">,
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

/** The headers of the response to a refused request, such as the time after which it may be sent again. */
export function refusalHeaders({ retryAfter, headers }: Refusal): HttpHeaders | undefined {
  return retryAfter === undefined ? headers : { ...headers, "retry-after": String(retryAfter) };
}

export function tooManyError(what: "requests" | "sessions" | "streams"): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `Too many ${what}; try again later`);
}

/** Rejects a session. @param seconds after which there may be room for it */
export function tooManySessionsRejection(seconds: number): HttpRejection {
  return new HttpRejection(
    503,
    tooManyError("sessions"),
    Number.isFinite(seconds) ? { "retry-after": String(seconds) } : {},
  );
}

/** Rejects a request until others have ended, which usually takes seconds at most. */
export function busyRejection(): HttpRejection {
  return new HttpRejection(503, tooManyError("requests"), { "retry-after": "1" });
}

export function shuttingDownRejection(): HttpRejection {
  return new HttpRejection(503, shuttingDownError(), { "retry-after": "1" });
}

export function shuttingDownError(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
}

/** Rejects a request of a session that has ended at this node. One that shuts down leaves its sessions to others. */
export function releasedRejection({ isDraining }: { readonly isDraining: boolean }): HttpRejection {
  return isDraining ? shuttingDownRejection() : sessionEndedRejection();
}

export function sessionEndedRejection(): HttpRejection {
  return new HttpRejection(404, "The session has ended");
}

export function unknownEventRejection(): HttpRejection {
  return new HttpRejection(400, "Last-Event-ID does not name a stored event of this session");
}

/** Rejects a request because the backplane of the server does not respond, or has no room. */
export function unavailableRejection(): HttpRejection {
  const error = new ProtocolError(
    ErrorCode.InternalError,
    "The server is not available at the moment; try again later",
  );
  return new HttpRejection(503, error, { "retry-after": "1" });
}
