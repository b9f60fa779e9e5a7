import type { BodyWriter, DisconnectListener, HttpRequest, Responder } from "../http-server/host-adapter.js";
import type { KeptAliveStream } from "../http-server/kept-alive-stream.js";
import { withSseHeaders } from "../http-server/response-headers.js";
import type { NodeSession } from "../http-server/shared-sessions.js";
import type { ClientKey } from "../http-server/shared-limit.js";
import { KEEP_ALIVE, retryField } from "../http/sse.js";

/** The response to a GET, as a stream. It takes its place before it starts, so that other clients cannot take it meanwhile. */
export class GetStream implements KeptAliveStream, DisconnectListener {
  lastSentAt = 0;
  setIndex: number | undefined;
  /** Whether the client has disconnected, or the stream has been ended. */
  hasEnded = false;
  #writer: BodyWriter | undefined;

  constructor(
    readonly session: NodeSession,
    /** The id of the stream that the response carries. */
    readonly id: string,
    readonly request: HttpRequest,
    readonly responder: Responder,
    isStanding: boolean,
    /** Called when the response has ended. */
    readonly onEnd: (stream: GetStream) => void,
  ) {
    responder.disconnectListener = this;
    const { streams } = session.endpoint;
    if (isStanding) streams.addStanding(this, request);
    else streams.keepAlive(this);
  }

  get client(): ClientKey {
    return this.session.client;
  }

  /** Whether the client reads the stream. */
  get isOpen(): boolean {
    return this.hasStarted && !this.hasEnded;
  }

  get hasStarted(): boolean {
    return this.#writer !== undefined;
  }

  /** Sends the head and a first text. */
  start(first = KEEP_ALIVE): void {
    if (this.hasEnded) return;
    const headers = this.session.endpoint.originPolicy.headers(this.request);
    this.#writer = this.responder.startStream(200, withSseHeaders(headers));
    if (first) void this.write(first);
  }

  /** Returns a promise when the client reads slowly; the next text should wait for it. */
  write(text: string): Promise<void> | undefined {
    const writer = this.#writer;
    if (!writer || this.hasEnded) return undefined;
    writer.write(text);
    this.lastSentAt = performance.now();
    return writer.queuedBytes > this.session.endpoint.maxQueuedBytes ? writer.drained() : undefined;
  }

  sendKeepAlive(): void {
    if (this.#writer?.queuedBytes === 0) void this.write(KEEP_ALIVE);
  }

  watchDisconnect(): void {
    // It is watched from the start.
  }

  /** Ends the response, so that the client reconnects later. */
  closeForReconnect(retryMs = this.session.endpoint.options.retryInterval): void {
    if (retryMs !== undefined) void this.write(retryField(retryMs));
    this.expire();
  }

  /** Ends the response, also one that has not started. */
  expire(): void {
    if (this.hasEnded) return;
    if (!this.hasStarted) this.start("");
    this.#end()?.end();
  }

  /** Ends the response, because the session has ended. One that has not started is not sent. */
  terminate(): void {
    if (this.hasStarted) this.expire();
    else this.abandon();
  }

  /** Gives the place back, for a response that is not a stream. */
  abandon(): void {
    this.#end();
  }

  /** Aborts the connection, so that the client knows that messages are missing. */
  abort(): void {
    this.#end()?.abort();
  }

  onDisconnect(): void {
    this.#end();
  }

  #end(): BodyWriter | undefined {
    if (this.hasEnded) return undefined;
    this.hasEnded = true;
    this.session.endpoint.streams.release(this);
    this.onEnd(this);
    return this.#writer;
  }
}
