import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { backupOf, changeFile } from "../../../../generator/commands/install/change-file.js";
import type { Disk } from "../../../../generator/shared/files/disk.js";
import { diskFailingOnce, errno, frozenDisk, fullDisk, watchedDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";

const add = (text = ""): string => `${text}+`;

function place(text?: string): { readonly folder: string; readonly path: string } {
  const folder = sandbox();
  if (text !== undefined) put(folder, { "mcp.json": text });
  return { folder, path: join(folder, "mcp.json") };
}

describe("a changed file", () => {
  test("has the new text, and a copy beside it", async () => {
    const { folder, path } = place("a");
    expect(await changeFile(path, add)).toBe(backupOf(path));
    expect(treeOf(folder)).toEqual({ "mcp.json": "a+", "mcp.json.mcpwright-backup": "a" });
  });

  test("has one copy, of the last text", async () => {
    const { folder, path } = place("a");
    for (let run = 0; run < 3; run++) await changeFile(path, add);
    expect(treeOf(folder)).toEqual({ "mcp.json": "a+++", "mcp.json.mcpwright-backup": "a++" });
  });

  test("keeps its permissions, which the copy has, too", async () => {
    const { path } = place("a");
    chmodSync(path, 0o606);
    await changeFile(path, add);
    for (const file of [path, backupOf(path)]) expect(statSync(file).mode & 0o777).toBe(0o606);
  });

  test("is not written when nothing changes", async () => {
    const { folder, path } = place("a");
    const before = statSync(path).ino;
    expect(await changeFile(path, (text) => text)).toBeUndefined();
    expect(statSync(path).ino).toBe(before);
    expect(treeOf(folder)).toEqual({ "mcp.json": "a" });
  });

  test("is created with its folders", async () => {
    const folder = sandbox();
    expect(await changeFile(join(folder, "a/b/mcp.json"), add)).toBeUndefined();
    expect(treeOf(folder)).toEqual({ "a/b/mcp.json": "+" });
  });

  test("is created with the permissions that are asked for", async () => {
    const { path } = place();
    await changeFile(path, add, { newMode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is removed, with a copy", async () => {
    const { folder, path } = place("a");
    await changeFile(path, () => undefined);
    expect(treeOf(folder)).toEqual({ "mcp.json.mcpwright-backup": "a" });
  });
});

describe("a symbolic link", () => {
  test("stays, and its target changes", async () => {
    const { folder, path } = place();
    put(folder, { "dotfiles/cursor.json": "a" });
    symlinkSync("dotfiles/cursor.json", path);
    await changeFile(path, add);
    expect(treeOf(folder)).toEqual({
      "mcp.json": "-> dotfiles/cursor.json",
      "dotfiles/cursor.json": "a+",
      "dotfiles/cursor.json.mcpwright-backup": "a",
    });
  });

  test("to a file that does not exist", async () => {
    const { folder, path } = place();
    mkdirSync(join(folder, "dotfiles"));
    symlinkSync("dotfiles/cursor.json", path);
    await changeFile(path, add);
    expect(treeOf(folder)).toEqual({ "mcp.json": "-> dotfiles/cursor.json", "dotfiles/cursor.json": "+" });
  });

  test("to itself is refused", async () => {
    const { folder, path } = place();
    symlinkSync("mcp.json", path);
    expect(await refusal(folder, changeFile(path, add))).toEqual([
      "install-config-unreadable: cannot read OUT/mcp.json: ELOOP: too many symbolic links encountered",
    ]);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });
});

describe("refused, and nothing changes:", () => {
  test.each<[string, (path: string) => void, string]>([
    ["a folder", (path) => mkdirSync(path), "install-config-unreadable: cannot read OUT/mcp.json: it is not a file"],
    [
      "a file that is not UTF-8",
      (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      "install-config-unreadable: cannot read OUT/mcp.json: it is not UTF-8",
    ],
    [
      "a read-only file",
      (path) => writeFileSync(path, "a", { mode: 0o444 }),
      "install-config-read-only: OUT/mcp.json is read-only",
    ],
  ])("%s", async (_name, make, message) => {
    const { folder, path } = place();
    make(path);
    const before = treeOf(folder);
    expect(await refusal(folder, changeFile(path, add))).toEqual([message]);
    expect(treeOf(folder)).toEqual(before);
  });
});

describe("on a disk", () => {
  const run = async (folder: string, disk: Disk): Promise<boolean> =>
    (await refusal(folder, changeFile(join(folder, "mcp.json"), add, { disk }))) === undefined;

  test("that is full, the file stays and nothing is left behind", async () => {
    for (let from = 1; from <= 3; from++) {
      const { folder } = place("a");
      expect(await run(folder, fullDisk(from))).toBe(false);
      expect(treeOf(folder)).toEqual({ "mcp.json": "a" });
    }
  });

  test("that is full, no folder is left behind", async () => {
    const folder = sandbox();
    expect(await refusal(folder, changeFile(join(folder, "a/b/mcp.json"), add, { disk: fullDisk(3) }))).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that fails at any call, the file has the old or the new text", async () => {
    let failed = 0;
    for (let at = 1; at <= 12; at++) {
      const { folder } = place("a");
      const isDone = await run(folder, diskFailingOnce(at));
      if (!isDone) failed++;
      expect(readFileSync(join(folder, "mcp.json"), "utf8")).toBe(isDone ? "a+" : "a");
    }
    expect(failed).toBeGreaterThan(3);
  });

  test("of a process that is killed at any call, the file has the old or the new text, and the next run cleans up", async () => {
    for (let from = 1; from <= 8; from++) {
      const { folder, path } = place("a");
      await run(folder, frozenDisk(from));
      const text = readFileSync(path, "utf8");
      expect(["a", "a+"]).toContain(text);
      // The lock names a process that no longer exists.
      if (existsSync(join(folder, ".mcpwright-lock"))) writeFileSync(join(folder, ".mcpwright-lock"), "2147483646 x\n");
      await changeFile(path, add);
      expect(treeOf(folder)).toEqual({ "mcp.json": `${text}+`, "mcp.json.mcpwright-backup": text });
    }
  });
});

test("Ctrl-C ends the wait for another run", async () => {
  const { folder, path } = place("a");
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  onTestFinished(() => exit.mockRestore());
  const lock = `${process.ppid} of another run\n`;
  put(folder, { ".mcpwright-lock": lock });
  const changed = changeFile(path, add);
  process.listeners("SIGINT").at(-1)?.("SIGINT");
  await expect(changed).rejects.toThrow("interrupted");
  expect(exit).toHaveBeenCalledWith(130);
  expect(treeOf(folder)).toEqual({ "mcp.json": "a", ".mcpwright-lock": lock });
});

describe("with another writer", () => {
  test("runs wait for each other", async () => {
    const { folder, path } = place("");
    const names = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(names.map((name) => changeFile(path, (text = "") => text + name)));
    const text = readFileSync(path, "utf8");
    expect(text).toHaveLength(names.length);
    for (const name of names) expect(text).toContain(name);
    expect(Object.keys(treeOf(folder))).toEqual(["mcp.json", "mcp.json.mcpwright-backup"]);
  });

  test("a program that writes in between loses nothing", async () => {
    const { folder, path } = place("a");
    const disk = watchedDisk(["write"], (number) => {
      // The second file is the one with the new text; the first is the lock.
      if (number === 2) writeFileSync(path, "b");
    });
    await changeFile(path, add, { disk });
    expect(treeOf(folder)).toEqual({ "mcp.json": "b+", "mcp.json.mcpwright-backup": "b" });
  });

  test("one that never stops is reported", async () => {
    const { folder, path } = place("a");
    const disk = watchedDisk(["write"], (number) => writeFileSync(path, String(number)));
    expect(await refusal(folder, changeFile(path, add, { disk }))).toEqual([
      "install-config-changed: another program changed the file in OUT/mcp.json at the same time",
    ]);
    expect(Object.keys(treeOf(folder))).toEqual(["mcp.json"]);
  });

  test("an error of the change changes nothing", async () => {
    const { folder, path } = place("a");
    const broken = changeFile(path, () => {
      throw errno("EIO", path);
    });
    await expect(broken).rejects.toThrow("EIO");
    expect(treeOf(folder)).toEqual({ "mcp.json": "a" });
  });
});
