import { INITIALIZE, NOTIFICATIONS_INITIALIZED } from "@mcpwright/protocol/names";
import type { Implementation, ServerCapabilities } from "../authoring.js";
import type { ClientConnection } from "../client/connection.js";
import { SdkError } from "../engine/errors.js";
import { forgive } from "../engine/forgive.js";
import type { CallOptions } from "../engine/pending.js";
import type { Revisions } from "../server/revisions.js";

interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/**
 * Opens a handshake-era connection.
 * @throws SdkError `NO_COMMON_REVISION` when the server answers with a version that is not ours; `INVALID_RESULT`
 * @throws RemoteError when the server refuses
 */
export async function openByHandshake(
  connection: ClientConnection,
  revisions: Revisions,
  options?: CallOptions,
): Promise<void> {
  const [newest] = revisions.handshake;
  if (!newest)
    throw new SdkError("NO_COMMON_REVISION", "the server wants a handshake, which no revision of this client has");
  connection.speak(newest);
  const { capabilities, info: clientInfo } = connection;
  const params = { protocolVersion: newest.revision, capabilities, clientInfo };
  const row = connection.row(INITIALIZE);
  let answer = await connection.request(INITIALIZE, params, options);
  if (!row.result(answer)) answer = forgive(answer, row, newest.receives);
  if (!row.result(answer)) throw new SdkError("INVALID_RESULT", `${INITIALIZE} was answered by something else`, answer);
  const { protocolVersion, capabilities: serverCapabilities, serverInfo, instructions } = answer as InitializeResult;
  const side = revisions.handshake.find(({ revision }) => revision === protocolVersion);
  if (!side) throw noCommonRevision(revisions.ids, [protocolVersion]);
  connection.agree({ side, serverCapabilities, serverInfo, instructions });
  connection.transport.setProtocolVersion?.(side.revision);
  await connection.notify(NOTIFICATIONS_INITIALIZED);
}

export function noCommonRevision(ours: readonly string[], theirs: readonly string[], cause?: unknown): SdkError {
  const message = `client and server share no revision: this client speaks ${ours.join(", ")}, the server ${theirs.join(", ")}`;
  return new SdkError("NO_COMMON_REVISION", message, { ours, theirs }, { cause });
}
