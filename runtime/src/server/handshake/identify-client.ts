import { INITIALIZE, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION, PING } from "@mcpwright/protocol/names";
import type { Revisions } from "../../connection/revisions.js";
import { ErrorCode, ProtocolError, UnsupportedProtocolVersionError } from "../../jsonrpc/errors.js";
import type { JSONRPCRequest } from "../../jsonrpc/message-types.js";
import { type ClientDescription, Session } from "../client-description.js";

/**
 * Identifies the client of a request that does not name its revision: it belongs to the session, or opens one.
 * @throws ProtocolError -32600 for a second `initialize`; -32602 for any method except `ping` before the first; the code for
 *   unsupported versions when no handshake-era revision is supported
 */
export function identifyBySession(
  revisions: Revisions,
  session: Session | undefined,
  request: JSONRPCRequest,
): ClientDescription {
  const { method, params } = request;
  if (session) {
    if (method === INITIALIZE) throw alreadyInitializedError();
    return session;
  }
  const [newest] = revisions.handshake;
  if (newest && (method === INITIALIZE || method === PING)) {
    // The requested revision validates the params: members that it does not define may have any shape.
    const asked = revisions.handshake.find(({ revision }) => revision === params?.["protocolVersion"]);
    return new Session(asked ?? newest, {}, undefined, undefined, {});
  }
  const supported = revisions.ids;
  if (!newest && method === INITIALIZE) {
    const requested = params?.["protocolVersion"];
    throw new UnsupportedProtocolVersionError(
      revisions.unsupportedVersionCode,
      supported,
      typeof requested === "string" ? requested : "unknown",
    );
  }
  const keys = `params._meta["${META_PROTOCOL_VERSION}"] and ["${META_CLIENT_CAPABILITIES}"]`;
  const ways = newest
    ? revisions.stateless.size > 0
      ? `call ${INITIALIZE} first, or send ${keys}`
      : `call ${INITIALIZE} first`
    : `send ${keys}`;
  throw new ProtocolError(ErrorCode.InvalidParams, `Unknown protocol version: ${ways}`, { supported });
}

export function alreadyInitializedError(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidRequest, "Invalid Request: already initialized");
}
