import { LineBuffer } from "../../shared/stdio-framing.js";
import { JSONRPCMessageSchema } from "../../types/sdk-public-schemas.js";
import type { JSONRPCMessage } from "../messages.js";

export { serializeMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from "../../shared/stdio-framing.js";

/** @throws SyntaxError for a line that is not JSON, ZodError for JSON that is not a message */
export function deserializeMessage(line: string): JSONRPCMessage {
  return JSONRPCMessageSchema.parse(JSON.parse(line));
}

/** Splits received bytes into messages: one per line. */
export class ReadBuffer extends LineBuffer {
  /**
   * Returns the next message, or null when it is not complete.
   * @throws as `deserializeMessage` does for the line, which is then skipped
   */
  readMessage(): JSONRPCMessage | null {
    const line = this.readLine();
    return line === undefined ? null : deserializeMessage(line);
  }
}
