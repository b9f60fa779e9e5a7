import type { Channels, LogStore } from "./backplane-store.js";
import { NodeLog, type NodeMessage } from "./node-log.js";

/** Messages of a node that has died are of no use for long. */
const bounds = { ttlMs: 60_000, maxEntries: 10_000 };

/** A message from one node to another. Nodes of another version may write other members. */
export interface InboxMessage extends NodeMessage {
  /** Decides which part of the node receives the message. */
  readonly type: string;
}

/** Receives the messages that other nodes send to this one, in the order in which the backplane got them, and sends messages to other nodes. */
export class NodeInbox {
  readonly #log: NodeLog;
  readonly #receivers = new Map<unknown, (message: NodeMessage) => void>();

  constructor(
    store: LogStore & Channels,
    /** Identifies the node. */
    readonly node: string,
    onerror: (error: unknown) => void,
  ) {
    this.#log = new NodeLog(store, inboxOf(node), bounds, {
      // Nodes of a newer version may send types that this one does not know.
      onMessage: (message) => this.#receivers.get(message["type"])?.(message),
      // Senders notice by the silence that no response arrives.
      onGap: () => undefined,
      onerror,
    });
  }

  /** Receives the messages of a type. Types have one receiver; its errors are reported. */
  on(type: string, receive: (message: NodeMessage) => void): void {
    this.#receivers.set(type, receive);
  }

  /** Sends a message to a node, which may no longer exist. @throws BackplaneError */
  send(node: string, message: InboxMessage): Promise<void> {
    return this.#log.send(message, inboxOf(node));
  }

  end(): void {
    this.#log.end();
  }
}

function inboxOf(node: string): string {
  return `inbox:${node}`;
}
