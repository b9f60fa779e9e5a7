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
 * Opens a handshake-era connection, unless something else is agreed on meanwhile.
 * @throws SdkError `NO_COMMON_REVISION` when the server answers with a version that is not ours; `INVALID_RESULT`
 * @throws RemoteError when the server refuses
 */
export async function initialize(
  connection: ClientConnection,
  revisions: Revisions,
  options?: CallOptions,
): Promise<void> {
  const [newest] = revisions.handshake;
  if (!newest)
    throw new SdkError("NO_COMMON_REVISION", "the server wants a handshake, which no revision of this client has");
  const { negotiated, capabilities, info: clientInfo } = connection;
  const initialize = (side: Side): Promise<unknown> => {
    connection.setRevision(side);
    return connection.request(INITIALIZE, { protocolVersion: side.revision, capabilities, clientInfo }, options);
  };
  let answer = await initialize(newest).catch((error: unknown) => {
    // A server that insists on a version of its own says which ones it has.
    const serverVersions = connection.negotiated === negotiated ? supportedVersionsIn(error) : undefined;
    const other = revisions.handshake.find(({ revision }) => serverVersions?.includes(revision));
    if (!other || other === newest) throw error;
    return initialize(other);
  });
  if (connection.negotiated !== negotiated) return;
  const { protocolVersion } = answer as Partial<InitializeResult>;
  const side = revisions.handshake.find(({ revision }) => revision === protocolVersion);
  if (!side && typeof protocolVersion === "string") throw noCommonRevisionError(revisions.ids, [protocolVersion]);
  // Its own revision says what it may be.
  const row = side?.receives.results[INITIALIZE];
  if (row && !row.result(answer)) answer = applyTolerances(answer, row, side.receives);
  if (!side || !row?.result(answer))
    throw new SdkError("INVALID_RESULT", `${INITIALIZE} was answered by something else`, answer);
  const { capabilities: serverCapabilities, serverInfo, instructions } = answer as InitializeResult;
  connection.setNegotiated({ side, serverCapabilities, serverInfo, instructions });
  connection.transport.setProtocolVersion?.(side.revision);
  await connection.notify(NOTIFICATIONS_INITIALIZED);
}
