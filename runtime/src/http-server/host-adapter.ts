import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";

export type HttpHeaders = Readonly<Record<string, string>>;

/** A request without its body, as an adapter of a host hands it over. */
export interface HttpRequest extends HttpRequestInfo {
  readonly method: string;
  /** Whom the host has authenticated. */
  readonly principal: Principal | undefined;
}

/** Where the answer to a request goes. Either `answer` or `begin` is called, once. */
export interface Responder {
  /** Sends the whole answer. */
  respond(status: number, headers: HttpHeaders, body?: string): void;
  /** Sends the head of an answer whose body comes bit by bit. */
  startStream(status: number, headers: HttpHeaders): BodyWriter;
  /** Told once, when the client goes away before the answer is complete; for answers that have not begun, after `watchDisconnect`. */
  disconnectListener: DisconnectListener | undefined;
  /** Begins to notice when the client goes away. */
  watchDisconnect(): void;
}

/** Whoever an answer is made for that may be wanted no longer. */
export interface DisconnectListener {
  /** The client has gone away. */
  onDisconnect(): void;
}

export interface BodyWriter {
  write(text: string): void;
  /** Ends the body; nothing is written afterwards. */
  end(): void;
  /** Breaks the connection. */
  abort(): void;
  /** Bytes that wait for a client that reads too slowly. */
  readonly queuedBytes: number;
}

/** HTTP without a host: what an adapter of a host hands requests to. */
export interface HttpEndpoint {
  /** Longer bodies are not read. */
  readonly maxBodyBytes: number;
  /**
   * Looks at the head of a request, before its body is read.
   * @returns whether it is a POST whose body is wanted; if not, the request is answered
   */
  receiveHead(request: HttpRequest, responder: Responder): boolean;
  /** The body was too long to be read. */
  rejectTooLarge(request: HttpRequest, responder: Responder): void;
  /** The body of a POST. @param body JSON text; undefined when it was no UTF-8 */
  receiveText(request: HttpRequest, body: string | undefined, responder: Responder): void;
  /** The message of a POST. */
  receiveMessage(request: HttpRequest, message: unknown, responder: Responder): void;
}
