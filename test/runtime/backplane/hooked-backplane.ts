import { Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";

export type Call = "get" | "set" | "extend" | "delete" | "append" | "read" | "drop" | "subscribe";

/** A backplane in memory that runs `before` each call: the call waits for a promise, and fails with what `before` throws. */
export class HookedBackplane extends Backplane {
  /** The number of subscriptions that have not ended. */
  subscriptions = 0;
  readonly #inner = new MemoryBackplane();

  constructor(public before: (call: Call, name: string) => void | Promise<void> = () => undefined) {
    super();
  }

  get = (...given: Parameters<MemoryBackplane["get"]>) => this.#run("get", given[0], () => this.#inner.get(...given));
  set = (...given: Parameters<MemoryBackplane["set"]>) => this.#run("set", given[0], () => this.#inner.set(...given));
  extend = (...given: Parameters<MemoryBackplane["extend"]>) =>
    this.#run("extend", given[0], () => this.#inner.extend(...given));
  delete = (...given: Parameters<MemoryBackplane["delete"]>) =>
    this.#run("delete", given[0], () => this.#inner.delete(...given));
  append = (...given: Parameters<MemoryBackplane["append"]>) =>
    this.#run("append", given[0], () => this.#inner.append(...given));
  read = (...given: Parameters<MemoryBackplane["read"]>) =>
    this.#run("read", given[0], () => this.#inner.read(...given));
  drop = (...given: Parameters<MemoryBackplane["drop"]>) =>
    this.#run("drop", given[0], () => this.#inner.drop(...given));
  publish = this.#inner.publish.bind(this.#inner);
  subscribe = (...given: Parameters<MemoryBackplane["subscribe"]>) =>
    this.#run("subscribe", given[0], () => {
      const end = this.#inner.subscribe(...given);
      this.subscriptions++;
      return () => {
        this.subscriptions--;
        end();
      };
    });

  #run<Value>(call: Call, name: string, run: () => Value): Value | Promise<Value> {
    const waiting = this.before(call, name);
    return waiting ? waiting.then(run) : run();
  }
}
