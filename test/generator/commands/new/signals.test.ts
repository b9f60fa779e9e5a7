import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sandbox, treeOf } from "../../shared/files/sandbox.js";

test.each<[name: string, signal: string, call: string, at: number, code: number, complete: boolean]>([
  ["Ctrl-C while files are staged: there is nothing, not even the folder", "SIGINT", "write", 9, 130, false],
  ["termination while files are put in place: all are there", "SIGTERM", "rename", 9, 143, true],
])("%s", async (_name, signal, call, at, code, complete) => {
  const folder = sandbox();
  const script = fileURLToPath(new URL("signal-child.ts", import.meta.url));
  const args = ["--import", "tsx", script, join(folder, "new"), signal, call, String(at)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  expect(await once(child, "close")).toEqual([code, null]);
  if (!complete) expect(readdirSync(folder)).toEqual([]);
  else {
    const tree = treeOf(join(folder, "new"));
    expect(tree).toHaveProperty(["package.json"]);
    expect(tree).toHaveProperty([".mcpwright/project.json"]);
    expect(Object.keys(tree).filter((path) => path.startsWith(".mcpwright-"))).toEqual([]);
  }
});
