import type { RequestId, Side } from "@mcpwright/protocol/contract";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { MessageExtra } from "./message-extra.js";

/**
 * A way to carry messages to one peer and back, in order. Implement it and run the common behaviour suite
 * (`@mcpwright/runtime/testing`) to use a carrier of your own.
 *
 * The connection sets the callbacks before it calls `start`. None is called before that, and none but `onerror` after
 * `onclose`.
 */
export interface Transport {
  /**
   * Opens the channel and begins to read.
   * @throws when it cannot be opened; when it was opened before and cannot be reopened
   */
  start(): Promise<void>;
  /**
   * Hands one message over, or a batch, which is sent as one. Messages go out in the order of the calls.
   * @returns nothing when it was taken; a promise when the peer reads too slowly: it resolves once more may be sent, or the
   *   channel has ended. Nobody has to wait, but what is queued is bounded: past the bound the transport closes.
   * @throws (or rejects) SdkError `NOT_CONNECTED` when the channel is closed, `LIMIT_EXCEEDED` when too much is queued;
   *   TypeError for what is no JSON
   */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[], options?: TransportSendOptions): Promise<void> | void;
  /** Ends the channel. Resolves when everything is released; `onclose` is called before. Calling it again is harmless. */
  close(): Promise<void>;
  /** A parsed message or batch; it need not be a legal one. What it throws goes to `onerror`, and the channel goes on. */
  onmessage?: ((message: unknown, extra?: MessageExtra) => void) | undefined;
  /**
   * Something went wrong, and the channel goes on. A `ProtocolError` says that the peer sent something unreadable and
   * with which error it should be answered. `received` is what is not read on, where that much is known: of its members only
   * those are looked at that say who waits for an answer.
   */
  onerror?: ((error: Error, received?: unknown) => void) | undefined;
  /**
   * The peer will send nothing more, but may still be sent to. Whoever sets it closes the transport in good time; where it
   * is not set, the transport closes by itself.
   */
  onend?: (() => void) | undefined;
  /** What the peer sent unasked may have been lost, and the channel goes on. It may be set later than the others. */
  ongap?: (() => void) | undefined;
  /** The channel has ended: `close` was called, or the peer went away, or `error` broke it. Called once per `start`. */
  onclose?: ((error?: Error) => void) | undefined;
  /** The session that the transport belongs to, where it has one. */
  readonly sessionId?: string | undefined;
  /**
   * Ends a sent request by the transport's own means, where those are to be used instead of a notification (closing the
   * response stream, over HTTP).
   */
  cancelRequest?(id: RequestId): void;
  /** Told that a received request gets no answer, because it was cancelled. */
  requestDropped?(id: RequestId): void;
  /** Told which revision the messages are of that follow, because it is tried or agreed on. */
  setRevision?(side: Side): void;
  /** Told the agreed version once the handshake has chosen it. */
  setProtocolVersion?(version: string): void;
  /**
   * Told of a tool before it is called, where something of its calls is repeated outside of the messages.
   * @returns why the tool cannot be called over this transport
   */
  checkTool?(tool: unknown): string | undefined;
  /** What belongs to no received request gets to the peer now. Where it is not set, it always does. */
  readonly isReachable?: boolean;
  /** Each request is answered or fails with the reason: silence says nothing about the peer. */
  readonly alwaysAnswers?: true;
  /** The token in use: what is private is kept for it alone. */
  cacheIdentity?(): unknown;
  /** It serves one request of the handshake era: nothing can be told later, nor is anything remembered. */
  readonly isSingleRequest?: boolean;
  /** It carries one message of the stateless era and ends with the answer; what waits for a later one outlives it. */
  readonly isStateless?: true;
}

export interface TransportSendOptions {
  /** The request that a notification or a nested request belongs to. */
  readonly relatedRequestId?: RequestId;
}
