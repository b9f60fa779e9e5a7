import type { Principal } from "../../../runtime/src/transport/principal.js";
import type { Cluster } from "../cluster.js";
import type { Simulation } from "../engine/simulation.js";
import { Exchange, type Receiver, type SentRequest } from "../network.js";
import type { Node } from "../node.js";

/** What a response was: its status, headers and text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How requests name a session: by their URL or by their headers. */
export interface SessionAddress {
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The ids of its running calls. */
  readonly requestIds: readonly number[];
}

/** A client, which knows what it has sent, and so what it may get. */
export abstract class SimulatedClient {
  /** Whether the user has left: nothing more is sent, and nothing is expected. */
  hasLeft = false;
  readonly simulation: Simulation;
  #count = 0;
  readonly #exchanges = new Set<Exchange>();

  constructor(
    readonly cluster: Cluster,
    readonly name: string,
    readonly revision: string,
    readonly principal: Principal,
  ) {
    this.simulation = cluster.simulation;
  }

  /** Does something at random. */
  abstract act(): void;

  /** Gets ready for the end: opens what should receive the last messages. */
  abstract settle(): void;

  /** Checks that nothing is missing. */
  abstract checkEnd(): void;

  /** The user leaves: some clients say goodbye, others just vanish. */
  leave(): void {
    if (this.simulation.random.chance(0.5)) this.sayGoodbye();
    this.hasLeft = true;
    for (const exchange of this.#exchanges) exchange.leave();
  }

  protected abstract sayGoodbye(): void;

  /** How requests name its session, which others may try to use; undefined: there is none. */
  get address(): SessionAddress | undefined {
    return undefined;
  }

  /** Returns a token that nothing else has. */
  newToken(): string {
    return `${this.name}.${++this.#count}`;
  }

  exchange(node: Node, sent: Omit<SentRequest, "principal">, receiver: Receiver): Exchange {
    this.simulation.note(`${this.name} -> ${node.name} ${sent.method} ${sent.body ?? ""} ${lastEventIdOf(sent)}`);
    const exchange = new Exchange(this.simulation, node, { ...sent, principal: this.principal }, receiver);
    if (sent.method !== "DELETE") this.#exchanges.add(exchange);
    return exchange;
  }

  /** Sends a request whose response is not a stream. Calls `onAnswer` with undefined when the connection breaks. */
  protected send(node: Node, sent: Omit<SentRequest, "principal">, onAnswer: (answer?: Answer) => void): Exchange {
    let [status, text, headers]: [number, string, Answer["headers"]] = [0, "", {}];
    return this.exchange(node, sent, {
      onHead: (...head) => ([status, headers] = head),
      onText: (part) => (text += part),
      onEnd: () => {
        this.simulation.note(`${this.name} <- ${node.name} ${status} ${text}`);
        onAnswer({ status, headers, text });
      },
      onLost: () => {
        this.simulation.note(`${this.name} <- ${node.name} lost`);
        onAnswer();
      },
    });
  }

  /** Does something later, unless the user has left meanwhile. */
  later(most: number, run: () => void): void {
    this.simulation.timeline.after(this.simulation.random.next() * most, () => {
      if (!this.hasLeft) run();
    });
  }
}

function lastEventIdOf({ headers }: Pick<SentRequest, "headers">): string {
  return headers["last-event-id"] ?? "";
}
