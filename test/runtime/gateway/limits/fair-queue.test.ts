import { expect, test } from "vitest";
import { FairQueue } from "../../../../runtime/src/gateway/limits/fair-queue.js";

const queueOf = (...entries: readonly string[]): FairQueue<string> => {
  const queue = new FairQueue<string>();
  for (const entry of entries) queue.add(entry[0], entry);
  return queue;
};
const drain = (queue: FairQueue<string>): readonly string[] => {
  const entries: string[] = [];
  for (let entry; (entry = queue.shift()) !== undefined;) entries.push(entry);
  return entries;
};

test("clients have their turns one after the other", () => {
  expect(drain(queueOf("a1", "a2", "a3", "b1", "c1", "c2"))).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
});

test("entries of one client are in order", () => {
  expect(drain(queueOf("a1", "a2", "a3"))).toEqual(["a1", "a2", "a3"]);
});

test("entries are removed", () => {
  const queue = queueOf("a1", "a2", "b1");
  queue.delete("a", "a1");
  queue.delete("a", "a1");
  queue.delete("b", "a2");
  queue.delete("x", "x");
  expect(queue.size).toBe(2);
  expect(drain(queue)).toEqual(["a2", "b1"]);
  expect(queue.size).toBe(0);
});

test.each([
  ["the longest gives way to a new client", ["a1", "a2", "a3", "b1", "b2"], "c", "a3"],
  ["the longest gives way to a client with fewer", ["a1", "a2", "a3", "b1"], "b", "a3"],
  ["not if it would have fewer than the other", ["a1", "a2", "b1"], "b", undefined],
  ["not to itself", ["a1", "a2", "a3"], "a", undefined],
  ["not if each has one", ["a1", "b1"], "c", undefined],
  ["not in an empty queue", [], "a", undefined],
])("%s", (_, entries, client, displaced) => {
  expect(queueOf(...entries).displacedBy(client)?.entry).toBe(displaced);
});

test("a hundred thousand entries are removed in any order", () => {
  const entries = Array.from({ length: 100_000 }, (_, at) => `a${at}`);
  const queue = queueOf(...entries);
  for (const entry of [...entries].reverse()) queue.delete("a", entry);
  expect(queue.size).toBe(0);
});
