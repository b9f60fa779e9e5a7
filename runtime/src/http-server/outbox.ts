import { isSameChange } from "../connection/change.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";

const maxMessages = 100;

/** A waiting message, and its JSON text. */
interface WaitingMessage {
  readonly message: JSONRPCMessage;
  readonly text: string;
}

/** The messages of a session that wait for the client to open a stream for them. */
export class Outbox {
  readonly #messages: WaitingMessage[] = [];
  #size = 0;
  /** Whether a dropped message has been reported. */
  #hasOverflowed = false;

  /** @param maxSize maximum number of characters of all messages; a single one may be longer */
  constructor(readonly maxSize: number) {}

  /** Removes and returns all messages. */
  takeAll(): WaitingMessage[] {
    this.#hasOverflowed = false;
    this.#size = 0;
    return this.#messages.splice(0);
  }

  /**
   * Adds a message. When there are too many, the oldest notifications are dropped.
   * @param text the message as JSON text
   * @returns the error to report when a notification was dropped, unless one was dropped before
   * @throws SdkError `LIMIT_EXCEEDED` when no message can be dropped
   */
  add(message: JSONRPCMessage, text: string): SdkError | undefined {
    const messages = this.#messages;
    if (messages.some((one) => isSameChange(one.message, message))) return undefined;
    messages.push({ message, text });
    this.#size += text.length;
    let problem: SdkError | undefined;
    while (messages.length > maxMessages || (this.#size > this.maxSize && messages.length > 1))
      problem = this.#dropNotification() ?? problem;
    return problem;
  }

  #dropNotification(): SdkError | undefined {
    const at = this.#messages.findIndex(({ message }) => !isRequest(message));
    const problem = `more than ${maxMessages} messages or ${this.maxSize} characters wait for the client to open a stream`;
    const dropped = this.#remove(at);
    if (at < 0) throw new SdkError("LIMIT_EXCEEDED", problem);
    if (this.#hasOverflowed) return undefined;
    this.#hasOverflowed = true;
    return new SdkError("LIMIT_EXCEEDED", `${problem}; older notifications are dropped`, dropped?.message);
  }

  /** Removes a message; -1 for the last one. */
  #remove(at: number): WaitingMessage | undefined {
    const [removed] = this.#messages.splice(at, 1);
    this.#size -= removed?.text.length ?? 0;
    return removed;
  }
}

/** Whether a message is a request; notifications may have a member `id` with the value undefined. */
export function isRequest(message: JSONRPCMessage): boolean {
  return (message as { readonly id?: unknown }).id !== undefined;
}
