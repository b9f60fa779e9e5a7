import type { Side } from "@mcpwright/protocol/contract";
import { META_SERVER_INFO, SERVER_DISCOVER } from "@mcpwright/protocol/names";
import { InvalidResultError } from "@mcpwright/protocol/support";
import type { DiscoverResult } from "../../authoring.js";
import type { CallOptions } from "../../connection/call-options.js";
import { invalidResultError, readTolerantResult } from "../../connection/read-tolerant-result.js";
import type { Revisions } from "../../connection/revisions.js";
import { isSdkError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, RemoteError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { ClientConnection } from "../client-connection.js";
import { noCommonRevisionError, supportedVersionsIn } from "../negotiation-errors.js";
import type { NegotiationResult } from "../negotiation-result.js";

/** The result of a probe; `handshake`: the server belongs to the handshake era. */
export type ProbeResult = "agreed" | "handshake";

/**
 * Sends `server/discover` in the newest revision of the stateless era, and negotiates a common revision. If another
 * negotiation completes first, the response is ignored.
 * @throws SdkError `NO_COMMON_REVISION`; `INVALID_RESULT` when a server of this era returns an incomplete result
 * @throws other errors of the request, if they do not show the era
 */
export async function probeRevision(
  connection: ClientConnection,
  revisions: Revisions,
  options?: CallOptions,
): Promise<ProbeResult> {
  const [newest] = revisions.stateless.values();
  if (!newest) return "handshake";
  const { negotiated } = connection;
  connection.setRevision(newest);
  let isLost = false;
  let isRefused = false;
  for (let attempted: Side = newest; ;) {
    let answer: unknown;
    try {
      answer = await connection.request(SERVER_DISCOVER, undefined, options);
    } catch (error) {
      if (isUnknownRequestError(error, true)) return "handshake";
      if (isSdkError(error, "RESPONSE_LOST") && !isLost && connection.side === attempted) {
        isLost = true;
        continue;
      }
      const { unsupportedVersionCode, missingCapabilityCode } = newest.profile;
      const serverVersions = supportedVersionsIn(error);
      // Only servers of this era use these codes, so the era is known even if the request failed for another reason.
      const isTheirs = [unsupportedVersionCode, missingCapabilityCode, ErrorCode.HeaderMismatch];
      if (error instanceof RemoteError && !isTheirs.includes(error.code)) return "handshake";
      if (!(error instanceof RemoteError) || error.code !== unsupportedVersionCode || !serverVersions) throw error;
      const next = chooseRevision(revisions, serverVersions);
      // If another revision is in use by now, this response came too late.
      if (next === "handshake" || connection.side !== attempted) return "handshake";
      if (isRefused) throw error;
      isRefused = true;
      connection.setRevision((attempted = next));
      continue;
    }
    return connection.negotiated === negotiated ? adoptDiscovery(connection, revisions, answer) : "handshake";
  }
}

/**
 * Negotiates a common revision with the result of `server/discover`.
 * @throws SdkError `NO_COMMON_REVISION`; `INVALID_RESULT` when the result is incomplete
 */
export function adoptDiscovery(connection: ClientConnection, revisions: Revisions, answer: unknown): ProbeResult {
  const supported = isObject(answer) ? answer["supportedVersions"] : undefined;
  // Otherwise it is another kind of server, which responds to any request.
  if (!Array.isArray(supported)) return "handshake";
  const side = chooseRevision(revisions, supported as string[]);
  if (side === "handshake") return side;
  connection.setNegotiated(negotiationResult(connection, side, answer));
  return "agreed";
}

function negotiationResult(connection: ClientConnection, side: Side, answer: unknown): NegotiationResult {
  const row = side.receives.results[SERVER_DISCOVER];
  if (!row) throw new TypeError(`revision ${side.revision} does not have ${SERVER_DISCOVER}`);
  try {
    const read = readTolerantResult(SERVER_DISCOVER, row, side, undefined, answer) as unknown as DiscoverResult;
    const { capabilities: serverCapabilities, instructions, _meta } = read;
    return { side, serverCapabilities, serverInfo: _meta?.[META_SERVER_INFO], instructions, discovered: read };
  } catch (error) {
    if (!(error instanceof InvalidResultError)) throw error;
    throw invalidResultError(error, connection.explain(side, error.rejected?.predicate, error.rejected?.value));
  }
}

/**
 * Whether an HTTP server responded as to an unknown request: without a message, server failure or authorization challenge.
 * @param isProbe also counts a success without a message, which for other requests may mean that they were carried out
 */
export function isUnknownRequestError(error: unknown, isProbe = false): boolean {
  if (!isSdkError(error, "HTTP_ERROR")) return false;
  const { status } = error.data as { readonly status: number };
  return (
    (isProbe && status < 300) ||
    (status >= 400 && status < 500 && ![401, 403, 407, 408, 413, 429, 431].includes(status))
  );
}

function chooseRevision(revisions: Revisions, serverVersions: readonly string[]): Side | "handshake" {
  for (const side of revisions.stateless.values()) if (serverVersions.includes(side.revision)) return side;
  if (revisions.handshake.some(({ revision }) => serverVersions.includes(revision))) return "handshake";
  throw noCommonRevisionError(revisions.ids, serverVersions);
}
