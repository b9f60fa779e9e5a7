import { Backplane, BackplaneError, type ChannelSubscriber } from "../../runtime/src/backplane.js";
import { toError } from "../../runtime/src/jsonrpc/error-conversion.js";
import type { Simulation } from "./engine/simulation.js";
import type { SharedStore } from "./shared-store.js";

type Given<Method extends "get" | "set" | "extend" | "delete" | "append" | "read" | "drop" | "publish"> = Parameters<
  SharedStore[Method]
>;

interface Subscription {
  readonly subscriber: ChannelSubscriber;
  /** When the last message arrives. */
  lastAt: number;
}

/**
 * The connection of one node to the shared backplane. Calls and messages take time, but keep their order, as on a connection of Redis.
 * A dead node is cut off: nothing that it sends arrives any more, and it gets nothing.
 */
export class NodeBackplane extends Backplane {
  isCut = false;
  readonly #subscriptions = new Set<Subscription>();
  /** When the last call arrives at the backplane, and when the last result arrives here. */
  #lastCallAt = 0;
  #lastResultAt = 0;
  /** Whether messages do not arrive. */
  #isInterrupted = false;

  constructor(
    readonly simulation: Simulation,
    readonly store: SharedStore,
    readonly node: string,
  ) {
    super();
  }

  get = (...given: Given<"get">) => this.#call("get", given[0], () => this.store.get(...given));
  set = (...given: Given<"set">) => this.#call("set", given[0], () => this.store.set(...given));
  extend = (...given: Given<"extend">) => this.#call("extend", given[0], () => this.store.extend(...given));
  delete = (...given: Given<"delete">) => this.#call("delete", given[0], () => this.store.delete(...given));
  append = (...given: Given<"append">) => this.#call("append", given[0], () => this.store.append(...given));
  read = (...given: Given<"read">) => this.#call("read", given[0], () => this.store.read(...given));
  drop = (...given: Given<"drop">) => this.#call("drop", given[0], () => this.store.drop(...given));
  publish = (...given: Given<"publish">) => this.#call("publish", given[0], () => this.store.publish(...given));

  subscribe(channel: string, subscriber: ChannelSubscriber): (() => void) | Promise<() => void> {
    return this.#call("subscribe", channel, () => this.#subscribe(channel, subscriber));
  }

  /** Messages get lost for a time; then subscribers get to know it. */
  interrupt(ms: number): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.simulation.note(`${this.node} gets no messages for ${ms.toFixed(0)} ms`);
    const arrive = this.store.begin();
    this.simulation.timeline.after(ms, () => {
      arrive();
      this.#isInterrupted = false;
      if (this.isCut) return;
      for (const { subscriber } of [...this.#subscriptions]) subscriber.onGap();
    });
  }

  #subscribe(channel: string, subscriber: ChannelSubscriber): () => void {
    const { timeline } = this.simulation;
    const own: Subscription = { subscriber, lastAt: 0 };
    this.#subscriptions.add(own);
    const end = this.store.subscribe(channel, {
      onMessage: (text) => {
        if (this.isCut || this.#isInterrupted) return;
        own.lastAt = Math.max(own.lastAt, timeline.now + this.simulation.backplaneDelay());
        const arrive = this.store.begin();
        timeline.at(own.lastAt, () => {
          arrive();
          if (!this.isCut && this.#subscriptions.has(own)) subscriber.onMessage(text);
        });
      },
      onGap: () => undefined,
    });
    return () => {
      this.#subscriptions.delete(own);
      end();
    };
  }

  #call<Value>(call: string, name: string, run: () => Value): Value | Promise<Value> {
    const { simulation } = this;
    if (this.isCut) return new Promise(() => undefined);
    const fails = simulation.strikes(simulation.conditions.failsCalls, 0.02);
    const isCarriedOut = !fails || simulation.random.chance(0.3);
    if (fails) simulation.note(`${this.node} ${call} ${name} fails ${isCarriedOut ? "after" : "before"} it`);
    const outcome = (): Value => {
      const failure = new BackplaneError("unavailable", "the connection broke");
      if (!isCarriedOut) throw failure;
      const value = run();
      simulation.trace.addDetail(() => `    ${this.node} ${call} ${name}: ${JSON.stringify([value])}`);
      if (fails) throw failure;
      return value;
    };
    if (simulation.conditions.backplaneMs === 0) return outcome();
    const arrive = this.store.begin();
    return new Promise((resolve, reject) => {
      this.#lastCallAt = Math.max(this.#lastCallAt, simulation.now + simulation.backplaneDelay() / 2);
      simulation.timeline.at(this.#lastCallAt, () => {
        // What a node sent before it died may still arrive.
        if (this.isCut && simulation.random.chance(0.5)) return arrive();
        let settle: () => void;
        try {
          const value = outcome();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(toError(error));
        }
        this.#lastResultAt = Math.max(this.#lastResultAt, simulation.now + simulation.backplaneDelay() / 2);
        simulation.timeline.at(this.#lastResultAt, () => {
          arrive();
          if (!this.isCut) settle();
        });
      });
    });
  }
}
