import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { Revisions } from "../connection/revisions.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { RequestChecks } from "../transport/request-checks.js";
import type { ClientDescription, Session } from "./client-description.js";
import { identifyBySession } from "./handshake/identify-client.js";
import { identifyByMeta } from "./stateless/identify-client.js";

/**
 * Decides the era of a request and identifies its client: a request whose metadata names a protocol version belongs to the
 * stateless era, if the server has revisions of it; any other belongs to the session.
 * @throws ProtocolError the response to a request that is not served
 */
export function identifyClient(
  revisions: Revisions,
  session: Session | undefined,
  request: JSONRPCRequest,
  checks: RequestChecks | undefined,
): ClientDescription {
  const meta = request.params?._meta;
  return meta?.[META_PROTOCOL_VERSION] !== undefined && revisions.stateless.size > 0
    ? identifyByMeta(revisions, meta, request, checks)
    : identifyBySession(revisions, session, request);
}
