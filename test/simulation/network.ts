import type {
  BodyWriter,
  DisconnectListener,
  HttpEndpoint,
  HttpHeaders,
  HttpRequest,
  Responder,
} from "../../runtime/src/http-server/host-adapter.js";
import type { Principal } from "../../runtime/src/transport/principal.js";
import type { Simulation } from "./engine/simulation.js";

/** A request of a client. */
export interface SentRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly principal: Principal;
}

/** What a client gets. */
export interface Receiver {
  onHead(status: number, headers: HttpHeaders): void;
  onText(text: string): void;
  /** Called when the response is complete. */
  onEnd(): void;
  /** Called when the connection broke before that, or could not be made. */
  onLost(): void;
}

/** The node that a connection leads to. */
export interface Target {
  readonly name: string;
  readonly endpoint: HttpEndpoint;
  readonly isAlive: boolean;
  /** The connections to it. */
  readonly exchanges: Set<Exchange>;
}

/**
 * One request and its response, on a connection of its own: everything takes time, and both ends notice at different times when the
 * connection breaks. Also the host adapter of the node.
 */
export class Exchange implements HttpRequest, Responder, BodyWriter {
  readonly remoteAddress = undefined;
  disconnectListener: DisconnectListener | undefined;
  principal: Principal | undefined;
  queuedBytes = 0;
  /** Whether the client gets nothing more. */
  isOver = false;
  hasArrived = false;
  #isWatched = false;
  /** Whether the node could know that the client is no longer there. */
  #isNoticed = false;
  #isComplete = false;
  /** When the last part of the response arrives. */
  #lastAt = 0;
  #onDrained: (() => void)[] = [];

  constructor(
    readonly simulation: Simulation,
    readonly target: Target,
    readonly sent: SentRequest,
    readonly receiver: Receiver,
  ) {
    this.principal = sent.principal;
    target.exchanges.add(this);
    simulation.timeline.after(simulation.networkDelay(), () => this.#arrive());
    const { cutsConnections } = simulation.conditions;
    if (simulation.strikes(cutsConnections, 0.08)) {
      const most = simulation.random.pick([5, 100, 1_000, 20_000]);
      simulation.timeline.after(simulation.random.next() * most, () => this.#break());
    }
  }

  get method(): string {
    return this.sent.method;
  }

  get url(): string {
    return this.sent.url ?? "/mcp";
  }

  header(name: string): string | undefined {
    return name === "host" ? "localhost" : this.sent.headers[name];
  }

  respond(status: number, headers: HttpHeaders, body = ""): void {
    this.#complete();
    this.#deliver(() => this.receiver.onHead(status, headers));
    if (body) this.#deliver(() => this.receiver.onText(body));
    this.#deliver(() => this.#finish());
  }

  startStream(status: number, headers: HttpHeaders): BodyWriter {
    this.watchDisconnect();
    this.#deliver(() => this.receiver.onHead(status, headers));
    return this;
  }

  watchDisconnect(): void {
    this.#isWatched = true;
    if (this.#isNoticed) queueMicrotask(() => this.#notifyNode());
  }

  write(text: string): void {
    if (this.#isComplete) return;
    this.queuedBytes += text.length;
    this.#deliver(() => {
      this.queuedBytes -= text.length;
      if (this.queuedBytes === 0) this.#drain();
      this.receiver.onText(text);
    });
  }

  end(): void {
    if (this.#isComplete) return;
    this.#complete();
    this.#deliver(() => this.#finish());
  }

  abort(): void {
    if (this.#isComplete) return;
    this.#complete();
    this.#deliver(() => this.#lose());
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.queuedBytes === 0 || this.isOver) resolve();
      else this.#onDrained.push(resolve);
    });
  }

  /** The client closes the connection. */
  leave(): void {
    if (this.isOver) return;
    this.#end();
    this.simulation.timeline.after(this.simulation.networkDelay(), () => this.#notifyNode());
  }

  /** The node is dead. */
  die(): void {
    this.#isComplete = true;
    this.disconnectListener = undefined;
    if (!this.isOver) this.simulation.timeline.after(this.simulation.networkDelay(), () => this.#lose());
  }

  #arrive(): void {
    if (!this.target.isAlive) {
      this.#lose();
      return;
    }
    // A request that was sent may arrive although its client has left.
    if (this.isOver && this.simulation.random.chance(0.5)) return;
    this.hasArrived = true;
    const { endpoint } = this.target;
    if (endpoint.receiveHead(this, this) === true) endpoint.receiveText(this, this.sent.body ?? "", this);
  }

  /** The network breaks the connection. */
  #break(): void {
    if (this.isOver || this.simulation.isHealed) return;
    this.simulation.note(`${this.target.name} connection breaks`);
    this.#lose();
    const isHalfOpen = this.simulation.random.chance(0.2);
    const ms = isHalfOpen ? this.simulation.random.next() * 30_000 : this.simulation.networkDelay();
    this.simulation.timeline.after(ms, () => this.#notifyNode());
  }

  #notifyNode(): void {
    this.#isNoticed = true;
    this.#drain();
    if (!this.#isWatched || this.#isComplete || !this.target.isAlive) return;
    const { disconnectListener } = this;
    this.#complete();
    disconnectListener?.onDisconnect();
  }

  #complete(): void {
    this.#isComplete = true;
    this.disconnectListener = undefined;
  }

  #deliver(run: () => void): void {
    const { timeline } = this.simulation;
    this.#lastAt = Math.max(this.#lastAt, timeline.now + this.simulation.networkDelay());
    timeline.at(this.#lastAt, () => {
      if (!this.isOver) run();
    });
  }

  #finish(): void {
    this.#end();
    this.receiver.onEnd();
  }

  #lose(): void {
    if (this.isOver) return;
    this.#end();
    this.receiver.onLost();
  }

  #end(): void {
    this.isOver = true;
    this.target.exchanges.delete(this);
    this.#drain();
  }

  #drain(): void {
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}
