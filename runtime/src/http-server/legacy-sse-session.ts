import { event, KEEP_ALIVE, namedEvent } from "../http/sse.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { Transport } from "../transport/transport.js";
import type { EndpointContext } from "./endpoint-context.js";
import type { BodyWriter, HttpRequest, DisconnectListener, Responder } from "./host-adapter.js";
import type { HostedConnection } from "./hosted-server.js";
import { principalKey } from "./principal-key.js";
import { withSseHeaders } from "./response-headers.js";

/**
 * A session of an HTTP+SSE client (MCP 2024-11-05): the client receives all messages on one stream and sends its own by
 * POST. The session ends with the stream.
 * @deprecated since 2025-03-26: clients should use Streamable HTTP
 */
export class LegacySseSession implements Transport, DisconnectListener {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  lastSentAt = 0;
  setIndex: number | undefined;
  readonly owner: string | undefined;
  readonly connection: HostedConnection;
  readonly #writer: BodyWriter;
  #open = true;

  /** @param postUrl the URL to which the client must send its messages */
  constructor(
    readonly endpoint: EndpointContext,
    readonly sessionId: string,
    request: HttpRequest,
    responder: Responder,
    postUrl: string,
  ) {
    this.owner = principalKey(request.principal);
    this.#writer = responder.startStream(200, withSseHeaders(endpoint.originPolicy.headers(request)));
    responder.disconnectListener = this;
    this.connection = endpoint.server.accept(this);
    this.#writer.write(namedEvent("endpoint", postUrl));
    endpoint.streams.addStanding(this);
  }

  onDisconnect(): void {
    this.#end();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  post(request: HttpRequest, message: unknown, responder: Responder): void {
    this.onmessage?.(message, { http: request, principal: request.principal });
    responder.respond(202, this.endpoint.originPolicy.headers(request));
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (!this.#open) throw new SdkError("NOT_CONNECTED", "the client has closed its stream");
    this.#write(event(serialize(message)));
  }

  watchDisconnect(): void {
    // It is watched from the start.
  }

  sendKeepAlive(): void {
    this.#write(KEEP_ALIVE);
  }

  close(): Promise<void> {
    if (this.#open) this.#writer.end();
    this.#end();
    return Promise.resolve();
  }

  #write(text: string): void {
    if (this.#writer.queuedBytes > this.endpoint.maxQueuedBytes) {
      this.#writer.abort();
      return this.#end(new SdkError("LIMIT_EXCEEDED", "the client does not read its stream"));
    }
    this.#writer.write(text);
    this.lastSentAt = performance.now();
  }

  #end(error?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.endpoint.legacySessions.delete(this.sessionId);
    this.endpoint.streams.release(this);
    this.onclose?.(error);
  }
}
