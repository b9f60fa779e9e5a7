import type { IncomingMessage, ServerResponse } from "node:http";
import {
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "../server/streamable-http-transport.js";
import type { ScopeChallengeHandler } from "../server/scope-challenge.js";
import type { Transport } from "../shared/transport.js";
import type { AuthInfo, JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";
import { type NodeMcpRequestHandler, toNodeHandler } from "./node-handler.js";

export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions;

/** Serves one session, or one request, of a client with a handshake, with the requests of Node. */
export class NodeStreamableHTTPServerTransport implements Transport {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #handle: NodeMcpRequestHandler;

  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    const transport = new WebStandardStreamableHTTPServerTransport(options);
    const { maxRequestBodySize } = options;
    this.#transport = transport;
    this.#handle = toNodeHandler(
      { fetch: (request, given) => transport.handleRequest(request, given) },
      {
        onerror: (error) => transport.onerror?.(error),
        ...(maxRequestBodySize !== undefined && { maxRequestBodySize }),
      },
    );
  }

  /** Present from the initialization on, if the transport has sessions. */
  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  get onclose(): (() => void) | undefined {
    return this.#transport.onclose;
  }

  set onclose(listener: (() => void) | undefined) {
    Object.assign(this.#transport, { onclose: listener });
  }

  get onerror(): ((error: Error) => void) | undefined {
    return this.#transport.onerror;
  }

  set onerror(listener: ((error: Error) => void) | undefined) {
    Object.assign(this.#transport, { onerror: listener });
  }

  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this.#transport.onmessage;
  }

  set onmessage(listener: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    Object.assign(this.#transport, { onmessage: listener });
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId | undefined }): Promise<void> {
    return this.#transport.send(message, options);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#transport.setSupportedProtocolVersions(versions);
  }

  /** Sets the scopes that requests need. */
  setScopeChallengeResolver(resolver: ScopeChallengeHandler): void {
    this.#transport.setScopeChallengeResolver(resolver);
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

  /** Ends the stream of a request, which the client then resumes. */
  closeSSEStream(requestId: RequestId): void {
    this.#transport.closeSSEStream(requestId);
  }

  /** Ends the stream of messages that belong to no request. */
  closeStandaloneSSEStream(): void {
    this.#transport.closeStandaloneSSEStream();
  }
}
