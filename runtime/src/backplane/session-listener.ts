import type { HttpRequest, Responder } from "../http-server/host-adapter.js";
import { HttpRejection, releasedRejection, unknownEventRejection } from "../http-server/rejection.js";
import type { NodeSession } from "../http-server/shared-sessions.js";
import { event, primingEvent } from "../http/sse.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { Channels, LogEntry, LogStore, ValueStore } from "./backplane-store.js";
import type { ChangeLog, LoggedChange } from "./change-log.js";
import { followLog } from "./follow-log.js";
import { GetStream } from "./get-stream.js";
import { ListenerClaim } from "./listener-claim.js";
import { eventId } from "./logged-streams.js";
import type { NodeLiveness } from "./node-liveness.js";

/** The most messages of a session that wait for a stream. A backplane may keep a few more: at most `maxRead` are read. */
const [maxEntries, maxRead] = [1_000, 2_000];
const droppedMessages = `more than ${maxEntries} messages waited for the client to open a stream; the oldest were dropped`;

/**
 * The messages of a session that belong to no request. They are kept in a log, as the nodes send them; the node with the newest stream
 * follows it. That node also adds the changes of lists and resources that the client wants to know about.
 */
export class SessionListener {
  readonly #log: string;
  readonly #claim: ListenerClaim;
  /** The streams that are open at this node; the last one gets the messages. */
  readonly #streams: GetStream[] = [];
  /** The ids of changes that were in the log, or were missed, when a stream took over. Others arrive once. */
  readonly #logged = new Set<string>();
  /** The texts of the changes that wait in the log: an equal one need not be added. */
  readonly #waiting = new Set<string>();
  /** The changes that were sent, as far as the log contains them. */
  readonly #sent = new Set<string>();
  /** The changes that were missed before a stream took over. */
  #missed: readonly LoggedChange[] = [];
  /** The changes that wait until earlier ones are read, or until this node knows what the client wants. */
  #held: LoggedChange[] = [];
  /** The number of reasons to hold changes back. */
  #holds = 0;
  /** The number of streams that are taking the claim. */
  #taking = 0;
  /** Whether a node has given the claim back meanwhile. */
  #wasVacant = false;
  /** The id of the newest entry that was sent at this node. */
  #sentHere: string | undefined;
  /** The id of the change that is being delivered. */
  #change: string | undefined;
  /** Settles when the messages so far are in the log; undefined when they are. */
  #appending: Promise<void> | undefined;
  #stop: (() => void) | undefined;
  /** Counts the streams that followed the log: only the last one continues. */
  #turn = 0;

  constructor(
    readonly store: ValueStore & LogStore & Channels,
    readonly changes: ChangeLog,
    readonly session: NodeSession,
    liveness: NodeLiveness,
    readonly ttlMs: number,
    /** The change that was the newest when the session was opened. */
    readonly firstChange: () => string | undefined,
    /** Called when the first stream is open, and when the last one has ended. */
    readonly onListening: (isListening: boolean) => void,
  ) {
    this.#log = logOfSession(session.sessionId);
    this.#claim = new ListenerClaim(store, session.sessionId, liveness, ttlMs);
  }

  get isOpen(): boolean {
    return this.#streams.length > 0;
  }

  /** Adds a message to the log, after those before it. @throws BackplaneError */
  send(text: string): Promise<void> {
    const change = this.#change;
    if (change !== undefined) {
      if (this.#waiting.has(text)) return Promise.resolve();
      this.#waiting.add(text);
    }
    const append = async (): Promise<void> => {
      await this.store.append(this.#log, `${change ?? ""}\n${text}`, { ttlMs: this.ttlMs, maxEntries });
    };
    const appended = this.#appending ? this.#appending.then(append) : append();
    const settled = appended
      // A change that is not in the log does not wait there.
      .catch(() => this.#waiting.delete(text))
      .then(() => {
        if (this.#appending === settled) this.#appending = undefined;
      });
    this.#appending = settled;
    return appended;
  }

  /**
   * Opens a stream.
   * @param id the id of the stream
   * @param after the id of the entry after which to continue; undefined: after what was sent on any stream; empty: from the oldest
   * @throws HttpRejection when the client has too many streams; BackplaneError
   */
  async open(request: HttpRequest, responder: Responder, id: string, after?: string): Promise<void> {
    for (const one of this.#streams) if (one.id === id) one.expire();
    if (!this.session.endpoint.streams.hasRoom(this.session.client)) throw new HttpRejection(503, "Too many streams");
    const stream = new GetStream(this.session, id, request, responder, true, (one) => void this.#onEnd(one));
    this.#streams.push(stream);
    try {
      await this.#listen(stream, after, true);
    } catch (error) {
      if (!stream.hasStarted) {
        stream.abandon();
        throw error;
      }
      this.#abort(stream, error);
    }
  }

  /** Delivers a change that has just been logged, if this node sends the messages. */
  onChange(logged: LoggedChange): void {
    if (this.#holds > 0) this.#held.push(logged);
    else if (this.#claim.isHeld) this.#deliver(logged);
  }

  /** Holds changes back until a promise has settled. It must not reject. */
  async holdWhile(waiting: Promise<unknown>): Promise<void> {
    this.#holds++;
    await waiting;
    this.#releaseHeld();
  }

  /** Called when a node has given the claim back. This one may believe that it has it, if another took it and sent nothing. */
  onVacant(): void {
    const stream = this.#streams.at(-1);
    this.#wasVacant = this.#taking > 0;
    if (stream && !this.#wasVacant) this.#takeVacant(stream).catch((error: unknown) => this.#abort(stream, error));
  }

  /** Called regularly: the node that has the claim may have died. */
  async watch(): Promise<void> {
    if (!this.isOpen || this.#claim.isHeld || this.#taking > 0) return;
    try {
      if (await this.#claim.isVacant()) this.onVacant();
    } catch (error) {
      this.session.report(error);
    }
  }

  closeStreams(retryMs: number | undefined): void {
    for (const stream of [...this.#streams]) stream.closeForReconnect(retryMs);
  }

  /** Ends a stream that the client continues at another node. */
  detach(id: string): void {
    for (const stream of [...this.#streams]) if (stream.id === id) stream.expire();
  }

  /** Keeps the messages for the time of the session. */
  async keep(): Promise<void> {
    if (this.#claim.isHeld) await this.#claim.keep();
  }

  end(): void {
    for (const stream of [...this.#streams]) stream.terminate();
  }

  /** Sends an entry of the log on a stream, if that is still the newest. */
  async #send(stream: GetStream, turn: number, { id, text: entry }: LogEntry): Promise<void> {
    const { change, text } = toMessage(entry);
    this.#waiting.delete(text);
    // Two nodes may have added the change, while the claim moved from one to the other.
    if (change && this.#sent.has(change)) return;
    let isNoted: boolean;
    try {
      isNoted = await this.#claim.noteDelivery(id, () => turn === this.#turn);
    } catch (error) {
      this.#abort(stream, error);
      return;
    }
    if (!isNoted) {
      // Another stream has the claim.
      if (turn === this.#turn) this.#stopFollowing();
      return;
    }
    if (change) this.#noteSent(change);
    this.#sentHere = id;
    await stream.write(event(text, this.session.isResumable ? eventId(stream.id, id) : undefined));
  }

  async #takeVacant(stream: GetStream): Promise<void> {
    if (await this.#claim.isCurrent()) return;
    if (this.#taking === 0 && stream === this.#streams.at(-1)) await this.#listen(stream, undefined, false);
  }

  /** Gives the messages to a stream. */
  async #listen(stream: GetStream, after: string | undefined, isNew: boolean): Promise<void> {
    this.#stopFollowing();
    const turn = this.#turn;
    const isCurrent = (): boolean => turn === this.#turn;
    this.#taking++;
    this.#holds++;
    try {
      if (!(await this.#claim.take(isNew))) return;
      const { seen } = this.#claim.state;
      const { from, newest, isLost } = await this.#readLog(after, isCurrent);
      if (isLost) {
        // The client gets to know that messages may be missing, and does not get those again that it has.
        if (from !== undefined) await this.#claim.noteDelivery(from, isCurrent);
        throw unknownEventRejection();
      }
      // The log expires; then this is from where to look for changes.
      if (newest !== undefined) this.#claim.state = { ...this.#claim.state, seen: newest };
      if (isNew) this.#start(stream, from);
      if (!isCurrent()) return;
      const stop = await followLog(this.store, this.#log, from, {
        onEntry: (entry) => this.#send(stream, turn, entry),
        onGap: () => {
          this.#waiting.clear();
          this.session.report(new SdkError("LIMIT_EXCEEDED", droppedMessages));
        },
        // Waiting entries may be lost, and the newest state of the claim.
        onInterruption: () => {
          this.#waiting.clear();
          this.#claim.restore().catch((error: unknown) => this.session.report(error));
        },
        onError: (error) => {
          this.#waiting.clear();
          this.session.report(error);
        },
      });
      if (!isCurrent()) {
        stop();
        return;
      }
      this.#stop = stop;
      const known = newest ?? seen ?? this.firstChange();
      const missed = await this.changes.readSince(known);
      if (!isCurrent()) return;
      this.#missed = missed;
      // A node may get to know a change long after it was logged.
      this.#held = this.#held.slice(this.#held.findIndex(({ id }) => id === known) + 1);
    } finally {
      this.#taking--;
      this.#releaseHeld();
      if (this.#taking === 0 && this.#wasVacant) this.onVacant();
    }
  }

  #start(stream: GetStream, from: string | undefined): void {
    if (stream.hasEnded && !stream.hasStarted) throw releasedRejection(this.session.endpoint);
    const { isPolling, endpoint } = this.session;
    stream.start(isPolling ? primingEvent(eventId(stream.id, from ?? ""), endpoint.options.retryInterval) : undefined);
    this.onListening(true);
  }

  /**
   * Reads the log: the changes that it contains, and the entry after which to continue. That is the newest one that was sent, when the entry
   * `after` was dropped, or is undefined.
   */
  async #readLog(
    after: string | undefined,
    isCurrent: () => boolean,
  ): Promise<{ from?: string; newest?: string; isLost: boolean }> {
    const { entries } = await this.store.read(this.#log, { limit: maxRead });
    const position = (id: string | undefined): number => entries.findIndex((entry) => entry.id === id);
    let at = position(after);
    let isLost = false;
    // An empty one means the oldest entry.
    if (at < 0 && after !== "") {
      const place = await this.#placeOf(after ?? this.#sentHere, entries);
      isLost = after !== undefined && place >= 0;
      at = Math.max(place, position(this.#claim.state.delivered));
    }
    let newest: string | undefined;
    const isNewest = isCurrent();
    if (isNewest) this.#forget();
    for (const [index, entry] of entries.entries()) {
      const { change, text } = toMessage(entry.text);
      if (!change) continue;
      newest = change;
      if (!isNewest) continue;
      this.#logged.add(change);
      if (index <= at) this.#sent.add(change);
      else this.#waiting.add(text);
    }
    const from = entries[at]?.id;
    return { ...(from !== undefined && { from }), ...(newest !== undefined && { newest }), isLost };
  }

  /** Returns the index of the entry `id`, or of the newest one before it, if it was lost; -1 when neither is known. */
  async #placeOf(id: string | undefined, entries: readonly LogEntry[]): Promise<number> {
    const known = entries.findIndex((entry) => entry.id === id);
    if (known >= 0 || id === undefined || entries.length === 0) return known;
    const next = (await this.store.read(this.#log, { after: id, limit: 1 })).entries[0];
    const at = next ? entries.findIndex((entry) => entry.id === next.id) : entries.length;
    return (at < 0 ? entries.length : at) - 1;
  }

  #releaseHeld(): void {
    if (--this.#holds > 0) return;
    const [missed, held] = [this.#missed, this.#held];
    this.#missed = [];
    this.#held = [];
    if (!this.#claim.isHeld) return;
    for (const logged of missed) {
      this.#deliver(logged);
      if (logged.id) this.#logged.add(logged.id);
    }
    for (const logged of held) this.#deliver(logged);
  }

  #deliver({ id, change }: LoggedChange): void {
    if (this.#logged.has(id)) return;
    if (id) this.#claim.state = { ...this.#claim.state, seen: id };
    this.#change = id;
    try {
      this.session.notifyChanged(change);
    } finally {
      this.#change = undefined;
    }
  }

  /** Aborts a stream that may miss messages, so that the client opens another. */
  #abort(stream: GetStream, error: unknown): void {
    this.session.report(error);
    stream.abort();
  }

  #noteSent(change: string): void {
    this.#sent.add(change);
    const [oldest] = this.#sent;
    if (this.#sent.size > maxRead && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** The next stream that takes over reads the log again. */
  #forget(): void {
    for (const changes of [this.#sent, this.#logged, this.#waiting]) changes.clear();
  }

  #stopFollowing(): void {
    this.#turn++;
    this.#stop?.();
    this.#stop = undefined;
  }

  async #onEnd(stream: GetStream): Promise<void> {
    const wasLast = this.#streams.at(-1) === stream;
    this.#streams.splice(this.#streams.indexOf(stream), 1);
    if (!wasLast) return;
    this.#stopFollowing();
    try {
      if (await this.#claim.giveBack()) this.onListening(false);
      if (!this.isOpen) this.#forget();
    } catch (error) {
      this.session.report(error);
      // No node gets to know that older streams may have the messages now.
      for (const one of [...this.#streams]) one.abort();
    }
  }
}

export function logOfSession(sessionId: string): string {
  return `messages:${sessionId}`;
}

/** Reads an entry: a message, and the id of the change that it reports, or an empty text. */
function toMessage(entry: string): { readonly change: string; readonly text: string } {
  const at = entry.indexOf("\n");
  return { change: entry.slice(0, at), text: entry.slice(at + 1) };
}
