import type { ServerConnection, ServerContext } from "../../server/contracts.js";

const asked = /* @__PURE__ */ new WeakSet<ServerConnection>();

/** Called when a client of the handshake era sets a log level. */
export function wishLogs(connection: ServerConnection): void {
  asked.add(connection);
}

/** Whether a client has asked for log messages. Without a level, it is up to the server whether a session gets any. */
export function wantsLogs({ session, connection, client }: ServerContext): boolean {
  return session ? asked.has(connection) : client.logLevel !== undefined;
}
