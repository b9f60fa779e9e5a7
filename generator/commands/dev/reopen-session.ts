import { NOTIFICATIONS_INITIALIZED } from "@mcpwright/protocol/names";
import { type JsonObject, objectAt, type RawRequest } from "./json-messages.js";
import { capabilitiesOf } from "./list-changes.js";
import type { SessionRecord } from "./session-record.js";

/** Sends messages of the relay itself to a server process. */
export interface RelayRequests {
  /** Sends the request under an id of the relay, and resolves with the response. */
  readonly request: (request: RawRequest) => Promise<JsonObject>;
  readonly notify: (message: JsonObject) => void;
}

/**
 * Opens a handshake-era session at a new process: repeats the handshake of the host, and sets log level and subscriptions again.
 * @param note called with what the user should know
 * @returns the capabilities of the new process
 * @throws Error when the server refuses the handshake or wants another revision than the host has
 */
export async function reopenSession(
  record: SessionRecord,
  initialize: RawRequest,
  { request, notify }: RelayRequests,
  note: (text: string) => void,
): Promise<JsonObject> {
  const response = await request(initialize);
  if (!("result" in response)) throw new Error(`The server refused the handshake of the host: ${errorText(response)}`);
  const { protocolVersion } = objectAt(response, "result");
  if (protocolVersion !== record.protocolVersion)
    throw new Error(
      `The host has agreed on revision ${String(record.protocolVersion)}, and the server now wants ${String(protocolVersion)}: reconnect the host`,
    );
  if (record.initialized) notify({ jsonrpc: "2.0", method: NOTIFICATIONS_INITIALIZED });
  const settings = [...(record.level ? [record.level] : []), ...record.resources.values()];
  for (const one of settings) {
    // Messages of the host need not wait for these responses.
    void request(one).then((answer) => {
      if ("error" in answer)
        note(`The server refused ${one.method}, which the host had sent before the restart: ${errorText(answer)}`);
    });
  }
  return capabilitiesOf(response["result"]);
}

export function errorText(response: JsonObject): string {
  const { message, code } = objectAt(response, "error");
  return typeof message === "string" ? message : `error ${String(code)}`;
}
