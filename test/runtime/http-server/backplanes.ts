import { Backplane, type LogPage, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { turn } from "./messages.js";

type Call = "append" | "read";

/** A backplane in memory that runs `before` each call for the messages of a stream; when it returns a promise, the call waits for it. */
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
    const waiting = /^(?:events|messages):/.test(log) ? this.before(call) : undefined;
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

/** A backplane that, from `begin` on, waits with the next read until it may go on. */
export function patientBackplane(): {
  readonly backplane: Backplane;
  readonly begin: () => void;
  readonly asked: () => boolean;
  readonly goOn: () => void;
} {
  let isPatient = false;
  let goOn: (() => void) | undefined;
  const backplane = new Delayed((name) => {
    if (name === "read" && isPatient && !goOn) return new Promise<void>((resolve) => (goOn = resolve));
  });
  const begin = (): void => {
    isPatient = true;
  };
  return { backplane, begin, asked: () => goOn !== undefined, goOn: () => goOn?.() };
}
