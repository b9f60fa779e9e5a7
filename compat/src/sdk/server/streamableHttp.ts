import type { IncomingMessage, ServerResponse } from "node:http";
import { type NodeMcpRequestHandler, serveNode } from "../../node/node-handler.js";
import type { AuthInfo } from "../messages.js";
import type { SessionHttpTransportOptions } from "../../server/session-http-transport.js";
import { SdkHttpTransport } from "./session-http-transport.js";

export type { EventId, EventStore, StreamId } from "../../server/event-store.js";
export type StreamableHTTPServerTransportOptions = SessionHttpTransportOptions;

/** Streamable HTTP for one session, or for one request without a session, with the requests of Node. */
export class StreamableHTTPServerTransport extends SdkHttpTransport {
  readonly #handle: NodeMcpRequestHandler;

  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    super(options);
    const { maxRequestBodySize } = options;
    this.#handle = serveNode((request, given) => this.serve(request, given), {
      onerror: (error) => this.onerror?.(error),
      ...(maxRequestBodySize !== undefined && { maxRequestBodySize }),
    });
  }

  /**
   * Handles a request of the client.
   * @param parsedBody the value of the body, if a framework has read it already
   */
  handleRequest(
    req: IncomingMessage & { auth?: AuthInfo | undefined },
    res: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    return this.#handle(req, res, parsedBody);
  }
}
