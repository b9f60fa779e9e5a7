import { isObject } from "../jsonrpc/guards.js";
import { unref } from "../timing/timer-delay.js";
import type { Channels, LogStore, StoredValue, ValueStore } from "./backplane-store.js";
import { NodeLog, type NodeMessage } from "./node-log.js";

/** Messages of a node that has died are of no use for long. */
const bounds = { ttlMs: 60_000, maxEntries: 10_000 };
/** Longer messages are kept as values, which their receiver deletes: the log keeps its entries. */
const maxEntryLength = 16_384;
/** How often such a value is read while the backplane fails, and the pause in between, in milliseconds. */
const [maxTries, pauseMs] = [10, 1_000];

/** A message from one node to another. Nodes of another version may write other members. */
export interface InboxMessage extends NodeMessage {
  /** Decides which part of the node receives the message. */
  readonly type: string;
}

/** Receives the messages that other nodes send to this one, in the order in which the backplane got them, and sends messages to other nodes. */
export class NodeInbox {
  readonly #log: NodeLog;
  readonly #receivers = new Map<unknown, (message: NodeMessage) => void>();
  /** The last message to each node that waits until an earlier, long one is sent. */
  readonly #queues = new Map<string, Promise<void>>();

  constructor(
    readonly store: LogStore & Channels & ValueStore,
    /** Identifies the node. */
    readonly node: string,
    onerror: (error: unknown) => void,
  ) {
    this.#log = new NodeLog(
      store,
      inboxOf(node),
      bounds,
      {
        onMessage: ({ stored, ...message }) =>
          typeof stored === "string" ? this.#receiveStored(stored) : this.#receive(message),
        // Senders notice by the silence that no response arrives.
        onGap: () => undefined,
        onerror,
      },
      true,
    );
  }

  /** Receives the messages of a type. Types have one receiver; its errors are reported. */
  on(type: string, receive: (message: NodeMessage) => void): void {
    this.#receivers.set(type, receive);
  }

  /** Sends a message to a node, which may no longer exist. Messages arrive in the order of the calls. @throws BackplaneError */
  send(node: string, message: InboxMessage): Promise<void> {
    const text = JSON.stringify(message);
    const earlier = this.#queues.get(node);
    if (!earlier && text.length <= maxEntryLength) return this.#append(node, text);
    const sending = (earlier ?? Promise.resolve()).then(() => this.#send(node, text));
    const settled = sending.then(ignore, ignore).then(() => {
      if (this.#queues.get(node) === settled) this.#queues.delete(node);
    });
    this.#queues.set(node, settled);
    return sending;
  }

  end(): void {
    this.#log.end();
  }

  async #send(node: string, text: string): Promise<void> {
    if (text.length <= maxEntryLength) return this.#append(node, text);
    const stored = `message:${crypto.randomUUID()}`;
    await this.store.set(stored, text, { ttlMs: bounds.ttlMs });
    await this.#append(node, JSON.stringify({ stored }));
  }

  async #append(node: string, text: string): Promise<void> {
    await this.store.append(inboxOf(node), text, bounds);
  }

  #receive(message: NodeMessage): void {
    // Nodes of a newer version may send types that this one does not know.
    this.#receivers.get(message["type"])?.(message);
  }

  async #receiveStored(key: string): Promise<void> {
    const found = await this.#read(key);
    const message: unknown = found && JSON.parse(found.text);
    if (isObject(message)) this.#receive(message);
    await this.store.delete(key);
  }

  async #read(key: string): Promise<StoredValue | undefined> {
    for (let tries = 1; ; tries++)
      try {
        return await this.store.get(key);
      } catch (error) {
        if (tries === maxTries) throw error;
        await new Promise((resolve) => unref(setTimeout(resolve, pauseMs)));
      }
  }
}

function ignore(): void {
  // The caller of `send` gets the error.
}

function inboxOf(node: string): string {
  return `inbox:${node}`;
}
