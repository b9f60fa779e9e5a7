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

/** Ids are sent back in a header; servers reject longer ones. */
const maxIdLength = 2_048;
/** The longest `retry` time of a server that is respected. */
const maxRetryMs = 3_600_000;
/** A stream that was open for longer counts as working. */
const provenMs = 10_000;
/** The shortest delay before a reconnection, unless the options ask for less. */
const minDelayMs = 100;

/** The purpose of a stream. */
export interface EventStreamOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Called with the data of each event. */
  readonly onData: (text: string) => void;
  /** Whether everything expected has arrived. */
  readonly isDone: () => boolean;
  /** Whether the stream may be opened again, with and without an event id. */
  readonly canReopen: (lastEventId: string | undefined) => boolean;
  /** Opens the stream after the event with this id. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>;
  /** Called when the stream is open again, but not after the last event. Absent if gaps do not matter. */
  readonly onGap?: () => void;
}

/** A stream of messages that survives its connections: it resumes after the last event. */
export class EventStream {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  /** Whether anything has arrived over the current connection. */
  #alive = false;
  /** Connections in a row without data. */
  #idle = 0;
  #isTried = false;
  /** Why the last connection broke or could not be opened. */
  #cause: unknown;

  constructor(
    readonly stream: EventStreamOptions,
    readonly options: StreamableHTTPClientTransportOptions,
    lastEventId?: string,
  ) {
    this.#lastEventId = lastEventId;
  }

  /**
   * Opens a connection. @returns undefined if a later attempt may work
   * @throws permanent errors of `open`
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
        // Servers forget events, but may still have the stream.
        this.#lastEventId = undefined;
      }
      this.#cause = error;
      return undefined;
    }
  }

  /**
   * Reads the stream until everything has arrived, over as many connections as needed.
   * @throws SdkError `RESPONSE_LOST` when it breaks permanently; `LIMIT_EXCEEDED`; permanent errors of `open`
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
      const ended = purpose.onGap
        ? "the stream ended"
        : `the stream ended before the response; ${mayHaveBeenProcessed}`;
      if (!purpose.canReopen(this.#lastEventId)) throw responseLostError(ended, this.#cause);
      const { maxRetries = 5 } = this.options.reconnectionOptions ?? {};
      if (attempt >= maxRetries) throw responseLostError(`${attempt} attempts to resume failed: ${ended}`, this.#cause);
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
          // Without an id the stream cannot be resumed.
          this.#alive ||= this.#lastEventId !== undefined;
          this.#retryMs = Math.min(ms, maxRetryMs);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SdkError) {
        // The server would send the same event again.
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
    // A scheduler may close the client before it returns.
    const callOff = schedule(resolve, delay, attempt);
    try {
      await raceAbort(signal, promise);
    } catch (error) {
      callOff?.();
      throw error;
    }
  }
}

/** Returns at least the server's `retry` time, with jitter so that clients do not reconnect at once. */
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
  // Polls without data back off like those of a server without a `retry` time.
  const least = Math.min(minDelayMs * reconnectionDelayGrowFactor ** idle, initialReconnectionDelay);
  // Timers may be a millisecond early.
  return Math.max(retryMs + 1, attempt > 0 ? jitter : least) + Math.random() * Math.min(retryMs / 10, 1_000);
}

function scheduleByTimer(reconnect: () => void, ms: number): () => void {
  const timer = setTimeout(reconnect, timerDelay(ms));
  return () => clearTimeout(timer);
}

/** Whether a later attempt may work: the server is unreachable or busy, or still considers the old stream open. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined
    ? error instanceof SdkError && error.code === "SEND_FAILED"
    : (status >= 500 && status !== 501) || status === 408 || status === 409 || status === 429;
}
