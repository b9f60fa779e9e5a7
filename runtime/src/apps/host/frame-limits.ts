import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import type { MessageLimits } from "../bridge/post-message-transport.js";

export interface FrameLimitOptions {
  /** Messages that an app may send in a second. With more, its connection ends. Default: `1_000`. */
  readonly maxMessagesPerSecond?: number | undefined;
  /** Characters of a message as JSON; longer ones are refused. Default: `10_000_000`. */
  readonly maxMessageLength?: number | undefined;
}

/** Bounds what an app sends to its host. */
export class FrameLimits implements MessageLimits {
  readonly #mostMessages: number;
  readonly #mostLength: number;
  /** The second that is counted, and the messages in it. */
  #second = -1;
  #messages = 0;

  constructor({ maxMessagesPerSecond = 1_000, maxMessageLength = 10_000_000 }: FrameLimitOptions) {
    this.#mostMessages = maxMessagesPerSecond;
    this.#mostLength = maxMessageLength;
  }

  check(length: number): Error | undefined {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) this.#messages = 0;
    this.#second = second;
    if (++this.#messages > this.#mostMessages) {
      const message = `the app sent more than ${this.#mostMessages} messages in a second (option maxMessagesPerSecond)`;
      return new SdkError("LIMIT_EXCEEDED", message);
    }
    if (length <= this.#mostLength) return undefined;
    const message = `The message is longer than ${this.#mostLength} characters`;
    return new ProtocolError(ErrorCode.InvalidRequest, message);
  }
}
