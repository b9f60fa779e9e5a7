import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { generated, sandbox, treeOf, write } from "../../shared/files/sandbox.js";
import type { ChildTask } from "./signal-child.js";
import type { Tree } from "../../shared/files/tree.js";

vi.setConfig({ testTimeout: 30_000 });

const old: Tree = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}/a.ts`, `old ${index}\n`]));
const next: Tree = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index + 1}/a.ts`, `new ${index}\n`]));

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Runs `writeOutput` in a separate process. */
async function run(task: ChildTask): Promise<Ending> {
  const script = fileURLToPath(new URL("signal-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [[code, signal], output] = await Promise.all([
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
  ]);
  return { code, signal, output };
}

test.concurrent.each<
  [name: string, signal: NodeJS.Signals, call: ChildTask["call"], at: number, code: number, end: Tree]
>([
  ["Ctrl-C while files are staged: nothing changes", "SIGINT", "write", 5, 130, old],
  ["Ctrl-C when the last file has been staged: nothing changes", "SIGINT", "write", 11, 130, old],
  ["termination while files are staged: nothing changes", "SIGTERM", "copy", 2, 143, old],
  ["Ctrl-C in the middle of the commit: it is completed", "SIGINT", "rename", 3, 130, next],
  ["termination at the last rename of the commit: it is completed", "SIGTERM", "rename", 11, 143, next],
])("%s", async (_, signal, call, at, code, end) => {
  const folder = sandbox();
  await write(folder, old);
  expect(await run({ folder, files: next, signal, ...(call && { call }), at })).toEqual({
    code,
    signal: null,
    output: "",
  });
  expect(treeOf(folder)).toEqual(generated(end));
});

test.concurrent("kill -9 in the middle of the commit: the next run repairs the folder", async () => {
  const folder = sandbox();
  await write(folder, old);
  expect(await run({ folder, files: next, signal: "SIGKILL", call: "rename", at: 5 })).toMatchObject({
    code: null,
    signal: "SIGKILL",
  });
  expect(readdirSync(folder).filter((name) => name.startsWith(".mcpwright-"))).toHaveLength(2);
  await write(folder, old);
  expect(treeOf(folder)).toEqual(generated(old));
});

test.concurrent("after parallel writes into one folder, it has the files of one of them", async () => {
  const folder = sandbox();
  const wanted = ["x", "y", "z"].map((name) => ({ ...next, "who.ts": name }));
  const endings = await Promise.all(wanted.map((files) => run({ folder, files })));
  for (const { output } of endings) expect(output).toMatch(/^written$|another run is writing/);
  const written = wanted.filter((_, index) => endings[index]?.output === "written");
  expect(written.map((files) => generated(files))).toContainEqual(treeOf(folder));
});
