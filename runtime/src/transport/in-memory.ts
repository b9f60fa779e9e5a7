import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import type { Transport } from "./transport.js";

/**
 * Two ends of a channel within one process, for tests and for a server that lives inside its client. Messages cross as
 * JSON text would: later, in order, and sharing no object.
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
  /** Texts of the peer that wait for their microtask or for `start`; `undefined` says that the peer has closed. */
  readonly #inbox: (string | undefined)[] = [];

  /** Two ends; what is sent by one arrives at the other once that has been started. */
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
    if (this.#state === "open") return Promise.reject(new SdkError("ALREADY_CONNECTED", "The transport is open"));
    if (this.#state === "closed" || this.#peer === undefined) {
      const message = "The transport cannot be opened: link a new pair";
      return Promise.reject(new SdkError("NOT_CONNECTED", message));
    }
    this.#state = "open";
    for (let waiting = this.#inbox.length; waiting > 0; waiting--) queueMicrotask(this.#receive);
    return Promise.resolve();
  }

  /** @throws SdkError `NOT_CONNECTED` when this end is not open */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (this.#state !== "open") throw new SdkError("NOT_CONNECTED", "The transport is not open");
    const peer = this.#peer;
    if (peer !== undefined) peer.#put(serialize(message));
  }

  /** Closes both ends; what was sent before still arrives at the other one. */
  close(): Promise<void> {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#shut();
    if (peer !== undefined) peer.#put(undefined);
    // The peer's turn comes first, so that it has been told when this resolves.
    return Promise.resolve();
  }

  #put(text: string | undefined): void {
    if (this.#state === "closed") return;
    this.#inbox.push(text);
    if (this.#state === "open") queueMicrotask(this.#receive);
  }

  /** Takes one from the inbox: each has its own microtask, so that one handler's error stops no other message. */
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
