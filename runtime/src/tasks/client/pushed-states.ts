import type { Subscription } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_TASKS, SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { ClientConnection } from "../../client/client-connection.js";
import type { ClientMessages } from "./client-messages.js";
import { ErrorCode, RemoteError, SdkError } from "../../jsonrpc/errors.js";
import { withTimeLimit } from "../../timing/with-time-limit.js";
import { readTask } from "./read-task.js";
import type { StateListener, StateSubscription } from "./task-port.js";

/** Tasks that are created within this time share a stream. */
const batchMs = 20;
/** How long a server may take to acknowledge a stream; proxies that buffer delay it. */
const acknowledgeMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Errors of servers that push no states of tasks. */
const final: readonly number[] = [ErrorCode.MethodNotFound, ErrorCode.InvalidParams];

/**
 * The states of tasks that servers push: over one `subscriptions/listen` stream for all tasks of a client, where the server grants
 * that, or in notifications without a request. The filter of a stream cannot change, so a new one replaces it.
 */
export class PushedStates {
  readonly #listeners = new Map<string, Set<StateListener>>();
  #stream: Subscription | undefined;
  /** The tasks that the filter of the stream names, and those that the server grants. */
  #requested: ReadonlySet<string> = new Set();
  #granted: ReadonlySet<string> = new Set();
  #isOpening = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The connection to a server that pushes no states. */
  #refusing: ClientConnection | undefined;

  constructor(readonly messages: ClientMessages) {}

  subscribe(taskId: string, listener: StateListener): StateSubscription {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(taskId, listeners);
    this.#openIn(batchMs);
    const isGranted = (): boolean => this.#granted.has(taskId);
    return {
      get isActive() {
        return isGranted();
      },
      close: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(taskId);
        if (this.#listeners.size === 0) this.#close();
      },
    };
  }

  /** Passes on the state in a notification. */
  deliver(params: object): void {
    const state = readTask(params);
    for (const listener of this.#listeners.get(state.task.taskId) ?? []) listener.onState(state);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#stream?.close();
    this.#reset();
  }

  #reset(): void {
    this.#stream = undefined;
    this.#requested = this.#granted = new Set();
  }

  #openIn(ms: number): void {
    if (this.#timer !== undefined || this.#isOpening) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#open();
    }, ms);
  }

  async #open(): Promise<void> {
    const connection = this.messages.openConnection;
    const taskIds = [...this.#listeners.keys()];
    if (taskIds.every((id) => this.#requested.has(id)) || (connection && connection === this.#refusing)) return;
    if (!connection) {
      this.#retryLater();
      return;
    }
    if (connection.side.profile.subscriptions !== "listen") return;
    this.#isOpening = true;
    let isFailed = false;
    try {
      await this.#replace(connection, taskIds);
    } catch (error) {
      if (error instanceof RemoteError && final.includes(error.code)) this.#refusing = connection;
      else isFailed = true;
    }
    this.#isOpening = false;
    if (!isFailed) this.#failures = 0;
    // Other tasks may have been created in the meantime.
    this.#retryLater();
  }

  /** Opens a stream, and closes the one before when the server has acknowledged it. */
  async #replace(connection: ClientConnection, taskIds: readonly string[]): Promise<void> {
    const stream = connection.listen(SUBSCRIPTIONS_LISTEN, { notifications: { taskIds } });
    let granted: readonly string[] | undefined;
    try {
      const late = (): Error => new SdkError("REQUEST_TIMEOUT", `${SUBSCRIPTIONS_LISTEN} was not acknowledged in time`);
      const acknowledged = await withTimeLimit(stream.acknowledged, acknowledgeMs, late);
      granted = (acknowledged as { notifications: { taskIds?: readonly string[] } }).notifications.taskIds;
    } catch (error) {
      void stream.close();
      throw error;
    }
    const before = this.#stream;
    if (!granted) this.#refusing = connection;
    if (this.#listeners.size === 0 || !granted?.length) void stream.close();
    else {
      this.#stream = stream;
      void this.#follow(stream);
    }
    this.#requested = new Set(taskIds);
    this.#granted = new Set(this.#stream === stream ? granted : []);
    await before?.close();
  }

  async #follow(stream: Subscription): Promise<void> {
    try {
      for await (const { method, params } of stream) if (method === NOTIFICATIONS_TASKS && params) this.deliver(params);
    } catch {
      // The tasks are polled, which reports the reason if it lasts.
    }
    if (this.#stream !== stream) return;
    this.#reset();
    this.#retryLater();
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onGap();
  }

  #retryLater(): void {
    const pause = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs) * (0.5 + Math.random());
    if (this.#listeners.size > 0) this.#openIn(pause);
  }
}
