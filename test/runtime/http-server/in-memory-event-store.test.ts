/** The bound of the in-memory event store: what is evicted, and what that costs. */
import { expect, test, vi } from "vitest";
import type { JSONRPCMessage } from "../../../runtime/src/index.js";
import { InMemoryEventStore, type EventMessage } from "../../../runtime/src/server/http.js";

const none = {} as JSONRPCMessage;
const store = (to: InMemoryEventStore, stream: string, text: string): string => to.storeEvent(stream, none, text);

function replayed(from: InMemoryEventStore, id: string): unknown[] {
  const messages: EventMessage[] = [];
  void from.replayEventsAfter(id, { send: (_, message) => void messages.push(message) });
  return messages;
}

test("a busy stream evicts its own events, not those of others", () => {
  const events = new InMemoryEventStore({ maxSize: 100_000 });
  const quiet = Array.from({ length: 20 }, (_, index) => [
    store(events, `quiet${index}`, "1"),
    store(events, `quiet${index}`, "2"),
  ]);
  const busy = Array.from({ length: 5_000 }, (_, index) => store(events, "busy", String(index)));
  for (const [first = ""] of quiet) {
    expect(events.getStreamIdForEventId(first)).toBe(first.split("_")[0]);
    expect(replayed(events, first)).toEqual([2]);
  }
  expect(events.getStreamIdForEventId(busy[0] ?? "")).toBeUndefined();
  const last = replayed(events, busy.at(-100) ?? "");
  expect(last).toEqual(Array.from({ length: 99 }, (_, index) => 4_901 + index));
});

test("of two busy streams, neither keeps more than about twice as much", () => {
  const events = new InMemoryEventStore({ maxSize: 100_000 });
  const ids: Record<string, string[]> = { a: [], b: [] };
  for (let times = 0; times < 2_000; times++) ids["a"]?.push(store(events, "a", "0"));
  for (let times = 0; times < 2_000; times++) ids["b"]?.push(store(events, "b", "0"));
  const kept = (stream: string): number =>
    (ids[stream] ?? []).filter((id) => events.getStreamIdForEventId(id) !== undefined).length;
  expect(kept("a") + kept("b")).toBeGreaterThan(450);
  expect(Math.max(kept("a"), kept("b")) / Math.min(kept("a"), kept("b"))).toBeLessThan(2.1);
});

test("an event that is too large alone evicts no other stream", () => {
  const events = new InMemoryEventStore({ maxSize: 10_000 });
  const first = store(events, "small", "1");
  store(events, "small", "2");
  const large = store(events, "large", JSON.stringify("x".repeat(20_000)));
  expect(replayed(events, first)).toEqual([2]);
  expect([events.getStreamIdForEventId(large), replayed(events, large)]).toEqual(["large", []]);
  expect(store(events, "large", "3")).not.toBe(large);
  expect(replayed(events, large)).toEqual([3]);
});

test("ids are unique after a stream was evicted and written again", () => {
  vi.useFakeTimers();
  try {
    const events = new InMemoryEventStore({ ttlMs: 1_000 });
    const old = ["1", "2", "3"].map((text) => store(events, "s", text));
    vi.advanceTimersByTime(2_000);
    const fresh = ["4", "5", "6"].map((text) => store(events, "s", text));
    expect(new Set([...old, ...fresh]).size).toBe(6);
    // The client that received these has missed nothing that is stored, but also what is not stored any more.
    for (const id of old) expect(events.getStreamIdForEventId(id)).toBeUndefined();
    expect(replayed(events, fresh[0] ?? "")).toEqual([5, 6]);
  } finally {
    vi.useRealTimers();
  }
});

test("an event costs the same whether the store is empty or full", () => {
  const full = new InMemoryEventStore({ maxSize: 2 ** 26 });
  const text = JSON.stringify("x".repeat(50));
  const fill = (times: number): number => {
    const start = performance.now();
    for (let count = 0; count < times; count++) store(full, "busy", text);
    return (performance.now() - start) / times;
  };
  fill(300_000);
  // It was about a millisecond; a loaded machine needs a few microseconds.
  expect(fill(20_000)).toBeLessThan(0.1);
});

test("waits for a client that reads slowly", async () => {
  const events = new InMemoryEventStore();
  const ids = ["1", "2", "3"].map((text) => store(events, "s", text));
  const sent: EventMessage[] = [];
  const ready: (() => void)[] = [];
  const send = (_: string, message: EventMessage): Promise<void> => {
    sent.push(message);
    return new Promise((resolve) => ready.push(resolve));
  };
  const replaying = events.replayEventsAfter(ids[0] ?? "", { send });
  expect(sent).toEqual([2]);
  store(events, "s", "4");
  for (const count of [1, 2, 3]) {
    await vi.waitFor(() => expect(sent).toHaveLength(count));
    ready.shift()?.();
  }
  expect([await replaying, sent]).toEqual(["s", [2, 3, 4]]);
});

test("stops when events are evicted that a slow client has not received", async () => {
  const events = new InMemoryEventStore({ maxSize: 1_000 });
  const [first = ""] = ["1", "2", "3"].map((text) => store(events, "s", text));
  let goOn = (): void => undefined;
  const send = (): Promise<void> => new Promise((resolve) => (goOn = resolve));
  const replaying = events.replayEventsAfter(first, { send });
  for (const text of ["4", "5", "6", "7"]) store(events, "s", text);
  goOn();
  await expect(replaying).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
});
