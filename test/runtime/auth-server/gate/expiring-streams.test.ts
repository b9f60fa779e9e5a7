import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ExpiringStreams } from "../../../../runtime/src/auth-server/gate/expiring-streams.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Stream {
  ended = 0;

  constructor(
    readonly streams: ExpiringStreams,
    /** Whether it ends when it expires; one that replays events does not. */
    public canEnd = true,
  ) {}

  expire(): void {
    this.ended++;
    if (this.canEnd) this.streams.delete(this);
  }
}

test.each<[string, number, number, number]>([
  ["in a second", 1_000, 999, 1_000],
  ["in the past", -1_000, -1, 0],
  ["at no time, which is a bug of the policy", NaN, -1, 0],
])("ends a stream that expires %s", (_name, inMs, before, after) => {
  const streams = new ExpiringStreams();
  const stream = new Stream(streams);
  streams.set(stream, Date.now() + inMs);
  if (before >= 0) vi.advanceTimersByTime(before);
  expect(stream.ended).toBe(0);
  vi.advanceTimersByTime(after - Math.max(before, 0) + 1);
  expect(stream.ended).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(stream.ended).toBe(1);
});

test("leaves streams alone that do not expire, that were forgotten, or that a new authentication keeps open", () => {
  const streams = new ExpiringStreams();
  const [endless, forgotten, renewed] = [new Stream(streams), new Stream(streams), new Stream(streams)];
  streams.set(endless);
  streams.set(forgotten, Date.now() + 1_000);
  streams.delete(forgotten);
  streams.set(renewed, Date.now() + 1_000);
  streams.set(renewed, undefined);
  vi.advanceTimersByTime(10_000);
  expect([endless.ended, forgotten.ended, renewed.ended]).toEqual([0, 0, 0]);
});

test("ends a stream that could not end at first a second later", () => {
  const streams = new ExpiringStreams();
  const stream = new Stream(streams, false);
  streams.set(stream, Date.now() + 1_000);
  vi.advanceTimersByTime(1_001);
  expect(stream.ended).toBe(1);
  stream.canEnd = true;
  vi.advanceTimersByTime(1_001);
  expect(stream.ended).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(stream.ended).toBe(2);
});
