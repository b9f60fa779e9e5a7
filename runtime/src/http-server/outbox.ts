import { isSameChange } from "../connection/change.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";

const maxMessages = 100;

/** The messages of a session that wait for the client to open a stream for them. */
export class Outbox {
  readonly #messages: JSONRPCMessage[] = [];
  /** Whether a dropped message has been reported. */
  #hasOverflowed = false;

  /** Removes and returns all messages. */
  takeAll(): JSONRPCMessage[] {
    this.#hasOverflowed = false;
    return this.#messages.splice(0);
  }

  /**
   * Adds a message.
   * @param overflow receives the oldest message when there are too many; if undefined, a notification is dropped
   * @returns the error to report when a notification was dropped, unless one was dropped before
   * @throws SdkError `LIMIT_EXCEEDED` when no message can be dropped
   */
  add(message: JSONRPCMessage, overflow: { send(message: JSONRPCMessage): void } | undefined): SdkError | undefined {
    const messages = this.#messages;
    if (messages.some((one) => isSameChange(one, message))) return undefined;
    messages.push(message);
    if (messages.length <= maxMessages) return undefined;
    const [oldest] = messages;
    if (overflow && oldest) {
      messages.shift();
      overflow.send(oldest);
      return undefined;
    }
    const at = messages.findIndex((one) => !isRequest(one));
    const problem = `more than ${maxMessages} messages wait for the client to open a stream`;
    const [dropped] = messages.splice(at, 1);
    if (at < 0) throw new SdkError("LIMIT_EXCEEDED", problem);
    if (this.#hasOverflowed) return undefined;
    this.#hasOverflowed = true;
    return new SdkError("LIMIT_EXCEEDED", `${problem}; older notifications are dropped`, dropped);
  }
}

/** Whether a message is a request; notifications may have a member `id` with the value undefined. */
export function isRequest(message: JSONRPCMessage): boolean {
  return (message as { readonly id?: unknown }).id !== undefined;
}
