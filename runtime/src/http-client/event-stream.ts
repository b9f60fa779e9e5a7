import type { EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../engine/errors.js";
import { readEvents } from "./events.js";
import { statusOf } from "./http-error.js";
import type { ReconnectionOptions, StreamableHTTPClientTransportOptions } from "./options.js";

/** Ids go back in a header; one that is longer than servers take is no use. */
const maxIdLength = 2_048;
/** No server waits longer than this for a client to come back. */
const maxRetryMs = 3_600_000;
/** A stream that has lived for so long worked. */
const longMs = 10_000;

/** What a stream is there for. */
export interface StreamPurpose {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Called with the data of each event. */
  readonly data: (text: string) => void;
  /** All that was waited for has come. */
  readonly done: () => boolean;
  /** Whether the stream may be opened again, with an event id and without. */
  readonly reopens: (lastEventId: string | undefined) => boolean;
  /** Opens it again, after the event with that id. */
  readonly open: (lastEventId: string | undefined) => Promise<Response>;
}

/** A stream of messages that survives the connections it comes over: it has the cursor to go on with. */
export class EventStream {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  /** Something has come over the current connection. */
  #alive = false;

  constructor(
    readonly purpose: StreamPurpose,
    readonly options: Pick<StreamableHTTPClientTransportOptions, "reconnectionOptions" | "reconnectionScheduler">,
    lastEventId?: string,
  ) {
    this.#lastEventId = lastEventId;
  }

  /**
   * Reads the stream until all has come, over as many connections as it takes.
   * @throws SdkError `RESPONSE_LOST` when it breaks for good; `LIMIT_EXCEEDED`; what `open` throws for good
   */
  async follow(first?: Response): Promise<void> {
    const { purpose } = this;
    let response = first;
    let cause: unknown;
    for (let attempt = 0; ; attempt++) {
      if (response) {
        const since = performance.now();
        cause = await this.#read(response);
        if (purpose.done()) return;
        if (this.#alive || performance.now() - since > longMs) attempt = 0;
      }
      if (!purpose.reopens(this.#lastEventId))
        throw new SdkError("RESPONSE_LOST", "the stream ended before the answer", undefined, { cause });
      const { maxRetries = 5 } = this.options.reconnectionOptions ?? {};
      if (attempt >= maxRetries) {
        const message = `the stream ended before the answer, and ${attempt} attempts to resume it were in vain`;
        throw new SdkError("RESPONSE_LOST", message, undefined, { cause });
      }
      await this.#pause(attempt);
      response = await purpose.open(this.#lastEventId).catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        cause = error;
        return undefined;
      });
    }
  }

  /** Reads one connection to its end. Returns what has cut it off, if that was no end in order. */
  async #read(response: Response): Promise<unknown> {
    const { signal, maxBytes } = this.purpose;
    this.#alive = false;
    try {
      await readEvents(response, maxBytes, {
        event: (event) => this.#event(event),
        retry: (ms) => {
          this.#alive = true;
          this.#retryMs = Math.min(ms, maxRetryMs);
        },
      });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SdkError) throw error;
      return error;
    }
  }

  #event({ id, event, data }: EventSourceMessage): void {
    this.#alive = true;
    if (id !== undefined) this.#lastEventId = id.length <= maxIdLength && id !== "" ? id : undefined;
    // An event without data only has an id to come back with.
    if (data !== "" && (event === undefined || event === "message")) this.purpose.data(data);
  }

  #pause(attempt: number): Promise<void> {
    const { signal } = this.purpose;
    const delay = delayMs(attempt, this.#retryMs, this.options.reconnectionOptions ?? {});
    const schedule = this.options.reconnectionScheduler ?? later;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = (): void => {
        callOff?.();
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", stop, { once: true });
      const callOff = schedule(
        () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
        delay,
        attempt,
      );
    });
  }
}

/** Never less than the server asks for, and not the same for all clients. */
function delayMs(
  attempt: number,
  retryMs: number | undefined,
  {
    maxReconnectionDelay = 30_000,
    initialReconnectionDelay = 1_000,
    reconnectionDelayGrowFactor = 1.5,
  }: ReconnectionOptions,
): number {
  const backOff = Math.min(initialReconnectionDelay * reconnectionDelayGrowFactor ** attempt, maxReconnectionDelay);
  const jitter = backOff * (0.5 + Math.random() / 2);
  if (retryMs === undefined) return jitter;
  // Timers may be a millisecond early.
  return Math.max(retryMs + 1, attempt > 0 ? jitter : 0) + Math.random() * Math.min(retryMs / 10, 1_000);
}

function later(reconnect: () => void, ms: number): () => void {
  const timer = setTimeout(reconnect, ms);
  return () => clearTimeout(timer);
}

/** Whether it may be better the next time: the server could not be reached, or is busy. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined
    ? error instanceof SdkError && error.code === "SEND_FAILED"
    : status >= 500 || status === 408 || status === 429;
}
