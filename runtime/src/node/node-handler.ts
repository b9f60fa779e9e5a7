import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type {
  BodyWriter,
  HttpHeaders,
  HttpRequest,
  DisconnectListener,
  Responder,
} from "../http-server/host-adapter.js";
import type { McpHttpHandler } from "../http-server/mcp-handler.js";
import type { McpHandlerRequestOptions } from "../http-server/options.js";
import { type WatchedResponse, WriteWatch } from "../http-server/write-watch.js";
import { assertMethods } from "../options/assert-methods.js";
import type { Principal } from "../transport/principal.js";
import { decodeUtf8 } from "./decode-utf8.js";
import { readBody } from "./read-body.js";
import { hostOf, linesOf, pathAndQuery, targetOf } from "./request-target.js";

/** How long a connection that is about to close keeps receiving, in milliseconds. */
const lingerMs = 2_000;

/** A handler for `node:http`, express and others with Node's own objects. The `next` of express is not called. */
export type NodeMcpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  options?: McpHandlerRequestOptions | ((error?: unknown) => void),
) => void;

/**
 * Serves Node's requests directly: converting them to `Request` and `Response` would cost more than everything else.
 *
 * @throws SdkError `INVALID_CONFIGURATION` for something other than a handler
 *
 * A body that a framework has already parsed (`request.body`) is used as it is. A body that takes longer than a minute to
 * arrive gets 408.
 */
export function toNodeHandler(handler: Pick<McpHttpHandler, "endpoint">): NodeMcpHandler {
  const { endpoint } = Object(handler) as typeof handler;
  assertMethods(endpoint, ["receiveHead"], "pass a handler: toNodeHandler(createMcpHandler(server))");
  const writes = new WriteWatch(endpoint.writeTimeoutMs);
  return (request, response, options) => {
    const { principal, parsedBody = bodyOf(request) } = typeof options === "object" ? options : {};
    const exchange = new NodeExchange(request, response, principal, writes);
    const receiveBody = (): void => {
      if (parsedBody !== undefined) endpoint.receiveMessage(exchange, parsedBody, exchange);
      else
        readBody(request, endpoint.maxBodyBytes, {
          onBody: (body) => endpoint.receiveText(exchange, decodeUtf8(body), exchange),
          onTooLarge: () => endpoint.rejectTooLarge(exchange, exchange),
          onLate: () => exchange.respond(408, { connection: "close" }),
        });
    };
    const wantsBody = endpoint.receiveHead(exchange, exchange);
    if (wantsBody === true) receiveBody();
    else if (wantsBody) {
      response.once("close", () => (exchange.hasClosed = true));
      // The body of a client that has disconnected meanwhile does not arrive.
      void wantsBody.then((wanted) => wanted && !exchange.hasClosed && receiveBody());
    }
  };
}

/** The body that a framework has parsed. */
function bodyOf(request: IncomingMessage & { readonly body?: unknown }): unknown {
  return request.readableEnded ? request.body : undefined;
}

/** A socket, with the bytes of the current write that the system has not accepted yet. */
type SocketWithHandle = Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };

class NodeExchange implements HttpRequest, Responder, BodyWriter, WatchedResponse {
  disconnectListener: DisconnectListener | undefined;
  authenticated: HttpRequest["authenticated"];
  /** Set when the client has disconnected while the endpoint waited: responses over HTTP/2 do not show it afterwards. */
  hasClosed = false;
  /** The head of a stream until it is sent. */
  #head: { readonly status: number; readonly headers: HttpHeaders } | undefined;
  /** The text that waits to be written. */
  #text = "";
  /** Whether this exchange has written the head. */
  #hasBegun = false;
  #ended = false;
  #observed = false;

  constructor(
    readonly request: IncomingMessage & { readonly originalUrl?: string },
    readonly response: ServerResponse,
    public principal: Principal | undefined,
    readonly writes: WriteWatch,
  ) {}

  get method(): string {
    return this.request.method ?? "GET";
  }

  get remoteAddress(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.request.socket.remotePort;
  }

  get httpVersion(): string {
    return this.request.httpVersion;
  }

  get url(): string {
    return pathAndQuery(targetOf(this.request));
  }

  header(name: string): string | undefined {
    const value =
      name === "host"
        ? hostOf(this.request)
        : name === "authorization"
          ? linesOf(this.request, name)
          : this.request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  respond(status: number, headers: HttpHeaders, body?: string): void {
    this.#ended = true;
    this.disconnectListener = undefined;
    if (this.#isTaken) return;
    const whole = body === undefined ? headers : Object.assign({ "content-length": Buffer.byteLength(body) }, headers);
    this.response.writeHead(status, whole);
    if (headers["connection"] === "close" && !this.request.complete) this.#linger(body);
    else this.#finish(body);
  }

  /** Closing a connection while data arrives can discard a response that the client has not read yet (RFC 9112, 9.6). */
  #linger(body = ""): void {
    const { request, response } = this;
    response.write(body);
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, lingerMs);
    request.once("end", end).once("close", end);
  }

  startStream(status: number, headers: HttpHeaders): BodyWriter {
    this.#head = { status, headers };
    this.watchDisconnect();
    return this;
  }

  /** Joins the writes of one turn of the event loop: each write to a socket costs as much as the rest of a request. */
  write(text: string): void {
    if (this.#ended) return;
    if (this.#text === "") queueMicrotask(() => process.nextTick(() => this.#flush()));
    this.#text += text;
  }

  end(): void {
    if (this.#ended) return;
    const text = this.#text;
    this.#text = "";
    if (this.#head) return this.respond(this.#head.status, this.#head.headers, text);
    this.#ended = true;
    this.disconnectListener = undefined;
    if (!this.#isTaken) this.#finish(text || undefined);
  }

  #finish(text: string | undefined): void {
    this.response.end(text);
    // Almost always the socket has taken everything by now.
    if (this.response.writableLength > 0) this.#watchWrites();
  }

  #watchWrites(): void {
    if (this.writes.watch(this)) this.response.once("close", () => this.writes.forget(this));
  }

  #flush(): void {
    const text = this.#text;
    this.#text = "";
    if (this.#ended || text === "") return;
    if (this.#isTaken) return this.#gone();
    if (this.#head) this.response.writeHead(this.#head.status, this.#head.headers);
    this.#head = undefined;
    this.#hasBegun = true;
    this.response.write(text);
    // Node passes the text to the socket at the end of this turn.
    process.nextTick(() => this.#watchWrites());
  }

  drained(): Promise<void> {
    this.#flush();
    const { response } = this;
    return new Promise((resolve) => {
      // Below this mark, Node emits no event.
      if (this.#ended || response.writableLength < response.writableHighWaterMark) return void setImmediate(resolve);
      const settle = (): void => {
        response.off("drain", settle).off("close", settle);
        resolve();
      };
      response.on("drain", settle).on("close", settle);
    });
  }

  get progress(): number | undefined {
    const { writableLength } = this.response;
    const socket: SocketWithHandle | null = this.response.socket;
    if (writableLength === 0 || !socket || socket.destroyed) return undefined;
    // Only this property shows how much of a large chunk has been sent. HTTP/2 sends chunks in frames, as the client permits.
    const queued = socket._handle?.writeQueueSize ?? 0;
    return queued > 0 ? queued : socket.bytesWritten;
  }

  cut(): void {
    this.response.destroy();
  }

  abort(): void {
    this.#ended = true;
    this.disconnectListener = undefined;
    this.response.destroy();
  }

  get queuedBytes(): number {
    return this.response.writableLength + this.#text.length;
  }

  watchDisconnect(): void {
    if (this.#ended || this.#observed) return;
    this.#observed = true;
    const gone = (): void => this.#gone();
    if (this.hasClosed || this.response.closed) queueMicrotask(gone);
    else this.response.on("close", gone);
  }

  #gone(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.disconnectListener?.onDisconnect();
  }

  /** Whether other code has responded already, such as a time-out middleware; Node throws at a second response. */
  get #isTaken(): boolean {
    return this.#hasBegun ? this.response.writableEnded : this.response.headersSent;
  }
}
