import type { IncomingMessage, ServerResponse } from "node:http";
import {
  ScopedHttpTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "../server/streamable-http-transport.js";
import type { AuthInfo } from "../types/index.js";
import { type NodeMcpRequestHandler, serveNode } from "./node-handler.js";

export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions;

/** Serves one session, or one request, of a client with a handshake, with the requests of Node. */
export class NodeStreamableHTTPServerTransport extends ScopedHttpTransport {
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
    request: IncomingMessage & { auth?: AuthInfo | undefined },
    response: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    return this.#handle(request, response, parsedBody);
  }
}
