import { SdkError, SdkErrorCode } from "./errors.js";
import type { AuthInfo, JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";
import type { Transport } from "./transport.js";

interface Queued {
  readonly message: JSONRPCMessage;
  readonly extra: MessageExtraInfo;
}

/** Two ends of a channel within one process. Messages are passed on as they are, at once. */
export class InMemoryTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: { authInfo?: AuthInfo | undefined }) => void;
  sessionId?: string;
  #peer: InMemoryTransport | undefined;
  #isClosed = false;
  /** Messages that arrived before `start`. */
  #queue: Queued[] = [];

  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const first = new InMemoryTransport();
    const second = new InMemoryTransport();
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  start(): Promise<void> {
    const queue = this.#queue;
    this.#queue = [];
    for (const { message, extra } of queue) this.onmessage?.(message, extra);
    return Promise.resolve();
  }

  send(
    message: JSONRPCMessage,
    options?: { relatedRequestId?: RequestId | undefined; authInfo?: AuthInfo | undefined },
  ): Promise<void> {
    const peer = this.#peer;
    if (!peer) return Promise.reject(new SdkError(SdkErrorCode.NotConnected, "Not connected"));
    const extra = { authInfo: options?.authInfo };
    if (peer.onmessage) peer.onmessage(message, extra);
    else peer.#queue.push({ message, extra });
    return Promise.resolve();
  }

  /** Closes both ends. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const peer = this.#peer;
    this.#peer = undefined;
    const closed = peer?.close() ?? Promise.resolve();
    return closed.finally(() => this.onclose?.());
  }
}
