/** Followers of a log when they fail, or the log cannot be read. */
import { expect, onTestFinished, test, vi } from "vitest";
import { followLog, type LogEntry, MemoryBackplane } from "../../../runtime/src/backplane.js";

const bounds = { ttlMs: 60_000, maxEntries: 100 };

test("a follower that throws gets the next entries at once", async () => {
  const backplane = new MemoryBackplane();
  for (const text of ["1", "bad", "2"]) backplane.append("log", text, bounds);
  const received: string[] = [];
  const errors: string[] = [];
  await followLog(backplane, "log", undefined, {
    onEntry({ text }) {
      if (text === "bad") throw new Error("no such entry");
      received.push(text);
    },
    onGap: () => received.push("gap"),
    onError: ({ message }) => errors.push(message),
  });
  await vi.waitFor(() => expect([received, errors]).toEqual([["1", "2"], ["no such entry"]]));
});

test("a log that cannot be read is read again after a second, without a message", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const backplane = new MemoryBackplane();
  vi.spyOn(backplane, "read").mockImplementationOnce(() => {
    throw new Error("away");
  });
  backplane.append("log", "1", bounds);
  const received: string[] = [];
  await followLog(backplane, "log", undefined, {
    onEntry: ({ text }) => void received.push(text),
    onGap: () => received.push("gap"),
    onError: ({ message }) => received.push(message),
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(received).toEqual(["away"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(received).toEqual(["away", "1"]);
});

test("entries before a lost one are not delivered again, and the gap is announced once", async () => {
  const backplane = new MemoryBackplane();
  const [first, lost, fresh] = ["1", "2", "3"].map((text) => ({ id: text, text })) as [LogEntry, LogEntry, LogEntry];
  let entries = [first, lost];
  // A failover loses the second entry: what follows it is there later.
  vi.spyOn(backplane, "read").mockImplementation((_, { after }) => ({
    entries: entries.filter(({ id }) => id > (after ?? "")),
    hasGap: after !== undefined && !entries.some(({ id }) => id === after),
  }));
  const received: string[] = [];
  await followLog(backplane, "log", undefined, {
    onEntry: ({ text }) => void received.push(text),
    onGap: () => received.push("gap"),
    onError: ({ message }) => received.push(message),
  });
  await vi.waitFor(() => expect(received).toEqual(["1", "2"]));
  entries = [first];
  for (let times = 0; times < 3; times++) {
    backplane.publish("log", "");
    await vi.waitFor(() => expect(received).toEqual(["1", "2", "gap"]));
  }
  entries = [first, fresh];
  backplane.publish("log", "");
  await vi.waitFor(() => expect(received).toEqual(["1", "2", "gap", "3"]));
});
