import type { NotificationMessage, Subscription } from "@mcpwright/protocol/contract";
import type { ResponseWaiter } from "../connection/pending-requests.js";
import { SdkError } from "../jsonrpc/errors.js";

const maxQueued = 10_000;

/** The client's end of a notification stream: notifications are queued until they are iterated. */
export class SubscriptionEvents implements Subscription, ResponseWaiter {
  readonly acknowledged: Promise<unknown>;
  readonly result: Promise<unknown>;
  readonly #queue: NotificationMessage[] = [];
  #isAcknowledged = false;
  #acknowledge!: (params: unknown) => void;
  #refuse!: (error: unknown) => void;
  #finish!: (result: unknown) => void;
  #fail!: (error: unknown) => void;
  #ended: { readonly error?: unknown } | undefined;
  #waiting: (() => void)[] = [];

  /**
   * @param acknowledgement the method of the notification with which the stream begins
   * @param cancel notifies the peer that the client no longer listens
   */
  constructor(
    readonly acknowledgement: string,
    readonly cancel: (reason: unknown) => void,
  ) {
    this.acknowledged = new Promise((resolve, reject) => ([this.#acknowledge, this.#refuse] = [resolve, reject]));
    this.result = new Promise((resolve, reject) => ([this.#finish, this.#fail] = [resolve, reject]));
    // Callers may await these promises, but do not have to.
    this.acknowledged.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  /** Accepts a notification of the stream. Returns whether it arrived in order. */
  accept(notification: NotificationMessage): boolean {
    const isFirst = notification.method === this.acknowledgement;
    if (isFirst === this.#isAcknowledged) return false;
    this.#isAcknowledged = true;
    if (isFirst) this.#acknowledge(notification.params);
    else this.#push(notification);
    return true;
  }

  #push(notification: NotificationMessage): void {
    if (this.#queue.length >= maxQueued)
      return this.cancel(
        new SdkError("LIMIT_EXCEEDED", `more than ${maxQueued} notifications of a subscription are unread`),
      );
    this.#queue.push(notification);
    this.#wake();
  }

  resolve(result: unknown): void {
    this.#ended = {};
    this.#refuse(new SdkError("INVALID_MESSAGE", "the subscription ended before the server acknowledged it"));
    this.#finish(result);
    this.#wake();
  }

  reject(error: unknown): void {
    this.#ended = { error };
    this.#refuse(error);
    this.#fail(error);
    this.#wake();
  }

  close(): Promise<void> {
    if (!this.#ended) {
      this.cancel(new SdkError("REQUEST_CANCELLED", "the subscription was closed"));
      // The iterator ends without an error.
      this.#ended = {};
    }
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NotificationMessage, void, undefined> {
    try {
      for (;;) {
        const notification = this.#queue.shift();
        if (notification) yield notification;
        else if (this.#ended) {
          if ("error" in this.#ended) throw this.#ended.error;
          return;
        } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      await this.close();
    }
  }

  /** Wakes all waiting iterators. */
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
