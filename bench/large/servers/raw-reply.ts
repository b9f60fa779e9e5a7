/** The floor's reply: an object with the result, and one JSON.stringify. */
import { info, largeContent, protocolVersion } from "./result.js";

interface Request {
  readonly id?: number;
  readonly method: string;
}

export function rawReply({ id, method }: Request): string | undefined {
  if (id === undefined) return undefined;
  const result =
    method === "tools/call"
      ? { content: largeContent() }
      : { protocolVersion, capabilities: { tools: {} }, serverInfo: info };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}
