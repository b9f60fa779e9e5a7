/** The records of sessions, which several nodes change at the same time. */
import { expect, onTestFinished, test, vi } from "vitest";
import { BackplaneError, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { SessionRecords } from "../../../runtime/src/backplane/session-records.js";

const id = "5cf7ac8f-6fd7-4a5c-8a4a-47f9f7b5a3d1";
const ttlMs = 60_000;
const never = (error: unknown): never => {
  throw error;
};
const record = {
  server: "s",
  revision: "2025-11-25",
  capabilities: {},
  advertisedCapabilities: {},
  initialized: false,
};

async function start() {
  const backplane = new MemoryBackplane();
  const records = new SessionRecords(backplane, never);
  const known = await records.create(id, { ...record, subscriptions: [] }, ttlMs);
  return { backplane, records, known };
}

test("changes of the same version at several nodes are all kept", async () => {
  const { backplane, records, known } = await start();
  const uris = Array.from({ length: 10 }, (_, at) => `file:///${at}`);
  await Promise.all(
    uris.map((uri) => new SessionRecords(backplane, never).change(id, { subscribe: uri }, known, ttlMs)),
  );
  expect([...((await records.find(id))?.subscriptions ?? [])].sort()).toEqual(uris);
});

test("a change that other nodes forestall each time is given up with an error", async () => {
  const { backplane, records, known } = await start();
  const set = vi.spyOn(backplane, "set").mockImplementation(() => undefined);
  await expect(records.change(id, { initialized: true }, known, ttlMs)).rejects.toThrow(
    new BackplaneError("conflict", `session ${id} was not changed: other nodes changed it during each of 20 attempts`),
  );
  expect(set).toHaveBeenCalledTimes(20);
  set.mockRestore();
  expect(await records.change(id, { initialized: true }, known, ttlMs)).toMatchObject({ initialized: true });
});

test("a session that has ended is not changed", async () => {
  const { backplane, records, known } = await start();
  await records.delete(id);
  expect(await records.change(id, { initialized: true }, known, ttlMs)).toBeUndefined();
  expect(backplane.get(`session:${id}`)).toBeUndefined();
});

test("a change keeps the data of handlers for as long as the record", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { backplane, records, known } = await start();
  backplane.set(`session-data:${id}`, "{}", { ttlMs });
  await vi.advanceTimersByTimeAsync(ttlMs - 1_000);
  await records.change(id, { logLevel: "debug" }, known, ttlMs);
  await vi.advanceTimersByTimeAsync(ttlMs - 1_000);
  expect([await records.find(id), backplane.get(`session-data:${id}`)]).toMatchObject([{}, { text: "{}" }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await records.find(id), backplane.get(`session-data:${id}`)]).toEqual([undefined, undefined]);
});
