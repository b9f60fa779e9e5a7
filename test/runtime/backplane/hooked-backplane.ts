import { Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { MaybePromise } from "../../../runtime/src/backplane/backplane-store.js";

export type Call = "get" | "set" | "extend" | "delete" | "append" | "read" | "drop" | "subscribe";

/** A backplane that runs `before` each call: the call waits for a promise, and fails with what `before` throws. */
export class HookedBackplane extends Backplane {
  /** The number of subscriptions that have not ended. */
  subscriptions = 0;
  readonly #inner: Backplane;
  readonly publish: Backplane["publish"];

  constructor(
    public before: (call: Call, name: string) => void | Promise<void> = () => undefined,
    inner: Backplane = new MemoryBackplane(),
  ) {
    super();
    this.#inner = inner;
    this.publish = inner.publish.bind(inner);
  }

  get = (...given: Parameters<Backplane["get"]>) => this.#run("get", given[0], () => this.#inner.get(...given));
  set = (...given: Parameters<Backplane["set"]>) => this.#run("set", given[0], () => this.#inner.set(...given));
  extend = (...given: Parameters<Backplane["extend"]>) =>
    this.#run("extend", given[0], () => this.#inner.extend(...given));
  delete = (...given: Parameters<Backplane["delete"]>) =>
    this.#run("delete", given[0], () => this.#inner.delete(...given));
  append = (...given: Parameters<Backplane["append"]>) =>
    this.#run("append", given[0], () => this.#inner.append(...given));
  read = (...given: Parameters<Backplane["read"]>) => this.#run("read", given[0], () => this.#inner.read(...given));
  drop = (...given: Parameters<Backplane["drop"]>) => this.#run("drop", given[0], () => this.#inner.drop(...given));
  subscribe = (...given: Parameters<Backplane["subscribe"]>) =>
    this.#run("subscribe", given[0], async () => {
      const end = await this.#inner.subscribe(...given);
      this.subscriptions++;
      return () => {
        this.subscriptions--;
        end();
      };
    });

  #run<Value>(call: Call, name: string, run: () => MaybePromise<Value>): MaybePromise<Value> {
    const waiting = this.before(call, name);
    return waiting ? waiting.then(run) : run();
  }
}
