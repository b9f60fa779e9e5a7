import { NOTIFICATIONS_MESSAGE, ROOTS_LIST } from "@mcpwright/protocol/names";
import { checkInputRequest } from "../../input-requests/check-input-request.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerConnection } from "../../server/contracts.js";
import { readInputResponse } from "../../server/handshake/input-requests.js";
import { levels } from "../../server/log-levels.js";
import { toServerError } from "./client-error.js";
import type { LogMessage } from "./forwarded-call.js";

/** Sends a question of a server that belongs to no request to the client of a session of the handshake era. */
export async function askSession(
  connection: ServerConnection,
  method: string,
  params: object,
  signal: AbortSignal,
): Promise<object> {
  const { server, session } = connection;
  if (!session) throw new ProtocolError(ErrorCode.InternalError, `${method}: the client has no session`);
  const request = method === ROOTS_LIST ? { method } : { method, params };
  try {
    const row = checkInputRequest(session.side, session.capabilities, request);
    const converted = request.params && server.inputRequestConverter.convert(session.side, method, request.params);
    const response = await connection.request(method, converted, { signal });
    return readInputResponse({ connection, client: session }, method, row, request, response);
  } catch (error) {
    throw toServerError(error);
  }
}

/** Sends a log message that belongs to no request to the client of a session of the handshake era, if it wants the level. */
export function logToSession(connection: ServerConnection, { level, data, logger }: LogMessage): void {
  const wanted = connection.session?.logLevel;
  if (wanted === undefined || levels.indexOf(level) < levels.indexOf(wanted)) return;
  const message = { level, data, ...(logger !== undefined && { logger }) };
  connection.notifyInBackground(NOTIFICATIONS_MESSAGE, message);
}
