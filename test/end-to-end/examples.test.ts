/** Each example runs its conversation over stdio and HTTP, in both eras. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../cli/command-line.js";

const folder = join(root, "examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "verify")
  .map(({ name }) => name);

test("the examples are these six", () =>
  expect(examples).toEqual(["carts", "chat", "files", "notes", "travel", "weather"]));

test.each(examples)("%s", { timeout: 120_000 }, async (name) => {
  const loader = import.meta.resolve("tsx");
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, join(folder, name, "verify.ts")]);
  const ways = ["stdio", "HTTP"].flatMap((transport) =>
    ["2025-11-25", "2026-07-28"].map((revision) => `ok ${name} over ${transport}, ${revision}`),
  );
  expect(stdout.trimEnd().split("\n").slice(0, 4)).toEqual(ways);
});
