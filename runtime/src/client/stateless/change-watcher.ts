import type { NotificationMessage, Subscription } from "@mcpwright/protocol/contract";
import { SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../../authoring.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, RemoteError } from "../../jsonrpc/errors.js";
import { unref } from "../../timing/timer-delay.js";
import type { ChangeWatcher } from "../change-watcher.js";
import type { ClientConnection } from "../client-connection.js";
import { isUnknownRequestError } from "./negotiate.js";

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A stream that was open for longer counts as working. */
const provenMs = 10_000;
/** How long a server may take to acknowledge a stream; proxies that buffer delay it. */
const acknowledgeMs = 30_000;

/**
 * Keeps one `subscriptions/listen` stream open. Its filter cannot change: for a new filter, a second stream is opened, and
 * the first one is closed when the server has acknowledged the second.
 */
export class StatelessChangeWatcher implements ChangeWatcher {
  #stream: Subscription | undefined;
  /** The wanted filter. */
  #filter: SubscriptionFilter = {};
  /** The filter of the open stream as a string, and the part of it that the server grants. */
  #requested: string | undefined;
  #granted: SubscriptionFilter = {};
  #closed = false;
  /** Whether the server has acknowledged a stream before, so that it is known to support streams. */
  #hasWorked = false;
  #failures = 0;
  /** The timer of the next attempt; set until any attempt has worked. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly connection: ClientConnection,
    /** Called with each change. */
    readonly onChange: (event: NotificationMessage) => void,
    /** Called when changes may have been missed. */
    readonly onGap: () => void,
    /** Called when the server has ended the stream, or with the error that ended it. */
    readonly onStreamEnd: (error: Error | undefined) => void = () => undefined,
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
      // An earlier attempt with another filter must not replace a later one.
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
    stream.result.then(
      // The connection may be closed at once.
      () => this.onStreamEnd(undefined),
      (error: unknown) => {
        if (this.#stream === stream) this.onStreamEnd(toError(error));
      },
    );
    try {
      for await (const event of stream) {
        this.#failures = 0;
        this.onChange(event);
      }
    } catch (error) {
      if (this.#stream === stream) this.connection.report(error);
    }
    // Stop if the client has replaced or closed the stream. Otherwise the server has ended it, and it is still wanted.
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    // Proxies cut streams that are idle.
    if (performance.now() - since > provenMs) this.#failures = 0;
    this.#retryLater();
  }

  /** Whether the server does not support streams; all other errors may be temporary. */
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
