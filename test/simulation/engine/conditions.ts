import type { Random } from "../../soak/random.js";

/** What happens to nodes, clients and messages in one simulation. */
export interface Conditions {
  readonly nodes: number;
  readonly clients: number;
  readonly actions: number;
  /** The longest usual delay of a delivery between a client and a node, in milliseconds. */
  readonly networkMs: number;
  /** The longest usual delay of a call to the backplane, and of a message from it, in milliseconds; 0: it responds at once. */
  readonly backplaneMs: number;
  /** The chance that a delivery takes up to two seconds more. */
  readonly slowness: number;
  /** The longest pause between two actions, in milliseconds. */
  readonly pauseMs: number;
  /** Whether connections between clients and nodes break. */
  readonly cutsConnections: boolean;
  /** Whether nodes die. */
  readonly killsNodes: boolean;
  /** Whether nodes shut down in order. */
  readonly closesNodes: boolean;
  /** Whether nodes miss messages of the backplane, and get to know that they did. */
  readonly interruptsChannels: boolean;
  /** Whether calls to the backplane fail, some of them after they were carried out. */
  readonly failsCalls: boolean;
  /** Whether clients end their sessions, or leave them until they expire. */
  readonly endsSessions: boolean;
}

export function chooseConditions(random: Random): Conditions {
  return {
    nodes: random.between(2, 3),
    clients: random.between(2, 4),
    actions: random.between(20, 45),
    networkMs: random.pick([1, 10, 50, 200]),
    backplaneMs: random.pick([0, 1, 5, 30]),
    slowness: random.pick([0, 0, 0.02, 0.1]),
    pauseMs: random.pick([10, 100, 1_000, 3_000]),
    cutsConnections: random.chance(0.5),
    killsNodes: random.chance(0.35),
    closesNodes: random.chance(0.2),
    interruptsChannels: random.chance(0.25),
    failsCalls: random.chance(0.2),
    endsSessions: random.chance(0.5),
  };
}
