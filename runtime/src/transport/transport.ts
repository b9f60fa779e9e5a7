import type { RequestId, Side } from "@mcpwright/protocol/contract";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { MessageExtra } from "./message-extra.js";

/**
 * Sends messages to one peer and receives its messages, in order. To write your own transport, implement this interface
 * and run the transport test suite of `@mcpwright/runtime/testing`.
 *
 * The connection sets the callbacks before it calls `start`. The transport must call none of them before `start`, and only
 * `onerror` after `onclose`.
 */
export interface Transport {
  /**
   * Opens the channel and starts to read.
   * @throws when the channel cannot be opened or reopened
   */
  start(): Promise<void>;
  /**
   * Sends a message, or a batch as one unit. Messages are sent in the order of the calls.
   * @returns nothing when the message was accepted; a promise when the peer reads too slowly. The promise resolves when more
   *   messages can be sent or the channel has ended. Callers need not wait, but the queue is bounded: past the bound the
   *   transport closes.
   * @throws (or rejects) SdkError `NOT_CONNECTED` when the channel is closed, `LIMIT_EXCEEDED` when the queue is full;
   *   TypeError for a message that cannot be serialized as JSON
   */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[], options?: TransportSendOptions): Promise<void> | void;
  /** Closes the channel. Calls `onclose`, and resolves when everything is released. Further calls have no effect. */
  close(): Promise<void>;
  /**
   * Called with each parsed message or batch, valid or not. The transport reports an error that it throws to `onerror` and
   * continues.
   */
  onmessage?: ((message: unknown, extra?: MessageExtra) => void) | undefined;
  /**
   * Called with an error after which the channel continues. A `ProtocolError` means that the peer sent an unreadable
   * message, and is the error to respond with. `received` is the rejected message, where it could be parsed: only its ids
   * and methods are read, to find the requests that need a response.
   */
  onerror?: ((error: Error, received?: unknown) => void) | undefined;
  /**
   * Called when the peer will send no more messages but can still receive some. If it is set, the connection must close the
   * transport; if not, the transport closes itself.
   */
  onend?: (() => void) | undefined;
  /** Called when messages that belong to no request may have been lost; the channel continues. May be set after `start`. */
  ongap?: (() => void) | undefined;
  /**
   * Called when a request has to wait for something on this side, such as the log-in of a user. Its timeout is paused until the
   * returned function is called.
   */
  onwait?: ((id: RequestId) => () => void) | undefined;
  /** Called once per `start` when the channel has ended: by `close`, by the peer, or because of `error`. */
  onclose?: ((error?: Error) => void) | undefined;
  /** The network under the messages, by the values of `network.transport` in OpenTelemetry. Default: unknown. */
  readonly network?: "pipe" | "quic" | "tcp" | "udp" | "unix";
  /** Identifies the server that the transport connects to, such as its URL. */
  readonly serverId?: string;
  /** The id of the session, where the transport has one. */
  readonly sessionId?: string | undefined;
  /** Milliseconds after which a session ends unless it is used, if it can outlive the transport. @internal */
  readonly idleMs?: number;
  /**
   * Cancels a sent request by means of the transport instead of a notification: over HTTP, by closing the response stream.
   */
  cancelRequest?(id: RequestId): void;
  /** Called when a received request gets no response because it was cancelled. */
  requestDropped?(id: RequestId): void;
  /** Called with the revision of the following messages, when it is tried or negotiated. */
  setRevision?(side: Side): void;
  /**
   * Keeps memory for the peer until the channel closes. Returns false when the peer may not have more.
   * @param bytes negative for memory that is given back
   */
  reserve?(bytes: number): boolean;
  /** Called with the negotiated protocol version after the handshake. */
  setProtocolVersion?(version: string): void;
  /**
   * Called with a tool before a call of it, where parts of the call are repeated outside the message.
   * @returns why the tool cannot be called over this transport
   */
  checkTool?(tool: unknown): string | undefined;
  /** Whether messages that belong to no received request can reach the peer now. Default: `true`. */
  readonly isReachable?: boolean;
  /** Begins the ids of sent requests, if the responses can reach other processes. @internal */
  readonly requestIdPrefix?: string | undefined;
  /** Whether the session may go on at other nodes after the transport has ended. @internal */
  readonly isReleased?: boolean;
  /** Whether the transport itself gets the changes of lists and resources that the client wants to know about. @internal */
  readonly sharesChanges?: boolean;
  /** Whether each request gets a response or an error, so that a timeout does not mean the peer ignored it. */
  readonly alwaysAnswers?: true;
  /** Returns the access token in use; private results are cached per token. */
  cacheIdentity?(): unknown;
  /** Whether the transport serves one handshake-era request, without notifications afterwards and without a session. */
  readonly isSingleRequest?: boolean;
  /** Whether the transport carries one stateless-era message and ends with the response. Suspended calls outlive it. */
  readonly isStateless?: true;
}

export interface TransportSendOptions {
  /** The request that a notification or a nested request belongs to. */
  readonly relatedRequestId?: RequestId;
}
