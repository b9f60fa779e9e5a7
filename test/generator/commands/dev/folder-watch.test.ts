import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findEntry } from "../../../../generator/commands/dev/find-entry.js";
import { effectInProject, folderToWatch, isIgnoredFolder } from "../../../../generator/commands/dev/watched-files.js";
import { FolderWatch } from "../../../../generator/commands/dev/folder-watch.js";
import { watchProject } from "../../../../generator/commands/dev/watch-project.js";
import { project } from "./project.js";

function watched(files: Readonly<Record<string, string>>): ReturnType<typeof project> & {
  readonly changes: readonly string[];
  readonly next: (wanted: string) => Promise<void>;
} {
  const made = project(files, { hasPackages: false });
  const changes: string[] = [];
  const watch = new FolderWatch({
    root: made.folder,
    isIgnored: isIgnoredFolder,
    isWanted: (file) => effectInProject(file) !== "none",
    onChange: (changed) => changes.push(...changed.map((file) => relative(made.folder, file).replaceAll("\\", "/"))),
    onerror: (error) => {
      throw error;
    },
  });
  onTestFinished(() => watch.close());
  const next = async (wanted: string): Promise<void> => {
    await vi.waitFor(() => expect(changes).toContain(wanted));
    changes.length = 0;
  };
  return { ...made, changes, next };
}

describe("a watched folder reports", () => {
  test("files that are written, replaced, deleted and created again", async () => {
    const { folder, put, next } = watched({ "src/main.ts": "1" });
    const file = join(folder, "src/main.ts");
    put({ "src/main.ts": "22" });
    await next("src/main.ts");
    writeFileSync(`${file}.tmp`, "333");
    renameSync(`${file}.tmp`, file);
    await next("src/main.ts");
    rmSync(file);
    await next("src/main.ts");
    put({ "src/main.ts": "22" });
    await next("src/main.ts");
  });

  test("files in new folders, in folders that were replaced, and the loss of a folder", async () => {
    const { folder, put, next } = watched({ "src/main.ts": "1" });
    put({ "src/tools/deep/add.ts": "1" });
    await next("src/tools/deep/add.ts");
    put({ "src/tools/deep/add.ts": "22" });
    await next("src/tools/deep/add.ts");
    rmSync(join(folder, "src/tools"), { recursive: true });
    await next("src/tools/deep/add.ts");
    mkdirSync(join(folder, "other/deep"), { recursive: true });
    writeFileSync(join(folder, "other/deep/add.ts"), "333");
    renameSync(join(folder, "other"), join(folder, "src/tools"));
    await next("src/tools/deep/add.ts");
    put({ "src/tools/deep/add.ts": "4444" });
    await next("src/tools/deep/add.ts");
  });

  test("nothing in linked folders, nor for a link to itself", async () => {
    const { folder, put, changes, next } = watched({ "src/main.ts": "1" });
    const other = project({ "deep/other.ts": "1" }, { hasPackages: false });
    symlinkSync(other.folder, join(folder, "linked"), "junction");
    symlinkSync("loop.ts", join(folder, "src/loop.ts"));
    put({ "src/main.ts": "22" });
    await next("src/main.ts");
    other.put({ "deep/other.ts": "22" });
    put({ "src/last.ts": "1" });
    await vi.waitFor(() => expect(changes).toContain("src/last.ts"));
    expect(changes).toEqual(["src/last.ts"]);
  });

  test("nothing for other files, ignored folders and events without a change", async () => {
    const { folder, put, changes, next } = watched({ "src/main.ts": "1", "node_modules/x/index.js": "" });
    const time = new Date(2020, 0);
    utimesSync(join(folder, "src/main.ts"), time, time);
    await next("src/main.ts");
    put({ "data/notes.json": "{}", "server.log": "x", "src/main.ts~": "x", "src/.#main.ts": "x" });
    put({ "node_modules/x/index.js": "1", "dist/main.js": "1", ".git/HEAD.ts": "1" });
    utimesSync(join(folder, "src/main.ts"), time, time);
    put({ "src/last.ts": "1" });
    await vi.waitFor(() => expect(changes).toContain("src/last.ts"));
    expect(changes).toEqual(["src/last.ts"]);
  });
});

test.each([
  ["src/main.ts", "restart"],
  ["lib/x.mjs", "restart"],
  ["package.json", "restart"],
  ["tsconfig.build.json", "restart"],
  [".env.local", "restart"],
  ["src/types.d.ts", "types"],
  ["test/main.test.ts", "types"],
  ["data.json", "none"],
  ["notes.sqlite", "none"],
  ["src/main.ts.swp", "none"],
  ["4913", "none"],
])("a change of %s: %s", (path, effect) => {
  expect(effectInProject(join("/project", path))).toBe(effect);
});

test("the folder of builds is watched if the entry is in it", () => {
  const at = (path: string): string => join("/p", path);
  expect(folderToWatch(at("src/main.ts"), "/p")).toBe("/p");
  expect(folderToWatch(at("main.ts"), "/p")).toBe("/p");
  expect(folderToWatch(at("build/js/main.js"), "/p")).toBe(at("build"));
});

test("a project reports why the server restarts, also for files of --watch", async () => {
  const { folder, put } = project({ "src/main.ts": "", "data/a.json": "1", "prompt.md": "1" });
  const changes: (readonly [string, string])[] = [];
  const stop = watchProject({
    entry: findEntry("src/main.ts", folder),
    cwd: folder,
    extra: ["data", "prompt.md"],
    onChange: (...change) => changes.push(change),
    onerror: (error) => {
      throw error;
    },
  });
  onTestFinished(stop);
  const next = async (effect: string, reason: string): Promise<void> => {
    await vi.waitFor(() => expect(changes).toContainEqual([effect, reason]));
    changes.length = 0;
  };
  put({ "src/main.ts": "1" });
  await next("restart", "src/main.ts changed");
  put({ "data/a.json": "22" });
  await next("restart", "data/a.json changed");
  put({ "prompt.md": "22" });
  await next("restart", "prompt.md changed");
  put({ "src/main.test.ts": "1" });
  await next("types", "src/main.test.ts changed");
  rmSync(join(folder, "prompt.md"));
  await next("restart", "prompt.md was deleted");
  expect(() =>
    watchProject({
      entry: findEntry("src/main.ts", folder),
      cwd: folder,
      extra: ["nothing"],
      onChange: stop,
      onerror: stop,
    }),
  ).toThrow("error[dev-watch-not-found]");
});
