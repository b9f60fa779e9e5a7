import type { NodeSession, SharedSession, SharedSessions } from "../http-server/shared-sessions.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { Channels, LogStore, StoredValue, ValueStore } from "./backplane-store.js";
import type { ChangeLog, LoggedChange } from "./change-log.js";
import { ConnectedSession } from "./connected-session.js";
import { isListening, listenerKey } from "./listener-claim.js";
import type { NodeInbox } from "./node-inbox.js";
import type { NodeLiveness } from "./node-liveness.js";
import { NodeLog, type NodeMessage } from "./node-log.js";
import { logOfSession } from "./session-listener.js";
import type { SessionEvent, SessionNode } from "./session-node.js";
import { type FoundSession, SessionRecords } from "./session-records.js";

const bounds = { ttlMs: 60_000, maxEntries: 10_000 };
const passedMessage = "session-message";

/** The sessions at this node, and what other nodes send about them. */
export class NodeSessions implements SharedSessions, SessionNode<ConnectedSession> {
  readonly id: string;
  readonly records: SessionRecords;
  /** Whether the node is shutting down. */
  isDraining = false;
  /** By id. A server with two endpoints may have a session twice. */
  readonly #sessions = new Map<string, readonly ConnectedSession[]>();
  #events: NodeLog | undefined;
  #count = 0;

  constructor(
    readonly store: ValueStore & LogStore & Channels,
    readonly serverName: string,
    readonly inbox: NodeInbox,
    readonly changes: ChangeLog,
    readonly liveness: NodeLiveness,
    readonly onerror: (error: unknown) => void,
  ) {
    this.id = inbox.node;
    this.records = new SessionRecords(store, onerror);
    inbox.on(passedMessage, ({ session, message }) => this.#deliver(String(session), message as object));
  }

  async find(id: string): Promise<FoundSession | undefined> {
    const findClaim = async (): Promise<StoredValue | undefined> => this.store.get(listenerKey(id));
    const [record, claim] = await Promise.all([this.records.find(id), findClaim()]);
    // Another server may use the same prefix.
    if (record?.server !== this.serverName) return undefined;
    return { ...record, isListening: isListening(claim?.text) };
  }

  attach(session: NodeSession): SharedSession {
    // With the first session, as some hosts provide no timers before the first request.
    void this.liveness.begin();
    this.#events ??= this.#follow();
    const connected = new ConnectedSession(this, session, ++this.#count);
    this.#sessions.set(connected.sessionId, [...this.#at(connected.sessionId), connected]);
    return connected;
  }

  detach(session: ConnectedSession): void {
    const others = this.#at(session.sessionId).filter((one) => one !== session);
    if (others.length > 0) this.#sessions.set(session.sessionId, others);
    else this.#sessions.delete(session.sessionId);
  }

  publish(sessionId: string, event: SessionEvent): Promise<void> {
    this.#events ??= this.#follow();
    return this.#events.send({ ...event, session: sessionId, node: this.id });
  }

  async pass(node: string, sessionId: string, message: object): Promise<void> {
    if (node === this.id) {
      this.#deliver(sessionId, message);
      return;
    }
    if (await this.liveness.isAlive(node))
      await this.inbox.send(node, { type: passedMessage, session: sessionId, message });
  }

  async end(sessionId: string): Promise<void> {
    if (this.isDraining) return;
    // A backplane may also throw: each call is made in a function of its own, so that no rejection is lost.
    const calls = [
      () => this.records.delete(sessionId),
      () => this.store.delete(listenerKey(sessionId)),
      () => this.store.drop(logOfSession(sessionId)),
      () => this.publish(sessionId, { type: "ended" }),
    ];
    await Promise.all(calls.map(async (call) => call()));
  }

  /** Called with each change of a list or resource, at any node. */
  onChange(change: LoggedChange): void {
    for (const sessions of this.#sessions.values()) for (const one of sessions) one.listener.onChange(change);
  }

  /** Called when the client of a session has changed at another node what it wants to know about. */
  onSubscription(sessionId: string): void {
    for (const session of this.#at(sessionId)) session.onChanged();
  }

  /** Called regularly, when this node has said that it is alive. */
  onBeat(): void {
    for (const sessions of this.#sessions.values()) for (const one of sessions) void one.listener.watch();
  }

  /** Ends the messages from other nodes. */
  stop(): void {
    this.#events?.end();
  }

  #follow(): NodeLog {
    return new NodeLog(this.store, `sessions:${this.serverName}`, bounds, {
      onMessage: (event) => this.#onEvent(event),
      onGap: () => {
        for (const sessions of this.#sessions.values()) for (const one of sessions) one.onGap();
      },
      onerror: this.onerror,
    });
  }

  #onEvent(event: NodeMessage): void {
    for (const session of this.#at(String(event["session"]))) session.onEvent(event, event["node"] === this.id);
  }

  #deliver(sessionId: string, message: object): void {
    for (const session of this.#at(sessionId)) session.onPassed(message as JSONRPCMessage);
  }

  #at(sessionId: string): readonly ConnectedSession[] {
    return this.#sessions.get(sessionId) ?? [];
  }
}
