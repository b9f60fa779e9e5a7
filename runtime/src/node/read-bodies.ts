import { decodeUtf8 } from "./decode-utf8.js";
import type { HttpEndpoint } from "../http-server/host-adapter.js";

/** Also receives bodies that a middleware has read but not parsed: text, and bytes, as of `express.raw()`. */
export function withReadBodies(endpoint: HttpEndpoint): HttpEndpoint {
  const { maxBodyBytes, writeTimeoutMs } = endpoint;
  return {
    maxBodyBytes,
    writeTimeoutMs,
    receiveHead: (request, responder) => endpoint.receiveHead(request, responder),
    rejectTooLarge: (request, responder) => endpoint.rejectTooLarge(request, responder),
    receiveText: (request, body, responder) => endpoint.receiveText(request, body, responder),
    receiveMessage(request, message, responder) {
      const bytes = typeof message === "string" || message instanceof Uint8Array ? Buffer.from(message) : undefined;
      if (!bytes) endpoint.receiveMessage(request, message, responder);
      else if (bytes.length > maxBodyBytes) endpoint.rejectTooLarge(request, responder);
      else endpoint.receiveText(request, decodeUtf8(bytes), responder);
    },
  };
}
