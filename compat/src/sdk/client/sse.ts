import { SSEClientTransport as ModernTransport } from "../../client/sse.js";
import { SdkHttpError } from "../../shared/errors.js";
import type { JSONRPCMessage } from "../messages.js";
import { standIn } from "../shared/transport-errors.js";

export { SseError, type SSEClientTransportOptions } from "../../client/sse.js";

/**
 * The client's end of HTTP+SSE.
 * @deprecated since 2025-03-26: use `StreamableHTTPClientTransport`
 */
export class SSEClientTransport extends ModernTransport {
  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } catch (error) {
      if (!(error instanceof SdkHttpError)) throw error;
      const { status, text } = error.data;
      throw standIn(new Error(`Error POSTing to endpoint (HTTP ${status}): ${String(text)}`), error.cause);
    }
  }
}
