import { INITIALIZE, NOTIFICATIONS_CANCELLED, NOTIFICATIONS_PROGRESS, PING } from "@mcpwright/protocol/names";
import { LAST_EVENT_ID } from "../http/headers.js";
import type { DisconnectListener, HttpRequest, Responder } from "../http-server/host-adapter.js";
import { releasedRejection, unknownEventRejection } from "../http-server/rejection.js";
import type { SessionChange, SessionRecord } from "../http-server/session-record.js";
import type { NodeSession, SharedSession } from "../http-server/shared-sessions.js";
import { isObject } from "../jsonrpc/guards.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { markHandled } from "../timing/mark-handled.js";
import { unref } from "../timing/timer-delay.js";
import { GetStream } from "./get-stream.js";
import { logOfStream, parseEventId } from "./logged-streams.js";
import { ResumedStream } from "./resumed-stream.js";
import { extendAfterMs, sessionTtlMs } from "./session-life.js";
import { SessionListener } from "./session-listener.js";
import type { NodeMessage } from "./node-log.js";
import type { SessionEvent, SessionNode } from "./session-node.js";
import type { FoundSession, StoredSession } from "./session-records.js";

/** How long after a failure the record is read again, in milliseconds. */
const retryMs = 1_000;
/** The longest cancellation that nodes keep for each other, in characters of its JSON text. */
const maxCancellationLength = 2_000;

/** A session of this node that other nodes serve, too. */
export class ConnectedSession implements SharedSession {
  readonly idPrefix: string;
  readonly listener: SessionListener;
  /** The streams of POSTs that clients continue at this node, by id. */
  readonly #resumed = new Map<string, ResumedStream>();
  #known: StoredSession | undefined;
  /** The version of the record that the session has taken over; undefined since this node changes it. */
  #adopted: string | undefined;
  #keptAt = performance.now();
  /** Settles when the last change of this node is made; undefined when it is. */
  #changing: Promise<void> | undefined;
  #changeCount = 0;
  /** Settles when other nodes know that the client has sent `notifications/initialized`. */
  #initializing: Promise<void> | undefined;
  #streamCount = 0;
  /** Whether a client reads messages that belong to no request, at another node. */
  #isHeardElsewhere = false;
  #hasEnded = false;

  constructor(
    readonly node: SessionNode<ConnectedSession>,
    readonly session: NodeSession,
    count: number,
  ) {
    const { id, store, changes, liveness } = node;
    this.idPrefix = `${id}.${count.toString(36)}.`;
    this.listener = new SessionListener(
      store,
      changes,
      session,
      liveness,
      this.ttlMs,
      () => this.#known?.changesAfter,
      (isListening) => this.#publish({ type: "listening", isListening }),
    );
  }

  get sessionId(): string {
    return this.session.sessionId;
  }

  /** Milliseconds that the record is kept. */
  get ttlMs(): number {
    return sessionTtlMs(this.session.idleMs);
  }

  get isListening(): boolean {
    return this.listener.isOpen || this.#resumed.size > 0;
  }

  get isReachable(): boolean {
    return this.listener.isOpen || this.#isHeardElsewhere;
  }

  async create(record: SessionRecord): Promise<void> {
    const session = { ...record, server: this.node.serverName, changesAfter: await this.node.changes.position() };
    this.#known = await this.node.records.create(this.sessionId, session, this.ttlMs);
  }

  restore(record: SessionRecord): void {
    // As `find` has returned it.
    this.#known = record as FoundSession;
    this.#isHeardElsewhere = (record as FoundSession).isListening;
    // Nodes extend it only now and then, so little of its time may be left.
    this.#keptAt = -Infinity;
    this.keep();
  }

  /** Changes are made one after the other. */
  change(change: SessionChange): Promise<void> {
    const before = this.#changing;
    const changing = (before ? before.catch(() => undefined) : Promise.resolve()).then(() => this.#change(change));
    this.#changeCount++;
    this.#adopted = undefined;
    this.#changing = changing;
    if ("initialized" in change) this.#initializing = changing;
    const onSettled = (): void => {
      if (this.#changing === changing) this.#changing = undefined;
      if (this.#initializing === changing) this.#initializing = undefined;
    };
    changing.then(onSettled, onSettled);
    return changing;
  }

  async #change(change: SessionChange): Promise<void> {
    this.#known = await this.node.records.change(this.sessionId, change, this.#known, this.ttlMs);
    if (!this.#known) {
      void this.session.release();
      return;
    }
    // Other nodes read the record with the next request. The one with the GET stream has to know subscriptions before.
    if ("subscribe" in change || "unsubscribe" in change) await this.node.changes.publishSubscription(this.sessionId);
  }

  keep(): void {
    const now = performance.now();
    if (now - this.#keptAt < extendAfterMs(this.session.idleMs)) return;
    this.#keptAt = now;
    this.#keep().catch((error: unknown) => {
      // The next request tries again.
      this.#keptAt = -Infinity;
      this.session.report(error);
    });
  }

  async #keep(): Promise<void> {
    if (!(await this.node.records.keep(this.sessionId, this.ttlMs))) {
      void this.session.release();
      return;
    }
    await this.listener.keep();
  }

  use(): Promise<boolean> | undefined {
    this.keep();
    // Another node may have changed or ended the session with the request before.
    return this.session.isInitialized === undefined ? undefined : this.read();
  }

  /** Reads the record again, and takes over what other nodes have changed. Returns false when the session has ended. */
  async read(): Promise<boolean> {
    for (;;) {
      const count = this.#changeCount;
      const found = await this.node.records.find(this.sessionId, this.#known);
      // What was read before a change of this node must not replace it.
      if (count === this.#changeCount && !this.#changing) {
        this.#known = found;
        if (found && found.version !== this.#adopted) this.session.onChanged(found);
        this.#adopted = found?.version;
        // A failover of the backplane may have lost what this node knows.
        if (found && !found.initialized && this.session.isInitialized)
          this.change({ initialized: true }).catch((error: unknown) => this.session.report(error));
        return found !== undefined;
      }
      await this.#changing?.catch(() => undefined);
    }
  }

  receive(message: unknown, deliver: (message: unknown) => void): Promise<unknown> | undefined {
    if (this.session.isInitialized === false && [message].flat().some(isOperation)) this.#assumeInitialized();
    if (!Array.isArray(message)) {
      const passing = this.#pass(message);
      if (passing) return passing;
      deliver(message);
      return this.#initializing;
    }
    const passing: Promise<unknown>[] = [];
    const own = message.filter((one) => {
      const passed = this.#pass(one);
      if (passed) passing.push(passed);
      return !passed;
    });
    if (own.length > 0) deliver(own);
    if (this.#initializing) passing.push(this.#initializing);
    return passing.length > 0 ? Promise.all(passing) : undefined;
  }

  /**
   * Called with the first request of a client that has not sent `notifications/initialized`, as far as this node knows. Clients must send it
   * first (MCP, lifecycle): it is on its way at another node, or the backplane has lost in a failover what that node wrote.
   */
  #assumeInitialized(): void {
    if (!this.#known) return;
    this.session.onChanged({ ...this.#known, initialized: true });
    // `receive` returns the promise.
    void markHandled(this.change({ initialized: true }));
  }

  /** Passes a message on that concerns another node. Returns undefined for a message that is for this one. */
  #pass(message: unknown): Promise<void> | undefined {
    if (!isObject(message)) return undefined;
    const { method, id } = message;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (method === NOTIFICATIONS_CANCELLED) {
      if (this.session.handles(params["requestId"])) return undefined;
      const cancellation = shortened(message, params);
      return cancellation && this.node.publish(this.sessionId, { type: "message", message: cancellation });
    }
    const sentId = method === undefined ? id : method === NOTIFICATIONS_PROGRESS ? params["progressToken"] : undefined;
    if (typeof sentId !== "string" || sentId.startsWith(this.idPrefix)) return undefined;
    const node = nodeOf(sentId);
    return node === undefined ? undefined : this.node.pass(node, this.sessionId, message);
  }

  send(text: string): Promise<void> {
    return this.listener.send(text);
  }

  async get(request: HttpRequest, responder: Responder): Promise<void> {
    const lastEventId = this.session.isResumable ? request.header(LAST_EVENT_ID) : undefined;
    // Begins the ids of streams that were opened by GET. Part of the session's id shows when the event is one of another session.
    const mark = `${this.sessionId}.g${this.sessionId.slice(0, 8)}.`;
    if (lastEventId === undefined)
      return this.#listen(request, responder, `${mark}${this.idPrefix}${++this.#streamCount}`);
    // A client that leaves before there is a stream is not noticed again.
    const departure: DisconnectListener & { hasLeft: boolean } = {
      hasLeft: false,
      onDisconnect: () => (departure.hasLeft = true),
    };
    responder.disconnectListener = departure;
    const [streamId, entryId] = parseEventId(this.sessionId, lastEventId);
    if (streamId.startsWith(mark)) {
      if (!nodeOf(streamId.slice(mark.length))) throw unknownEventRejection();
      this.detach(streamId);
      await this.#publishDetach(streamId);
      if (this.#hasEnded) throw releasedRejection(this.session.endpoint);
      if (departure.hasLeft) return;
      return this.#listen(request, responder, streamId, entryId);
    }
    if (!streamId) throw unknownEventRejection();
    const { store } = this.node;
    const { entries, hasGap } = await store.read(logOfStream(streamId), { after: entryId, limit: 1 });
    if (hasGap) throw unknownEventRejection();
    if (this.#hasEnded) throw releasedRejection(this.session.endpoint);
    if (departure.hasLeft) return;
    this.detach(streamId);
    const stream = new GetStream(this.session, streamId, request, responder, false, () => {
      resumed.end();
      if (this.#resumed.get(streamId) === resumed) this.#resumed.delete(streamId);
    });
    const resumed = new ResumedStream(store, stream, () => this.#isHandled(streamId));
    this.#resumed.set(streamId, resumed);
    try {
      await this.#publishDetach(streamId);
    } catch (error) {
      stream.abandon();
      throw error;
    }
    await resumed.start(entryId, entries.length === 0);
  }

  #listen(...given: Parameters<SessionListener["open"]>): Promise<void> {
    const opened = this.listener.open(...given).catch((error: unknown) => {
      // The messages were deleted with the session.
      throw this.#hasEnded ? releasedRejection(this.session.endpoint) : error;
    });
    // The client may have changed what it wants to know about after this node read the session, and before it followed the changes.
    this.#readWhileHeld(async () => {
      await this.node.changes.position();
      return this.read();
    });
    return opened;
  }

  /** Ends the response that carries a stream, at other nodes. */
  #publishDetach(streamId: string): Promise<void> {
    return this.node.publish(this.sessionId, { type: "detach", stream: streamId });
  }

  /** Ends the response that carries a stream, because the client continues it elsewhere. */
  detach(streamId: string): void {
    this.session.detachStream(streamId);
    this.#resumed.get(streamId)?.stream.expire();
    this.listener.detach(streamId);
  }

  async #isHandled(streamId: string): Promise<boolean> {
    const node = nodeOf(streamId.slice(this.sessionId.length + 1)) ?? "";
    if (node === this.node.id) return this.session.isStreaming(streamId);
    return await this.node.liveness.isAlive(node);
  }

  closeStreams(streamId: string | undefined, retryMs: number | undefined): void {
    this.#closeStreams(streamId, retryMs);
    this.#publish({ type: "close-streams", stream: streamId, retryMs });
  }

  #closeStreams(streamId: string | undefined, retryMs: number | undefined): void {
    if (streamId === undefined) this.listener.closeStreams(retryMs);
    else void this.#resumed.get(streamId)?.closeForReconnect(retryMs);
  }

  async end(): Promise<void> {
    this.release();
    await this.node.end(this.sessionId);
  }

  release(): void {
    this.#hasEnded = true;
    this.node.detach(this);
    for (const { stream } of [...this.#resumed.values()]) stream.terminate();
    this.listener.end();
  }

  /** Handles what a node says about the session. @param isOwn whether it was this node */
  onEvent(event: NodeMessage, isOwn: boolean): void {
    const { type } = event;
    if (type === "listening") {
      this.#isHeardElsewhere = event["isListening"] === true && !isOwn;
      if (event["isListening"] === false) this.listener.onVacant();
    } else if (isOwn) return;
    else if (type === "message") this.session.deliver(event["message"] as JSONRPCMessage);
    else if (type === "detach") this.detach(String(event["stream"]));
    else if (type === "close-streams")
      this.#closeStreams(event["stream"] as string | undefined, event["retryMs"] as number | undefined);
    else if (type === "ended") void this.session.release();
  }

  /** Called when events may have been missed. */
  onGap(): void {
    this.onChanged();
    this.listener.onVacant();
  }

  /** Handles a message of the client that reached another node, if it belongs to what this one has sent. */
  onPassed(message: JSONRPCMessage): void {
    const sentId = "method" in message ? message.params?.["progressToken"] : message.id;
    if (String(sentId).startsWith(this.idPrefix)) this.session.deliver(message);
  }

  /** Called when the client has changed at another node what it wants to know about. */
  onChanged(): void {
    if (this.listener.isOpen) this.#readWhileHeld(() => this.read());
  }

  /** Reads the session again, and holds changes back until it is known. */
  #readWhileHeld(read: () => Promise<boolean>): void {
    void this.listener.holdWhile(this.#readRepeatedly(read));
  }

  /** Repeats it after a failure: without it, the client would not get the changes that it wants to know about. */
  async #readRepeatedly(read: () => Promise<boolean>): Promise<void> {
    while (!this.#isOver())
      try {
        if (!(await read())) void this.session.release();
        return;
      } catch (error) {
        this.session.report(error);
        await new Promise((resolve) => unref(setTimeout(resolve, retryMs)));
      }
  }

  /** `#hasEnded` changes meanwhile. */
  #isOver(): boolean {
    return this.#hasEnded;
  }

  #publish(event: SessionEvent): void {
    this.node.publish(this.sessionId, event).catch((error: unknown) => this.session.report(error));
  }
}

/** Whether a message is a request that a client may send only after `notifications/initialized`. */
function isOperation(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { id, method } = message;
  return id !== undefined && method !== undefined && method !== PING && method !== INITIALIZE;
}

/** The node that an id of a stream or request names. */
function nodeOf(id: string): string | undefined {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-z]{1,12}\.\d{1,16}$/.exec(id)?.[1];
}

/** A cancellation that the log of all nodes can keep, without its reason if it is long. Returns undefined when its id is too long. */
function shortened(message: object, { requestId }: Readonly<Record<string, unknown>>): object | undefined {
  const isShort = (value: unknown): boolean => JSON.stringify(value).length <= maxCancellationLength;
  if (isShort(message)) return message;
  const short = { jsonrpc: "2.0", method: NOTIFICATIONS_CANCELLED, params: { requestId } };
  return isShort(short) ? short : undefined;
}
