import { Backplane, type LogPage, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { turn } from "./messages.js";

type Call = "append" | "read";

/** A backplane in memory that runs `before` each call for the events of a stream; when it returns a promise, the call waits for it. */
class Delayed extends Backplane {
  readonly #inner = new MemoryBackplane();

  constructor(readonly before: (call: Call) => void | Promise<void>) {
    super();
  }

  get = this.#inner.get.bind(this.#inner);
  set = this.#inner.set.bind(this.#inner);
  extend = this.#inner.extend.bind(this.#inner);
  delete = this.#inner.delete.bind(this.#inner);
  drop = this.#inner.drop.bind(this.#inner);
  publish = this.#inner.publish.bind(this.#inner);
  subscribe = this.#inner.subscribe.bind(this.#inner);

  append(...given: Parameters<MemoryBackplane["append"]>): string | Promise<string> {
    return this.#after("append", given[0], () => this.#inner.append(...given));
  }

  read(...given: Parameters<MemoryBackplane["read"]>): LogPage | Promise<LogPage> {
    return this.#after("read", given[0], () => this.#inner.read(...given));
  }

  #after<Value>(call: Call, log: string, run: () => Value): Value | Promise<Value> {
    const waiting = log.startsWith("events:") ? this.before(call) : undefined;
    return waiting ? waiting.then(run) : run();
  }
}

/** A backplane that responds asynchronously, with varying delays. */
export function slowBackplane(): Backplane {
  let times = 0;
  return new Delayed(() => turn(times++ % 3));
}

/** A backplane that fails on demand. */
export function brittleBackplane(): { readonly backplane: Backplane; broken: boolean } {
  const state = {
    broken: false,
    backplane: new Delayed(() => {
      if (state.broken) throw new Error("the backplane is gone");
    }),
  };
  return state;
}

/** A backplane whose first read waits until it is released. */
export function patientBackplane(): {
  readonly backplane: Backplane;
  readonly asked: () => boolean;
  readonly goOn: () => void;
} {
  let goOn: (() => void) | undefined;
  const backplane = new Delayed((name) => {
    if (name === "read" && !goOn) return new Promise<void>((resolve) => (goOn = resolve));
  });
  return { backplane, asked: () => goOn !== undefined, goOn: () => goOn?.() };
}
