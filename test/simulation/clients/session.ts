import type { Cluster } from "../cluster.js";
import { idleMs } from "../times.js";
import type { ToolArguments, ToolName } from "../tools.js";
import { Call } from "./call.js";
import { ChangeExpectations } from "./change-expectations.js";
import { LogLevel } from "./log-level.js";

/** While a stream is open, its node keeps the session at least so long ago, in milliseconds. */
const keptWithinMs = idleMs * 0.45;

/** A session as its client knows it. */
export class Session {
  readonly calls = new Map<number, Call>();
  /** The URIs of which the client does not know whether it is subscribed. */
  readonly uncertainUris = new Set<string>();
  readonly changes: ChangeExpectations;
  readonly logLevel = new LogLevel();
  /** Whether the client has sent `notifications/initialized`, and the server has accepted it. */
  isReady = false;
  /** Why the session may have ended; undefined: it must be there. */
  endedBy: "the client" | "time" | undefined;
  /** When the server has accepted the request to end it. */
  endedAt = Infinity;
  /** Whether the server has said that it does not exist. */
  isGone = false;
  /** Whether the client has ever opened a stream by GET. */
  hasListened = false;
  #listenedAt: number;
  /** Whether messages that belong to no request may be lost: the client did not continue after the last one. */
  mayMiss = false;
  /** When a request was sent that the server has served. */
  #usedAt: number;
  /** The id of the newest event on any stream. */
  lastEventId: string | undefined;
  readonly #eventIds = new Set<string>();
  readonly #questions = new Set<string | number>();
  readonly #announced = new Map<string, number>();

  constructor(
    readonly cluster: Cluster,
    readonly client: string,
    readonly id: string,
    keepsChanges: boolean,
  ) {
    this.#usedAt = cluster.simulation.now;
    this.#listenedAt = cluster.simulation.now;
    this.changes = new ChangeExpectations(cluster, client, keepsChanges);
  }

  /** Creates a call, as the client knows the session now. */
  newCall(tool: ToolName, given: ToolArguments, principal: string): Call {
    const stored = [...this.calls.values()].filter((one) => one.tool === "store" && one.hasSucceeded);
    const storedBefore = stored.map(({ token }) => token);
    const { simulation } = this.cluster;
    const level = this.logLevel.watch();
    const call = new Call(simulation, this.client, tool, given, this.id, principal, level, storedBefore);
    if (this.endedBy) call.excuses.add("its session ended");
    return call;
  }

  /** A request was served that was sent at this time. */
  onServed(sentAt: number): void {
    // It was kept a bit longer than it had to be. It may have ended while it was served.
    if (sentAt > this.#usedAt + idleMs) this.endedBy ??= "time";
    this.#usedAt = Math.max(this.#usedAt, sentAt);
    if (sentAt > this.endedAt && !this.cluster.simulation.conditions.failsCalls)
      this.#violate("was used after its end");
  }

  /** A stream of the session is open now. */
  onOpenStream(): void {
    this.#usedAt = Math.max(this.#usedAt, this.cluster.simulation.now - keptWithinMs);
  }

  /** A stream for messages that belong to no request is opened, or is open. */
  onListen(): void {
    const { now } = this.cluster.simulation;
    // They are kept as long as an unused session.
    if (now > this.#listenedAt + idleMs) this.mayMiss = true;
    this.hasListened = true;
    this.#listenedAt = now;
  }

  /** The server says that the session does not exist. */
  onGone(): void {
    const { simulation } = this.cluster;
    this.isGone = true;
    if (simulation.now > this.#usedAt + idleMs) this.endedBy ??= "time";
    for (const call of this.calls.values()) call.excuses.add("its session ended");
    if (!this.endedBy && !simulation.conditions.failsCalls) this.#violate("is lost");
  }

  /** Receives the id of an event. */
  onEventId(id: string): void {
    if (this.#eventIds.has(id)) this.#violate(`gets the event ${id} twice`);
    this.#eventIds.add(id);
    this.lastEventId = id;
  }

  /** Receives the id of a request of the server. */
  onQuestion(id: string | number): void {
    if (this.#questions.has(id)) this.#violate(`gets the request ${id} twice`);
    this.#questions.add(id);
  }

  /** Receives a message that belongs to no request: the steps of one call arrive in order, each once. */
  onAnnouncement(token: string, step: number): void {
    const before = this.#announced.get(token) ?? 0;
    const call = [...this.calls.values()].find((one) => one.token === token);
    if (!call) return this.#violate(`gets announcement ${token} of another session`);
    if (step !== before + 1 && !(step > before && (this.mayMiss || call.isExcused)))
      this.#violate(`gets announcement ${step} of ${token} after ${before}`);
    this.#announced.set(token, step);
  }

  /** Checks that nothing is missing. @param isListening whether the client has received everything that is there */
  checkEnd(isListening: boolean): void {
    for (const call of this.calls.values()) {
      call.checkEnd();
      if (!isListening || this.mayMiss || call.tool !== "announce" || !call.isOver || call.isExcused) continue;
      const received = this.#announced.get(call.token) ?? 0;
      if (received !== call.given.steps) this.#violate(`has got ${received} announcements of ${call.token}`);
    }
    if (isListening) this.changes.checkEnd();
  }

  #violate(text: string): void {
    this.cluster.simulation.violate(`session ${this.id} of ${this.client} ${text}`);
  }
}
