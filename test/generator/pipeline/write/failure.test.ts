import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Disk } from "../../../../generator/shared/files/disk.js";
import { calls, errno, frozenDisk, fullDisk, diskFailingOnce, watchedDisk } from "../../shared/files/broken-disk.js";
import { generated, manifestOf, put, refusal, sandbox, treeOf, write } from "../../shared/files/sandbox.js";
import type { Tree } from "../../shared/files/tree.js";

vi.setConfig({ testTimeout: 30_000 });

/**
 * From `old` to `next`, a run takes every kind of step: a file is added, changed, removed or kept; folders are created
 * and removed.
 */
const old: Tree = {
  "a.ts": "old a\n",
  "b/c.ts": "old c\n",
  "b/same.ts": "same\n",
  "gone/d.ts": "d\n",
  "moved/e.ts": "e\n",
  f: "f\n",
};
const next: Tree = {
  "a.ts": "new a\n",
  "b/c.ts": "new c\n",
  "b/same.ts": "same\n",
  "fresh/deep/g.ts": "g\n",
  moved: "e\n",
  "f/h.ts": "h\n",
};
const foreign: Tree = { "notes.txt": "mine", "gone/mine.txt": "mine" };

async function prepared(): Promise<string> {
  const folder = sandbox();
  await write(folder, old);
  put(folder, foreign);
  return folder;
}

/** Runs with a disk that fails at call 1, 2, 3, … until a run makes fewer calls; returns the number of failed runs. */
async function untilItWorks(run: (at: number) => Promise<boolean>): Promise<number> {
  for (let at = 1; at < 200; at++) if (await run(at)) return at - 1;
  throw new Error("never works");
}

describe("changes nothing and leaves nothing behind", () => {
  test("when the disk is full, at every write", async () => {
    const folder = await prepared();
    const before = treeOf(folder);
    const reasons = new Set<string>();
    const failures = await untilItWorks(async (at) => {
      const said = await refusal(folder, write(folder, next, { disk: fullDisk(at) }));
      if (!said) return true;
      for (const line of said) reasons.add(line);
      expect(treeOf(folder)).toEqual(before);
      return false;
    });
    // The folders of new files are made during the commit, so the renames before them are undone.
    expect(
      [...reasons]
        .map(
          (reason) =>
            /^output-not-writable: cannot write OUT\/?(\S*): ENOSPC: no space left on device$/.exec(reason)?.[1],
        )
        .sort(),
    ).toEqual([
      "",
      "a.ts",
      "b/c.ts",
      "f",
      "f/h.ts",
      "fresh",
      "fresh/deep",
      "fresh/deep/g.ts",
      "manifest.json",
      "moved",
    ]);
    expect(failures).toBeGreaterThan(10);
    expect(treeOf(folder)).toEqual(generated(next, foreign));
  });

  test("when any one call fails", async () => {
    const folder = await prepared();
    const before = treeOf(folder);
    const failures = await untilItWorks(async (at) => {
      const said = await refusal(folder, write(folder, next, { disk: diskFailingOnce(at) }));
      if (said) {
        expect(said.join()).toMatch(/^output-not-writable: cannot write OUT\S*: EIO: i\/o error$/);
        expect(Object.keys(treeOf(folder)).filter((path) => !path.startsWith(".mcpwright-"))).toEqual(
          Object.keys(before),
        );
        expect(treeOf(folder)).toEqual(before);
        return false;
      }
      expect(treeOf(folder)).toMatchObject(generated(next, foreign));
      // A failed cleanup after the commit is not an error; the next run repeats it.
      const clean = !readdirSync(folder).some((name) => name.startsWith(".mcpwright-"));
      if (!clean) await write(folder, next);
      expect(treeOf(folder)).toEqual(generated(next, foreign));
      if (clean) return true;
      rmSync(folder, { recursive: true });
      await write(folder, old);
      put(folder, foreign);
      return false;
    });
    expect(failures).toBeGreaterThan(25);
  });

  test("not even the folder that the run created, or its parents", async () => {
    const outer = sandbox();
    const folder = join(outer, "a/b");
    const failures = await untilItWorks(async (at) => {
      const said = await refusal(folder, write(folder, next, { disk: fullDisk(at) }));
      if (said) expect(treeOf(outer)).toEqual({});
      return said === undefined;
    });
    expect(failures).toBeGreaterThan(8);
    expect(treeOf(folder)).toEqual(generated(next));
  });

  test("when the folder cannot be written to", async () => {
    const folder = await prepared();
    const before = treeOf(folder);
    const readOnly = watchedDisk(["makeFolder", "write"], (_, __, path) => {
      throw errno("EACCES", path);
    });
    expect(await refusal(folder, write(folder, next, { disk: readOnly }))).toEqual([
      "output-not-writable: cannot write OUT: EACCES: permission denied",
    ]);
    expect(treeOf(folder)).toEqual(before);
    // When nothing differs, nothing is written: a read-only folder that is up to date is not an error.
    expect(await write(folder, old, { disk: readOnly })).toMatchObject({ added: [], changed: [], removed: [] });
  });

  test.runIf(statExists("/proc/self"))("when the operating system reports an error", async () => {
    const said = await refusal("/proc/mcpwright", write("/proc/mcpwright", next));
    expect(said).toEqual([expect.stringMatching(/^output-not-writable: cannot write OUT: E[A-Z]+: /)]);
  });

  test("when an error is not from the file system; it is thrown unchanged", async () => {
    const folder = await prepared();
    const before = treeOf(folder);
    const buggy = watchedDisk(["rename"], (number) => {
      if (number === 3) throw new TypeError("a bug");
    });
    await expect(write(folder, next, { disk: buggy })).rejects.toThrow(TypeError);
    expect(treeOf(folder)).toEqual(before);
  });
});

describe("the next run repairs", () => {
  /** The files of the killed run, and those of the next run. */
  test.each<[name: string, target: Tree]>([
    ["with the same files", next],
    ["with other files", { "a.ts": "third a\n", "other.ts": "other\n" }],
    ["with the original files", old],
  ])("a run that was killed, at every step, %s", async (_, target) => {
    let folder = await prepared();
    const halves = new Set<string>();
    const kills = await untilItWorks(async (at) => {
      const said = await refusal(folder, write(folder, next, { disk: frozenDisk(at) }));
      halves.add(
        JSON.stringify(treeOf(folder), (key, value: unknown) => (key.startsWith(".mcpwright-") ? undefined : value)),
      );
      const finished = !said && !readdirSync(folder).some((name) => name.startsWith(".mcpwright-"));
      expect(await refusal(folder, write(folder, target))).toBeUndefined();
      expect(treeOf(folder)).toEqual(generated(target, foreign));
      folder = await prepared();
      return finished;
    });
    expect(kills).toBeGreaterThan(25);
    expect(halves.size).toBeGreaterThan(8);
  });

  test("a first run that was killed, at every step", async () => {
    const kills = await untilItWorks(async (at) => {
      const folder = join(sandbox(), "out");
      const said = await refusal(folder, write(folder, next, { disk: frozenDisk(at) }));
      expect(await refusal(folder, write(folder, old))).toBeUndefined();
      expect(treeOf(folder)).toEqual(generated(old));
      return said === undefined;
    });
    expect(kills).toBeGreaterThan(15);
  });

  test("two runs that were killed one after the other", async () => {
    const folder = await prepared();
    await refusal(folder, write(folder, next, { disk: dyingAtRename(5) }));
    await refusal(folder, write(folder, { ...next, "a.ts": "third\n" }, { disk: dyingAtRename(2) }));
    expect(readdirSync(folder).filter((name) => /^\.mcpwright-[0-9a-f]{12}$/.test(name))).toHaveLength(2);
    expect(await refusal(folder, write(folder, old))).toBeUndefined();
    expect(treeOf(folder)).toEqual(generated(old, foreign));
  });

  test("a half-renamed state, written down by hand", async () => {
    const folder = sandbox();
    const [before, after] = [
      { "a.ts": "1\n", "b.ts": "1\n" },
      { "a.ts": "2\n", "b.ts": "2\n" },
    ];
    put(folder, { "a.ts": "2\n", "b.ts": "1\n", "manifest.json": manifestOf(before) });
    put(folder, { ".mcpwright-0123456789ab/manifest.json": manifestOf(after), ".mcpwright-0123456789ab/1.new": "2\n" });
    expect(await write(folder, { "a.ts": "3\n", "b.ts": "3\n" })).toMatchObject({
      changed: ["a.ts", "b.ts", "manifest.json"],
    });
    expect(treeOf(folder)).toEqual(generated({ "a.ts": "3\n", "b.ts": "3\n" }));
  });

  test("not a manifest that no run can have left: it looks like a foreign file", async () => {
    const folder = sandbox();
    put(folder, {
      "a.ts": "2\n",
      "manifest.json": "{",
      ".mcpwright-0123456789ab/manifest.json": manifestOf({ "a.ts": "2\n" }),
    });
    expect(await refusal(folder, write(folder, { "a.ts": "3\n" }))).toEqual([
      "output-foreign: OUT contains files that were not generated: manifest.json",
    ]);
  });

  test("but not a file that was changed by hand since", async () => {
    const folder = await prepared();
    await refusal(folder, write(folder, next, { disk: dyingAtRename(6) }));
    put(folder, { "a.ts": "mine\n" });
    expect(await refusal(folder, write(folder, next))).toEqual([
      "output-edited: OUT/a.ts was edited by hand after it was generated",
    ]);
  });

  test("leftovers in a folder that is otherwise up to date", async () => {
    const folder = await prepared();
    put(folder, { ".mcpwright-0123456789ab/0.new": "x" });
    await write(folder, old, { mode: "check" });
    expect(readdirSync(folder)).toContain(".mcpwright-0123456789ab");
    expect(await write(folder, old)).toMatchObject({ added: [], changed: [], removed: [] });
    expect(treeOf(folder)).toEqual(generated(old, foreign));
  });

  test("a commit that failed and could not be undone, which is reported", async () => {
    const folder = await prepared();
    const noRename = watchedDisk(["rename"], (number, _, path) => {
      if (number > 6) throw errno("EIO", path);
    });
    const said = await refusal(folder, write(folder, next, { disk: noRename }));
    expect(said).toEqual([
      expect.stringMatching(
        /^output-half-written: cannot write OUT\/\S+: EIO: i\/o error; not all files could be restored$/,
      ),
    ]);
    expect(treeOf(folder)).toMatchObject({ "a.ts": "new a\n", "manifest.json": manifestOf(old) });
    const third = { ...next, "a.ts": "third a\n" };
    await write(folder, third);
    expect(treeOf(folder)).toEqual(generated(third, foreign));
  });
});

test("no file is missing while it is replaced, and the manifest is written last", async () => {
  const folder = await prepared();
  const states: Tree[] = [];
  const look = watchedDisk(["rename"], () => states.push(treeOf(folder)));
  await write(folder, next, { disk: look });
  expect(states.length).toBeGreaterThan(5);
  for (const state of states) {
    expect(state["a.ts"]).toMatch(/^(old|new) a\n$/);
    expect(state["manifest.json"]).toBe(manifestOf(old));
  }
  expect(readFileSync(join(folder, "manifest.json"), "utf8")).toBe(manifestOf(next));
});

test("restored files are identical byte for byte", async () => {
  const folder = sandbox();
  await write(folder, { "a.ts": "one\ntwo\n", "b.ts": "b\n" });
  writeFileSync(join(folder, "a.ts"), "one\r\ntwo\r\n");
  const disk = watchedDisk(["rename"], (number, _, path) => {
    if (number === 2) throw errno("EIO", path);
  });
  expect(await refusal(folder, write(folder, { "a.ts": "new\n", "b.ts": "new\n" }, { disk }))).toHaveLength(1);
  expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe("one\r\ntwo\r\n");
});

/** After the n-th rename, no call changes the disk. */
function dyingAtRename(at: number): Disk {
  let [renames, dead] = [0, false];
  return watchedDisk(calls, (_, call, path) => {
    if (call === "rename") renames++;
    dead ||= renames >= at;
    if (dead) throw errno("EROFS", path);
  });
}

function statExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
