import type { Side } from "@mcpwright/protocol/contract";
import { INITIALIZE, NOTIFICATIONS_INITIALIZED } from "@mcpwright/protocol/names";
import type { Implementation, ServerCapabilities } from "../../authoring.js";
import { applyTolerances } from "../../connection/apply-tolerances.js";
import type { CallOptions } from "../../connection/call-options.js";
import type { Revisions } from "../../connection/revisions.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ClientConnection } from "../client-connection.js";
import { noCommonRevisionError, supportedVersionsIn } from "../negotiation-errors.js";

interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/**
 * Opens a connection of the handshake era, unless another negotiation completes first.
 * @throws SdkError `NO_COMMON_REVISION` when the server responds with a version that the client lacks; `INVALID_RESULT`
 * @throws RemoteError when the server rejects the request
 */
export async function initialize(
  connection: ClientConnection,
  revisions: Revisions,
  options?: CallOptions,
): Promise<void> {
  const [newest] = revisions.handshake;
  if (!newest)
    throw new SdkError(
      "NO_COMMON_REVISION",
      "the server needs a handshake, which no revision in the option revisions has",
    );
  const { negotiated, info: clientInfo } = connection;
  const initialize = (side: Side): Promise<unknown> => {
    connection.setRevision(side);
    const { capabilities } = connection;
    return connection.request(INITIALIZE, { protocolVersion: side.revision, capabilities, clientInfo }, options);
  };
  let answer = await initialize(newest).catch((error: unknown) => {
    // A server that rejects our version lists the ones that it supports.
    const serverVersions = connection.negotiated === negotiated ? supportedVersionsIn(error) : undefined;
    const other = revisions.handshake.find(({ revision }) => serverVersions?.includes(revision));
    if (!other || other === newest) throw error;
    return initialize(other);
  });
  if (connection.negotiated !== negotiated) return;
  const { protocolVersion } = answer as Partial<InitializeResult>;
  const side = revisions.handshake.find(({ revision }) => revision === protocolVersion);
  if (!side && typeof protocolVersion === "string") throw noCommonRevisionError(revisions.ids, [protocolVersion]);
  // The negotiated revision defines the valid results.
  const row = side?.receives.results[INITIALIZE];
  if (row && !row.result(answer)) answer = applyTolerances(answer, row, side.receives);
  if (!side || !row?.result(answer)) {
    const known = side && connection.explain(side, row?.result, answer);
    const message = `the server responded to ${INITIALIZE} with an invalid result${known ? `: ${known.text}` : ""}`;
    throw new SdkError("INVALID_RESULT", message, { issues: known?.issues ?? [], result: answer });
  }
  const { capabilities: serverCapabilities, serverInfo, instructions } = answer as InitializeResult;
  connection.setNegotiated({ side, serverCapabilities, serverInfo, instructions });
  connection.transport.setProtocolVersion?.(side.revision);
  await connection.notify(NOTIFICATIONS_INITIALIZED);
}
