/** The backplane in memory: what all backplanes do, and the bounds of its memory. */
import { describe, expect, test, vi } from "vitest";
import { BackplaneError, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { backplaneBehaviours } from "../../../runtime/src/testing.js";

const harness = {
  name: "memory",
  open: () => ({ backplane: new MemoryBackplane({ onerror: () => undefined }), close: () => undefined }),
};

describe("behaves as every backplane:", () => {
  test.each(backplaneBehaviours)("$name", ({ run }) => run(harness));
});

const bounds = { ttlMs: 60_000, maxEntries: 100_000 };
const append = (to: MemoryBackplane, log: string, text: string): string => to.append(log, text, bounds);
const after = (from: MemoryBackplane, log: string, id: string | undefined) => {
  const { entries, hasGap } = from.read(log, { after: id, limit: 100_000 });
  return hasGap ? "gap" : entries.map(({ text }) => text);
};
const numbers = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => String(from + at));

test("a busy log loses its own entries, not those of others", () => {
  const backplane = new MemoryBackplane({ maxSize: 100_000 });
  const quiet = numbers(0, 20).map((name) => {
    const id = append(backplane, `quiet${name}`, "1");
    append(backplane, `quiet${name}`, "2");
    return id;
  });
  const busy = numbers(0, 5_000).map((text) => append(backplane, "busy", text));
  for (const [at, id] of quiet.entries()) expect(after(backplane, `quiet${at}`, id)).toEqual(["2"]);
  expect(after(backplane, "busy", busy[0])).toBe("gap");
  expect(after(backplane, "busy", busy.at(-100))).toEqual(numbers(4_901, 5_000));
});

test("of two busy logs, neither keeps more than about twice as much", () => {
  const backplane = new MemoryBackplane({ maxSize: 100_000 });
  for (const log of ["a", "b"]) for (let times = 0; times < 2_000; times++) append(backplane, log, "0");
  const kept = (log: string): number => backplane.read(log, { limit: 10_000 }).entries.length;
  expect(kept("a") + kept("b")).toBeGreaterThan(450);
  expect(Math.max(kept("a"), kept("b")) / Math.min(kept("a"), kept("b"))).toBeLessThan(2.1);
});

test("an entry that is too large alone is dropped, and drops no other log", () => {
  const backplane = new MemoryBackplane({ maxSize: 10_000 });
  const first = append(backplane, "small", "1");
  append(backplane, "small", "2");
  const large = append(backplane, "large", "x".repeat(20_000));
  expect(after(backplane, "small", first)).toEqual(["2"]);
  expect(after(backplane, "large", large)).toEqual([]);
  const next = append(backplane, "large", "3");
  expect(next).not.toBe(large);
  expect(after(backplane, "large", large)).toEqual(["3"]);
});

/** The number of array elements that a function moves or copies. */
function movesOf(act: () => void): number {
  const { shift, splice, slice } = Array.prototype;
  let moves = 0;
  const counted = (method: (...args: never[]) => unknown) =>
    function (this: unknown[], ...args: never[]): unknown {
      const result = method.apply(this, args);
      moves += method === slice ? (result as unknown[]).length : this.length;
      return result;
    };
  Object.assign(Array.prototype, { shift: counted(shift), splice: counted(splice), slice: counted(slice) });
  try {
    act();
  } finally {
    Object.assign(Array.prototype, { shift, splice, slice });
  }
  return moves;
}

test.each([2 ** 18, 2 ** 20, 2 ** 22])(
  "of %i characters of entries, each dropped one moves about one other",
  (maxSize) => {
    const backplane = new MemoryBackplane({ maxSize });
    const appended = 40_000;
    const moves = movesOf(() => {
      for (let count = 0; count < appended; count++) append(backplane, "busy", "x".repeat(50));
    });
    expect(moves).toBeGreaterThan(appended / 4);
    expect(moves).toBeLessThan(appended * 2);
  },
);

test("rejects values beyond its size, also longer ones in the place of others, and keeps what it has", () => {
  const backplane = new MemoryBackplane({ maxSize: 1_000 });
  const keep = { ttlMs: 60_000 };
  backplane.set("a", "x".repeat(300), keep);
  backplane.set("b", "x".repeat(200), keep);
  const full = expect.objectContaining({ reason: "full" }) as BackplaneError;
  expect(() => backplane.set("c", "x".repeat(200), keep)).toThrow(full);
  expect(() => backplane.set("a", "x".repeat(500), keep)).toThrow(full);
  expect(backplane.get("a")?.text).toHaveLength(300);
  expect(backplane.set("b", "x".repeat(100), keep)).toBeDefined();
  backplane.delete("a");
  expect(backplane.set("c", "x".repeat(300), keep)).toBeDefined();
  expect(() => new MemoryBackplane({ maxSize: -1 })).toThrow("maxSize must be 0 or more");
});

describe("with fake timers", () => {
  const withClock = async (script: (backplane: MemoryBackplane) => void | Promise<void>): Promise<void> => {
    vi.useFakeTimers();
    try {
      await script(new MemoryBackplane({ maxSize: 10_000 }));
    } finally {
      vi.useRealTimers();
    }
  };

  test("expired values take no room, without being read", () =>
    withClock((backplane) => {
      for (let round = 0; round < 20; round++) {
        for (let at = 0; at < 20; at++) backplane.set(`${round} ${at}`, "x".repeat(100), { ttlMs: 5_000 });
        expect(() => backplane.set("one more", "x".repeat(5_000), { ttlMs: 5_000 })).toThrow(BackplaneError);
        vi.advanceTimersByTime(7_000);
      }
    }));

  test("a value lives exactly as long as it should", () =>
    withClock((backplane) => {
      backplane.set("k", "1", { ttlMs: 1_500 });
      vi.advanceTimersByTime(1_400);
      expect(backplane.extend("k", 1_500)).toBe(true);
      vi.advanceTimersByTime(1_499);
      expect(backplane.get("k")?.text).toBe("1");
      vi.advanceTimersByTime(1);
      expect(backplane.get("k")).toBeUndefined();
    }));

  test("values and logs without end never expire, and keep no timer", () =>
    withClock((backplane) => {
      backplane.set("k", "1", { ttlMs: Infinity });
      backplane.append("log", "1", { ttlMs: Infinity, maxEntries: 1 });
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(1e9);
      expect([backplane.get("k")?.text, backplane.read("log", { limit: 1 }).entries.length]).toEqual(["1", 1]);
    }));
});

test("errors of subscribers are reported", async () => {
  const errors: unknown[] = [];
  const backplane = new MemoryBackplane({ onerror: (error) => errors.push(error) });
  const problem = new Error("no");
  backplane.subscribe("c", {
    onMessage() {
      throw problem;
    },
    onGap: () => undefined,
  });
  backplane.publish("c", "1");
  await vi.waitFor(() => expect(errors).toEqual([problem]));
});
