import type { Change } from "../connection/change.js";
import type { ForwardedCall, ServerNode, SharedServer } from "../http-server/server-backplane.js";
import type { SessionData } from "../http-server/session-data.js";
import type { Channels, LogStore, ValueStore } from "./backplane-store.js";
import { ChangeLog } from "./change-log.js";
import { compareNodes } from "./compare-nodes.js";
import { ForwardedCalls } from "./forwarded-calls.js";
import { NodeInbox } from "./node-inbox.js";
import { NodeLiveness } from "./node-liveness.js";
import { NodeSessions } from "./node-sessions.js";
import { reportOutagesOnce } from "./outage-report.js";
import { SharedSessionData } from "./session-data.js";
import { SharedSseStreams } from "./shared-sse-streams.js";

/** A server that shares its changes, its sessions, and the calls that wait, with the servers of its name at other nodes. */
export class ConnectedServer implements ServerNode {
  readonly id = crypto.randomUUID();
  readonly sessions: NodeSessions;
  readonly #changes: ChangeLog;
  readonly #inbox: NodeInbox;
  readonly #liveness: NodeLiveness;
  readonly #calls: ForwardedCalls;
  readonly sseStreams: SharedSseStreams;

  constructor(
    readonly store: ValueStore & LogStore & Channels,
    readonly server: SharedServer,
  ) {
    const { name } = server;
    const onerror = reportOutagesOnce(server.onerror);
    const onChange: ConstructorParameters<typeof ChangeLog>[3] = (logged, isOwn) => {
      if (!isOwn) server.deliver(logged.change);
      this.sessions.onChange(logged);
    };
    this.#changes = new ChangeLog(store, name, this.id, onChange, (id) => this.sessions.onSubscription(id), onerror);
    this.#inbox = new NodeInbox(store, this.id, onerror);
    this.#liveness = new NodeLiveness(store, this.id, () => this.sessions.onBeat(), onerror);
    this.#calls = new ForwardedCalls(this.#inbox, server);
    this.sseStreams = new SharedSseStreams(this.#inbox, this.#liveness, server);
    compareNodes(store, server).catch(onerror);
    this.sessions = new NodeSessions(store, name, this.#inbox, this.#changes, this.#liveness, onerror);
  }

  publish(change: Change): void {
    this.#changes.publish(change).catch(this.server.onerror);
  }

  forward(node: string, call: ForwardedCall, state: object): Promise<object> {
    return this.#calls.forward(node, call, state);
  }

  sessionData(sessionId: string, idleMs: number): SessionData {
    return new SharedSessionData(this.store, sessionId, idleMs);
  }

  drain(): void {
    this.sessions.isDraining = true;
    this.#calls.end();
  }

  end(): void {
    this.#changes.end();
    this.#inbox.end();
    this.#liveness.end();
    this.sseStreams.end();
    this.sessions.stop();
  }
}
