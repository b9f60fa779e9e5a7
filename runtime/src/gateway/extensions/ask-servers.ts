import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";

/**
 * Sends a request to one server after the other, until one knows what it is about.
 * @throws ProtocolError the first error that is not -32602; `unknown` when there is none
 */
export async function askServers(
  servers: readonly string[],
  send: (server: string) => Promise<object>,
  unknown: ProtocolError,
): Promise<object> {
  for (const server of servers) {
    try {
      return await send(server);
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code !== ErrorCode.InvalidParams) throw error;
    }
  }
  throw unknown;
}
