import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import { REFUSAL, type Refusal } from "../../jsonrpc/refusal.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { type TimeLimited, timeLimits } from "../../timing/time-limits.js";
import { quote } from "../review/escape-hidden.js";
import { CallWindow } from "./call-window.js";
import { FairQueue } from "./fair-queue.js";
import { jsonSize } from "./json-size.js";

export interface UpstreamLimitsOptions {
  /** The most calls that run at the same time; further ones wait. Default: `Infinity`. */
  readonly concurrency?: number | undefined;
  /** The most calls that wait; further ones are refused. Default: `1_000`. */
  readonly maxWaiting?: number | undefined;
  /** The most calls in any 60 seconds, including those that wait; further ones are refused. Default: `Infinity`. */
  readonly callsPerMinute?: number | undefined;
  /** The most bytes of a result, as JSON. Default: `Infinity`; the transports limit messages. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that a call waits at most. Default: `60_000`. */
  readonly maxWaitMs?: number | undefined;
}

/** A call that wants to run. */
export interface EnteringCall {
  /** Aborts the wait of the call. */
  readonly signal?: AbortSignal | undefined;
  /** Identifies the client: clients whose calls wait have their turns one after the other. Default: all calls are of one client. */
  readonly client?: unknown;
}

/** Ends a call, so that the next one runs. Further calls of it do nothing. */
export type Leave = () => void;

/** The limits of one server, for the calls of all its clients. */
export class UpstreamLimits {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxBytes: number;
  readonly maxWaitMs: number;
  readonly #window: CallWindow;
  readonly #queue = new FairQueue<WaitingCall>();
  #running = 0;

  /**
   * @param server the name of the server, for messages
   * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
   */
  constructor(
    readonly server: string,
    options: UpstreamLimitsOptions = {},
  ) {
    assertNumberOptions(options);
    const { concurrency = Infinity, maxWaiting = 1_000, callsPerMinute = Infinity } = options;
    assertCount("concurrency", concurrency);
    assertCount("callsPerMinute", callsPerMinute);
    this.concurrency = concurrency;
    this.maxWaiting = maxWaiting;
    this.maxBytes = options.maxBytes ?? Infinity;
    this.maxWaitMs = options.maxWaitMs ?? 60_000;
    this.#window = new CallWindow(callsPerMinute);
  }

  /** How many calls run. */
  get running(): number {
    return this.#running;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Waits until a call may run; returns immediately if it may run now. When too many calls wait, the newest one of the client with the
   * most gives way to a client that has fewer.
   * @returns a function to call when the call has ended
   * @throws ProtocolError (also as a rejection) 429 when there are too many calls, over HTTP with status 429 and `Retry-After`
   * @throws the abort reason of the signal (also as a rejection)
   */
  enter({ signal, client }: EnteringCall = {}): Leave | Promise<Leave> {
    signal?.throwIfAborted();
    const mustWait = this.#running >= this.concurrency;
    const isFull = mustWait && this.#queue.size >= this.maxWaiting;
    const displaced = isFull ? this.#queue.displacedBy(client) : undefined;
    if (isFull && !displaced) throw this.#busy();
    const wait = this.#window.take(performance.now());
    if (wait > 0) throw this.#tooMany(wait);
    displaced?.entry.fail(this.#busy());
    if (mustWait) return this.#wait(client, signal);
    this.#running++;
    return this.#leave();
  }

  /**
   * Measures a result of the server. Stops when it is larger than allowed.
   * @throws ProtocolError -32603 when it is larger than `maxBytes`
   */
  checkSize(result: unknown): void {
    const { server, maxBytes } = this;
    if (maxBytes === Infinity || jsonSize(result, maxBytes) <= maxBytes) return;
    throw new ProtocolError(
      ErrorCode.InternalError,
      `The result of server ${quote(server)} is larger than ${maxBytes} bytes; request less (limit maxBytes)`,
    );
  }

  #wait(client: unknown, signal: AbortSignal | undefined): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const abort = (): void => call.fail(signal?.reason as Error);
      const end = (): void => {
        this.#queue.delete(client, call);
        timeLimits.delete(call);
        signal?.removeEventListener("abort", abort);
      };
      const call: WaitingCall = {
        setIndex: undefined,
        due: performance.now() + this.maxWaitMs,
        onLate: () => call.fail(this.#busy()),
        run: () => {
          end();
          resolve(this.#leave());
        },
        fail: (reason) => {
          end();
          reject(reason);
        },
      };
      this.#queue.add(client, call);
      if (call.due < Infinity) timeLimits.add(call);
      signal?.addEventListener("abort", abort);
    });
  }

  /** A call that waits takes the place of the one that ended. */
  #leave(): Leave {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const next = this.#queue.shift();
      if (next) next.run();
      else this.#running--;
    };
  }

  #busy(): ProtocolError {
    const { server, running, waiting } = this;
    const text = `Server ${quote(server)} is busy: ${running} calls run and ${waiting} wait; try again later (limit concurrency)`;
    return refusal(text, { status: 429, retryAfter: undefined });
  }

  #tooMany(ms: number): ProtocolError {
    const { server } = this;
    // Not earlier than allowed: whole seconds, rounded up.
    const seconds = Math.ceil(ms / 1_000);
    const text = `Server ${quote(server)} accepts ${this.#window.most} calls a minute; try again in ${seconds} s (limit callsPerMinute)`;
    return refusal(text, { status: 429, retryAfter: seconds }, Math.ceil(ms));
  }
}

interface WaitingCall extends TimeLimited {
  run(): void;
  fail(reason: Error): void;
}

/** The form of the refusals of the option `rateLimits` of servers. */
function refusal(message: string, refused: Refusal, retryAfterMs?: number): ProtocolError {
  const data = { ...(retryAfterMs !== undefined && { retryAfterMs }), [REFUSAL]: refused };
  return new ProtocolError(ErrorCode.TooManyRequests, message, data);
}

function assertCount(name: string, value: number): void {
  if (value !== Infinity && (!Number.isSafeInteger(value) || value < 1))
    throw new SdkError("INVALID_CONFIGURATION", `${name} must be a whole number that is 1 or more, not ${value}`);
}
