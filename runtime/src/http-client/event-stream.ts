import type { EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../jsonrpc/errors.js";
import { deferred } from "../timing/deferred.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import { responseLostError, mayHaveBeenProcessed, statusOf } from "./http-error.js";
import {
  defaultMaxReconnectionDelay,
  type ReconnectionOptions,
  type StreamableHTTPClientTransportOptions,
} from "./options.js";
import { readEvents } from "./read-events.js";

/** Ids go back in a header; one that is longer than servers take is no use. */
const maxIdLength = 2_048;
/** No server waits longer than this for a client to come back. */
const maxRetryMs = 3_600_000;
/** A stream that has lived for so long worked. */
const provenMs = 10_000;
/** No client comes back sooner, unless its own options say so. */
const minDelayMs = 100;

/** What a stream is there for. */
export interface EventStreamOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Called with the data of each event. */
  readonly onData: (text: string) => void;
  /** All that was waited for has come. */
  readonly isDone: () => boolean;
  /** Whether the stream may be opened again, with an event id and without. */
  readonly canReopen: (lastEventId: string | undefined) => boolean;
  /** Opens it, after the event with that id. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>;
  /** It is open again, but not after the last event. Absent where that is of no use. */
  readonly onGap?: () => void;
}

/** A stream of messages that survives the connections it comes over: it has the cursor to go on with. */
export class EventStream {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  /** Something has come over the current connection. */
  #alive = false;
  /** Connections in a row without data. */
  #idle = 0;
  #isTried = false;
  /** What the last connection broke of, or could not be opened for. */
  #cause: unknown;

  constructor(
    readonly stream: EventStreamOptions,
    readonly options: StreamableHTTPClientTransportOptions,
    lastEventId?: string,
  ) {
    this.#lastEventId = lastEventId;
  }

  /**
   * Opens a connection. @returns nothing when that may work later
   * @throws what `open` throws for good
   */
  async open(): Promise<Response | undefined> {
    const { stream: purpose } = this;
    const id = this.#lastEventId;
    const isAgain = this.#isTried;
    this.#isTried = true;
    try {
      const response = await purpose.open(id);
      if (isAgain && id === undefined) purpose.onGap?.();
      return response;
    } catch (error) {
      if (!isTransient(error)) {
        const status = statusOf(error);
        if (!purpose.onGap || id === undefined || status === undefined || status === 401 || status === 403) throw error;
        // Servers forget events, and still have the stream.
        this.#lastEventId = undefined;
      }
      this.#cause = error;
      return undefined;
    }
  }

  /**
   * Reads the stream until all has come, over as many connections as it takes.
   * @throws SdkError `RESPONSE_LOST` when it breaks for good; `LIMIT_EXCEEDED`; what `open` throws for good
   */
  async follow(first: Response | undefined): Promise<void> {
    const { stream: purpose } = this;
    let response = first;
    for (let attempt = 0; ; attempt++) {
      if (response) {
        const since = performance.now();
        await this.#read(response);
        if (purpose.isDone()) return;
        if (this.#alive || performance.now() - since > provenMs) attempt = 0;
      }
      const ended = purpose.onGap ? "the stream ended" : `the stream ended before the answer; ${mayHaveBeenProcessed}`;
      if (!purpose.canReopen(this.#lastEventId)) throw responseLostError(ended, this.#cause);
      const { maxRetries = 5 } = this.options.reconnectionOptions ?? {};
      if (attempt >= maxRetries)
        throw responseLostError(`${attempt} attempts to resume were in vain: ${ended}`, this.#cause);
      await this.#pause(attempt);
      response = await this.open();
    }
  }

  /** Reads one connection to its end. */
  async #read(response: Response): Promise<void> {
    const { signal, maxBytes } = this.stream;
    this.#alive = false;
    this.#idle++;
    this.#cause = undefined;
    try {
      await readEvents(response, maxBytes, {
        event: (event) => this.#event(event),
        id: (id) => {
          this.#lastEventId = id.length <= maxIdLength && id !== "" ? id : undefined;
          this.#alive ||= this.#lastEventId !== undefined;
        },
        retry: (ms) => {
          // Without an id there is nothing to come back for.
          this.#alive ||= this.#lastEventId !== undefined;
          this.#retryMs = Math.min(ms, maxRetryMs);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SdkError) {
        // It would come once more.
        this.#lastEventId = undefined;
        throw error;
      }
      this.#cause = error;
    }
  }

  #event({ event, data }: EventSourceMessage): void {
    if (data === "") return;
    this.#alive = true;
    this.#idle = 0;
    if (event === undefined || event === "message") this.stream.onData(data);
  }

  async #pause(attempt: number): Promise<void> {
    const { signal } = this.stream;
    const delay = delayMs(attempt, this.#idle, this.#retryMs, this.options.reconnectionOptions ?? {});
    const schedule = this.options.reconnectionScheduler ?? scheduleByTimer;
    signal.throwIfAborted();
    const { promise, resolve } = deferred();
    // A scheduler may give up by closing the client, before it returns.
    const callOff = schedule(resolve, delay, attempt);
    try {
      await raceAbort(signal, promise);
    } catch (error) {
      callOff?.();
      throw error;
    }
  }
}

/** Never less than the server asks for, and not the same for all clients. */
function delayMs(
  attempt: number,
  idle: number,
  retryMs: number | undefined,
  {
    maxReconnectionDelay = defaultMaxReconnectionDelay,
    initialReconnectionDelay = 1_000,
    reconnectionDelayGrowFactor = 1.5,
  }: ReconnectionOptions,
): number {
  const backOff = Math.min(initialReconnectionDelay * reconnectionDelayGrowFactor ** attempt, maxReconnectionDelay);
  const jitter = backOff * (0.5 + Math.random() / 2);
  if (retryMs === undefined) return jitter;
  // Polls in vain become as rare as those of a server that names no time.
  const least = Math.min(minDelayMs * reconnectionDelayGrowFactor ** idle, initialReconnectionDelay);
  // Timers may be a millisecond early.
  return Math.max(retryMs + 1, attempt > 0 ? jitter : least) + Math.random() * Math.min(retryMs / 10, 1_000);
}

function scheduleByTimer(reconnect: () => void, ms: number): () => void {
  const timer = setTimeout(reconnect, timerDelay(ms));
  return () => clearTimeout(timer);
}

/** Whether it may be better the next time: the server could not be reached, is busy, or believes the old stream open. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined
    ? error instanceof SdkError && error.code === "SEND_FAILED"
    : (status >= 500 && status !== 501) || status === 408 || status === 409 || status === 429;
}
