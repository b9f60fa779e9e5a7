import type { NotificationMessage, Subscription } from "@mcpwright/protocol/contract";
import { SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../../authoring.js";
import { ErrorCode, RemoteError } from "../../jsonrpc/errors.js";
import { unref } from "../../timing/timer-delay.js";
import type { ChangeWatcher } from "../change-watcher.js";
import type { ClientConnection } from "../client-connection.js";
import { isUnknownRequestError } from "./negotiate.js";

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A stream that was open for longer has worked. */
const provenMs = 10_000;
/** How long a server may take to acknowledge a stream; proxies that buffer delay it. */
const acknowledgeMs = 30_000;

/**
 * Keeps one `subscriptions/listen` stream open. Its filter cannot change: for another one, a second stream is opened, and
 * the first closed once the second is acknowledged.
 */
export class StatelessChangeWatcher implements ChangeWatcher {
  #stream: Subscription | undefined;
  /** What is wanted now. */
  #filter: SubscriptionFilter = {};
  /** What the open stream was opened for, as text, and what of it the server grants. */
  #requested: string | undefined;
  #granted: SubscriptionFilter = {};
  #closed = false;
  /** The server has acknowledged a stream before: it does such a thing. */
  #hasWorked = false;
  #failures = 0;
  /** Until the next attempt; set until one has worked, whoever makes it. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly connection: ClientConnection,
    /** Called with each change. */
    readonly onChange: (event: NotificationMessage) => void,
    /** Called when changes may have been missed. */
    readonly onGap: () => void,
  ) {}

  async setFilter(filter: SubscriptionFilter): Promise<SubscriptionFilter> {
    clearTimeout(this.#timer);
    this.#filter = filter;
    const requested = JSON.stringify(filter);
    if (this.#stream && requested === this.#requested) return this.#granted;
    let stream: Subscription | undefined;
    let granted: SubscriptionFilter = {};
    if (!isEmpty(filter)) {
      try {
        stream = this.connection.listen(SUBSCRIPTIONS_LISTEN, { notifications: filter });
        granted = await grantedBy(stream);
      } catch (error) {
        if (!this.#isFinal(error)) this.#retryLater();
        throw error;
      }
      // One that was asked for before, for less, must not take the place of the other.
      if (this.#closed || filter !== this.#filter) {
        void stream.close();
        return {};
      }
      this.#hasWorked = true;
    }
    const before = this.#stream;
    const hadGap = stream && this.#timer !== undefined;
    this.#timer = undefined;
    this.#stream = stream;
    this.#requested = requested;
    this.#granted = granted;
    if (stream) void this.#follow(stream);
    if (hadGap) this.onGap();
    await before?.close();
    return this.#granted;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    void this.#stream?.close();
    this.#stream = undefined;
  }

  async #follow(stream: Subscription): Promise<void> {
    const since = performance.now();
    try {
      for await (const event of stream) {
        this.#failures = 0;
        this.onChange(event);
      }
    } catch (error) {
      if (this.#stream === stream) this.connection.report(error);
    }
    // Replaced or closed by us; or the server has ended it, and it is still wanted.
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    // Proxies cut streams on which nothing comes.
    if (performance.now() - since > provenMs) this.#failures = 0;
    this.#retryLater();
  }

  /** Whether the server does not do such a thing; all else may pass. */
  #isFinal(error: unknown): boolean {
    const codes: readonly number[] = [ErrorCode.MethodNotFound, ErrorCode.InvalidParams];
    return (
      (isUnknownRequestError(error) && !this.#hasWorked) || (error instanceof RemoteError && codes.includes(error.code))
    );
  }

  #retryLater(): void {
    const pause = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs) * (0.5 + Math.random());
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = unref(setTimeout(() => void this.#retry(), pause));
  }

  async #retry(): Promise<void> {
    if (!this.connection.isOpen) return;
    try {
      await this.setFilter(this.#filter);
    } catch (error) {
      this.connection.report(error);
    }
  }
}

async function grantedBy(stream: Subscription): Promise<SubscriptionFilter> {
  const timer = setTimeout(() => void stream.close(), acknowledgeMs);
  try {
    return ((await stream.acknowledged) as { notifications: SubscriptionFilter }).notifications;
  } finally {
    clearTimeout(timer);
  }
}

function isEmpty({ resourceSubscriptions = [], ...lists }: SubscriptionFilter): boolean {
  return resourceSubscriptions.length === 0 && Object.values(lists).every((wanted) => !wanted);
}
