import { releasedRejection } from "../http-server/rejection.js";
import { event, KEEP_ALIVE } from "../http/sse.js";
import { ErrorCode, SdkError } from "../jsonrpc/errors.js";
import { unref } from "../timing/timer-delay.js";
import type { Channels, LogEntry, LogStore } from "./backplane-store.js";
import { followLog, type LogFollower } from "./follow-log.js";
import type { GetStream } from "./get-stream.js";
import { eventId, logOfStream, readProgress, toStreamEntry } from "./logged-streams.js";
import { beatMs } from "./node-liveness.js";

/** Continues the stream of a POST, which any node handles, on the response to a GET. */
export class ResumedStream implements LogFollower {
  #stop: (() => void) | undefined;
  /** The id of the newest entry that was sent. */
  #sent = "";
  /** Set when the response ends after an entry, so that the client reconnects. */
  #closing: { readonly after: string; readonly retryMs: number | undefined } | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param isHandled whether a node still handles the requests of the stream */
  constructor(
    readonly store: LogStore & Channels,
    readonly stream: GetStream,
    readonly isHandled: () => Promise<boolean>,
  ) {}

  /**
   * Sends the events after an entry, and later ones.
   * @param isWaiting whether there are none yet
   * @throws HttpRejection when the session has ended
   */
  async start(after: string, isWaiting: boolean): Promise<void> {
    const { stream } = this;
    if (stream.hasEnded && !stream.hasStarted) throw releasedRejection(stream.session.endpoint);
    if (stream.hasEnded) return;
    this.#sent = after;
    // Hosts send the head with the first write.
    stream.start(isWaiting ? KEEP_ALIVE : "");
    this.#timer = unref(setInterval(() => void this.#watch(), beatMs));
    try {
      this.#stop = await followLog(this.store, logOfStream(stream.id), after, this);
    } catch (error) {
      stream.session.report(error);
      stream.abort();
    }
    if (!stream.isOpen) this.end();
  }

  onEntry({ id, text: entry }: LogEntry): Promise<void> | undefined {
    const { text } = toStreamEntry(entry);
    this.#sent = id;
    const writing = text === "" ? undefined : this.stream.write(event(text, eventId(this.stream.id, id)));
    if (text === "") this.stream.expire();
    else if (id === this.#closing?.after) this.stream.closeForReconnect(this.#closing.retryMs);
    return writing;
  }

  /** Ends the response once everything is sent that is stored now, so that the client reconnects later. */
  async closeForReconnect(retryMs: number | undefined): Promise<void> {
    try {
      const log = logOfStream(this.stream.id);
      const { entries } = await this.store.read(log, { after: this.#sent, limit: 1_000 });
      const after = entries.at(-1)?.id ?? this.#sent;
      if (after === this.#sent) this.stream.closeForReconnect(retryMs);
      else this.#closing = { after, retryMs };
    } catch (error) {
      this.stream.session.report(error);
    }
  }

  onGap(): void {
    this.onError(new SdkError("LIMIT_EXCEEDED", "events were dropped before they were sent to a slow client"));
    this.stream.abort();
  }

  onError(error: Error): void {
    this.stream.session.report(error);
  }

  /** Ends the stream with errors when its node has died. */
  async #watch(): Promise<void> {
    try {
      if (this.stream.hasEnded || (await this.isHandled())) return;
      // The end of the stream may have been stored meanwhile.
      const { requests, answered, isComplete } = await readProgress(this.store, this.stream.id);
      if (isComplete) return;
      const error = { code: ErrorCode.InternalError, message: "The process that handled the request has ended" };
      // It may have died between the last response and the end of the stream.
      const errors = requests.filter((id) => !answered.has(id)).map((id) => ({ jsonrpc: "2.0", id, error }));
      // Those of a batch are one message: a client that gets a part of several would continue, and get that part again.
      const [first, ...others] = errors;
      if (first) void this.stream.write(event(JSON.stringify(others.length > 0 ? errors : first)));
      this.stream.expire();
    } catch (error) {
      this.stream.session.report(error);
    }
  }

  /** Called when the response has ended. */
  end(): void {
    clearInterval(this.#timer);
    this.#stop?.();
  }
}
