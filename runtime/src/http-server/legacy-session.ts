import { SdkError } from "../engine/errors.js";
import { type JSONRPCMessage, serialize } from "../engine/json-rpc.js";
import type { Transport } from "../engine/transport.js";
import { event, KEEP_ALIVE, namedEvent } from "../http/sse.js";
import type { ServerConnection } from "../server/connection.js";
import type { Endpoint } from "./endpoint.js";
import { sseWith } from "./replies.js";
import type { BodyWriter, HttpRequest, Observer, Responder } from "./request.js";
import { ownerOf } from "./sessions.js";

/**
 * A client of the HTTP+SSE transport (MCP 2024-11-05): all messages to it go over one stream, which is also its session;
 * its own come by POST.
 * @deprecated since 2025-03-26: clients should use Streamable HTTP
 */
export class LegacySession implements Transport, Observer {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  active = 0;
  place: number | undefined;
  readonly owner: string | undefined;
  readonly connection: ServerConnection;
  readonly #writer: BodyWriter;
  #open = true;

  /** @param postUrl where the client is to send its messages */
  constructor(
    readonly endpoint: Endpoint,
    readonly sessionId: string,
    request: HttpRequest,
    responder: Responder,
    postUrl: string,
  ) {
    this.owner = ownerOf(request.principal);
    this.#writer = responder.begin(200, sseWith(endpoint.access.headers(request)));
    responder.observer = this;
    this.connection = endpoint.server.accept(this);
    this.#writer.write(namedEvent("endpoint", postUrl));
    endpoint.streams.stands(this);
  }

  aborted(): void {
    this.#end();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  post(request: HttpRequest, message: unknown, responder: Responder): void {
    this.onmessage?.(message, { http: request, principal: request.principal });
    responder.answer(202, this.endpoint.access.headers(request));
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (!this.#open) throw new SdkError("NOT_CONNECTED", "the client has closed its stream");
    this.#write(event(serialize(message)));
  }

  stayAlive(): void {
    this.#write(KEEP_ALIVE);
  }

  close(): Promise<void> {
    if (this.#open) this.#writer.end();
    this.#end();
    return Promise.resolve();
  }

  #write(text: string): void {
    this.#writer.write(text);
    this.active = performance.now();
    if (this.#writer.queuedBytes <= this.endpoint.maxQueuedBytes) return;
    this.#writer.abort();
    this.#end(new SdkError("LIMIT_EXCEEDED", "the client does not read its stream"));
  }

  #end(error?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.endpoint.legacySessions.delete(this.sessionId);
    this.endpoint.streams.released(this);
    this.onclose?.(error);
  }
}
