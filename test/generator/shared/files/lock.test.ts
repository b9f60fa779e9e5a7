import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockName } from "../../../../generator/shared/files/lock.js";
import { watchedDisk } from "./broken-disk.js";
import { generated, put, refusal, sandbox, treeOf, write } from "./sandbox.js";

const [one, two] = [
  { "a.ts": "one\n", "b.ts": "one\n" },
  { "a.ts": "two\n", "c.ts": "two\n" },
];
const busy = (pid: number): string =>
  `output-not-writable: cannot write OUT: another run is writing (process ${pid}, lock ${lockName})`;

test("rejects the second of two parallel runs and completes the first", async () => {
  const folder = sandbox();
  const runs = [write(folder, one), write(folder, two)];
  expect(await Promise.all(runs.map((run) => refusal(folder, run)))).toEqual([undefined, [busy(process.pid)]]);
  expect(treeOf(folder)).toEqual(generated(one));
});

test("a run without changes does not succeed while another run is writing", async () => {
  const folder = sandbox();
  await write(folder, one);
  const runs = [write(folder, two), write(folder, one)];
  expect(await Promise.all(runs.map((run) => refusal(folder, run)))).toEqual([undefined, [busy(process.pid)]]);
  expect(treeOf(folder)).toEqual(generated(two));
});

test("notices changes that were made before it held the lock", async () => {
  const folder = sandbox();
  await write(folder, one);
  const disk = watchedDisk(["write"], (number) => {
    if (number === 1) put(folder, { "a.ts": "mine\n" });
  });
  expect(await refusal(folder, write(folder, two, { disk }))).toEqual([
    "output-edited: OUT/a.ts was edited by hand after it was generated",
  ]);
  expect(treeOf(folder)).toEqual(generated(one, { "a.ts": "mine\n" }));
});

test("respects the lock of a running process, and ignores it in check mode", async () => {
  const folder = sandbox();
  put(folder, { [lockName]: `${process.ppid} token\n` });
  expect(await refusal(folder, write(folder, one))).toEqual([busy(process.ppid)]);
  expect(treeOf(folder)).toEqual({ [lockName]: `${process.ppid} token\n` });
  expect(await write(folder, one, { mode: "check" })).toMatchObject({ added: ["a.ts", "b.ts", "manifest.json"] });
});

test.each<[name: string, content: string]>([
  ["a process that has ended", "4194999 token\n"],
  ["an earlier process with our id, as in a container", `${process.pid} token\n`],
  ["a process that ended before it wrote its id", ""],
  ["something unreadable", "-1 \u0000"],
])("takes over the lock of %s", async (_, content) => {
  const folder = sandbox();
  put(folder, { [lockName]: content });
  await write(folder, one);
  expect(treeOf(folder)).toEqual(generated(one));
});

test("respects a lock that gets its content shortly after its creation", async () => {
  const folder = sandbox();
  put(folder, { [lockName]: "" });
  const run = write(folder, one);
  setTimeout(() => writeFileSync(join(folder, lockName), `${process.ppid} token\n`), 10);
  expect(await refusal(folder, run)).toEqual([busy(process.ppid)]);
});

test("of two runs that take over the same stale lock, one gives it back", async () => {
  const folder = sandbox();
  put(folder, { [lockName]: "4194999 token\n" });
  const live = `${process.ppid} token\n`;
  const disk = watchedDisk(["rename"], (number) => {
    if (number === 1) put(folder, { [lockName]: live });
  });
  expect(await refusal(folder, write(folder, one, { disk }))).toEqual([busy(process.ppid)]);
  expect(treeOf(folder)).toEqual({ [lockName]: live });
});

test("accepts that a stale lock disappears during the takeover", async () => {
  const folder = sandbox();
  put(folder, { [lockName]: "4194999 token\n" });
  const disk = watchedDisk(["rename"], (number) => {
    if (number === 1) rmSync(join(folder, lockName));
  });
  await write(folder, one, { disk });
  expect(treeOf(folder)).toEqual(generated(one));
});

test("a run that lost its lock commits nothing and leaves the other's lock", async () => {
  const folder = sandbox();
  await write(folder, one);
  const live = `${process.ppid} token\n`;
  const disk = watchedDisk(["copy"], () => put(folder, { [lockName]: live }));
  expect(await refusal(folder, write(folder, two, { disk }))).toEqual([busy(process.ppid)]);
  expect(treeOf(folder)).toEqual(generated(one, { [lockName]: live }));
  expect(readFileSync(join(folder, lockName), "utf8")).toBe(live);
});
