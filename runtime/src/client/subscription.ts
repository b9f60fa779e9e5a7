import type { NotificationMessage, Subscription } from "@mcpwright/protocol/contract";
import type { Outcome } from "../engine/call.js";
import { SdkError } from "../engine/errors.js";

const maxQueued = 10_000;

/** The client's end of a stream of notifications: they queue here until they are iterated. */
export class EventStream implements Subscription {
  readonly acknowledged: Promise<unknown>;
  readonly result: Promise<unknown>;
  isAcknowledged = false;
  readonly #queue: NotificationMessage[] = [];
  #acknowledge!: (params: unknown) => void;
  #refuse!: (error: unknown) => void;
  #finish!: (result: unknown) => void;
  #fail!: (error: unknown) => void;
  #ended: Partial<Outcome> | undefined;
  #waiting: (() => void)[] = [];

  /** @param abandon tells the peer that nobody listens any more */
  constructor(readonly abandon: (reason: unknown) => void) {
    this.acknowledged = new Promise((resolve, reject) => ([this.#acknowledge, this.#refuse] = [resolve, reject]));
    this.result = new Promise((resolve, reject) => ([this.#finish, this.#fail] = [resolve, reject]));
    // Whoever awaits them sees the failure; nobody has to.
    this.acknowledged.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  begin(params: unknown): void {
    this.isAcknowledged = true;
    this.#acknowledge(params);
  }

  push(event: NotificationMessage): void {
    if (this.#ended) return;
    if (this.#queue.length >= maxQueued) {
      const error = new SdkError("LIMIT_EXCEEDED", `more than ${maxQueued} notifications wait to be read`);
      this.abandon(error);
      return this.end({ error });
    }
    this.#queue.push(event);
    this.#wake();
  }

  end(outcome: Outcome): void {
    if (this.#ended) return;
    this.#ended = outcome;
    if ("error" in outcome) {
      this.#refuse(outcome.error);
      this.#fail(outcome.error);
    } else {
      this.#refuse(new SdkError("INVALID_MESSAGE", "the stream ended before it was acknowledged"));
      this.#finish(outcome.result);
    }
    this.#wake();
  }

  close(): Promise<void> {
    const error = new SdkError("REQUEST_CANCELLED", "the subscription was closed");
    if (!this.#ended) {
      this.abandon(error);
      this.end({ error });
      // Whoever iterates need not be told.
      this.#ended = {};
    }
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NotificationMessage, void, undefined> {
    try {
      for (;;) {
        const event = this.#queue.shift();
        if (event) yield event;
        else if (this.#ended) {
          if ("error" in this.#ended) throw this.#ended.error;
          return;
        } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      await this.close();
    }
  }

  /** Whoever iterates looks again. */
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
