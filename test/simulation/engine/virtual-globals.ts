import type { Random } from "../../soak/random.js";
import { seededCrypto } from "./seeded-crypto.js";
import type { Planned, Timeline } from "./timeline.js";

/** The `Date.now()` at which each simulation begins. */
const epoch = Date.UTC(2026, 0, 1);

/** What `setTimeout` and `setInterval` return. */
class VirtualTimer {
  constructor(
    readonly timeline: Timeline,
    public planned: Planned,
  ) {}

  clear(): void {
    this.timeline.cancel(this.planned);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * Replaces the globals from which the runtime takes time and randomness, so that both come from a simulation. New functions each time,
 * by which the runtime notices that timers of an earlier clock are lost.
 * @returns a function that restores them
 */
export function installVirtualGlobals(timeline: Timeline, random: Random): () => void {
  const restores = [
    replace(globalThis, timersOf(timeline)),
    replace(Date, { now: () => Math.floor(epoch + timeline.now) }),
    replace(performance, { now: () => timeline.now }),
    replace(Math, { random: () => random.next() }),
    replace(crypto, seededCrypto(random)),
    replace(AbortSignal, { timeout: (ms: number) => abortedAfter(timeline, ms) }),
  ];
  return () => {
    for (const restore of restores) restore();
  };
}

function timersOf(timeline: Timeline): Readonly<Record<string, unknown>> {
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.clear();
  };
  return {
    setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      new VirtualTimer(
        timeline,
        timeline.after(ms, () => run(...given)),
      ),
    setInterval: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const plan = (): Planned =>
        timeline.after(Math.max(ms, 1), () => {
          timer.planned = plan();
          run(...given);
        });
      const timer = new VirtualTimer(timeline, plan());
      return timer;
    },
    clearTimeout: clear,
    clearInterval: clear,
  };
}

function abortedAfter(timeline: Timeline, ms: number): AbortSignal {
  const controller = new AbortController();
  timeline.after(ms, () => controller.abort(new DOMException("The operation timed out", "TimeoutError")));
  return controller.signal;
}

/** Replaces members of an object; returns a function that restores them. */
function replace(target: object, members: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(members).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
  };
}
