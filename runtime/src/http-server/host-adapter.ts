import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";

export type HttpHeaders = Readonly<Record<string, string>>;

/** The sender of a request is known. */
export interface Authenticated {
  readonly principal: Principal;
  /** The `Date.now()` at which this authentication ends, and with it the streams that stay open for later messages. Default: never. */
  readonly expiresAt?: number;
  /** Headers to add to the response. */
  readonly headers?: HttpHeaders;
}

/** A request without its body, as a host adapter passes it. */
export interface HttpRequest extends HttpRequestInfo {
  readonly method: string;
  /** The principal that the host has authenticated. The endpoint sets it when it has the option `authorization`. */
  principal: Principal | undefined;
  /** Set by the endpoint when it has the option `authorization`. */
  authenticated?: Authenticated | undefined;
}

/** Sends the response to a request. Either `respond` or `startStream` is called, once. */
export interface Responder {
  /** Sends a complete response. */
  respond(status: number, headers: HttpHeaders, body?: string): void;
  /** Sends the head of a response whose body is written in parts. */
  startStream(status: number, headers: HttpHeaders): BodyWriter;
  /**
   * Called once when the client disconnects before the response is complete; before the head is sent, only after
   * `watchDisconnect`.
   */
  disconnectListener: DisconnectListener | undefined;
  /** Starts to watch for a disconnect of the client. */
  watchDisconnect(): void;
}

/** An object that is notified when the client of a response disconnects. */
export interface DisconnectListener {
  /** Called when the client has disconnected. */
  onDisconnect(): void;
}

export interface BodyWriter {
  write(text: string): void;
  /** Ends the body; nothing is written afterwards. */
  end(): void;
  /** Aborts the connection. */
  abort(): void;
  /** Bytes that are buffered because the client reads too slowly. */
  readonly queuedBytes: number;
  /** Resolves when the client has taken most of what is buffered, or the connection is closed. */
  drained(): Promise<void>;
}

/** An HTTP endpoint, independent of the host: host adapters pass requests to it. */
export interface HttpEndpoint {
  /** Longer bodies are not read. */
  readonly maxBodyBytes: number;
  /** Milliseconds after which the connection of a client that takes no part of a waiting response is closed; 0: never. */
  readonly writeTimeoutMs: number;
  /**
   * Checks the head of a request before its body is read. Returns a promise when the sender has to be authenticated and that
   * takes time; it never rejects. Do not read the body meanwhile.
   * @returns whether it is a POST whose body should be read; if not, the response has been sent
   */
  receiveHead(request: HttpRequest, responder: Responder): boolean | Promise<boolean>;
  /** Rejects a request whose body is too long. */
  rejectTooLarge(request: HttpRequest, responder: Responder): void;
  /** Handles the body of a POST. @param body JSON text; undefined when it is not valid UTF-8 */
  receiveText(request: HttpRequest, body: string | undefined, responder: Responder): void;
  /** Handles the parsed body of a POST. */
  receiveMessage(request: HttpRequest, message: unknown, responder: Responder): void;
}
