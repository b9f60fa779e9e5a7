import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { Transport } from "./transport.js";

/**
 * Two ends of a channel within one process, for tests and for a server in the same process as its client. Messages are
 * serialized and delivered asynchronously, in order; the two ends share no objects.
 * @example
 * ```ts
 * const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
 * await server.connect(serverEnd);
 * await client.connect(clientEnd);
 * ```
 */
export class InMemoryTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];

  #peer: InMemoryTransport | undefined;
  #state: "new" | "open" | "closed" = "new";
  /** Messages of the peer that wait for their microtask or for `start`; `undefined` means that the peer has closed. */
  readonly #inbox: (string | undefined)[] = [];

  /** Creates two linked ends. A message that one end sends is delivered to the other once that end is started. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const first = new InMemoryTransport();
    const second = new InMemoryTransport();
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  /**
   * Opens this end.
   * @throws SdkError `ALREADY_CONNECTED` when it is open; `NOT_CONNECTED` when it has been closed or is not linked
   */
  start(): Promise<void> {
    if (this.#state === "open")
      return Promise.reject(new SdkError("ALREADY_CONNECTED", "the transport is already open"));
    if (this.#state === "closed" || this.#peer === undefined) {
      const message = "the transport is closed or not linked; create a new pair with createLinkedPair";
      return Promise.reject(new SdkError("NOT_CONNECTED", message));
    }
    this.#state = "open";
    for (let waiting = this.#inbox.length; waiting > 0; waiting--) queueMicrotask(this.#receive);
    return Promise.resolve();
  }

  /** @throws SdkError `NOT_CONNECTED` when this end is not open */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (this.#state !== "open") throw new SdkError("NOT_CONNECTED", "the transport is not open");
    const peer = this.#peer;
    if (peer !== undefined) peer.#put(serialize(message));
  }

  /** Closes both ends. Messages sent before are still delivered to the other end. */
  close(): Promise<void> {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#shut();
    if (peer !== undefined) peer.#put(undefined);
    // The peer's microtask runs first, so `onclose` of the peer has been called when this resolves.
    return Promise.resolve();
  }

  #put(text: string | undefined): void {
    if (this.#state === "closed") return;
    this.#inbox.push(text);
    if (this.#state === "open") queueMicrotask(this.#receive);
  }

  /** Delivers one message. Each has its own microtask, so an error of one handler does not stop other messages. */
  readonly #receive = (): void => {
    const text = this.#inbox.shift();
    if (this.#state !== "open") return;
    if (text === undefined) {
      this.#peer = undefined;
      this.#shut();
      return;
    }
    try {
      this.onmessage?.(JSON.parse(text));
    } catch (error) {
      this.onerror?.(toError(error));
    }
  };

  #shut(): void {
    const wasOpen = this.#state === "open";
    this.#state = "closed";
    this.#inbox.length = 0;
    if (wasOpen) this.onclose?.();
  }
}
