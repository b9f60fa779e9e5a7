import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { recordPath } from "../../../../generator/shared/project/project-record.js";
import { renderProject } from "../../../../generator/commands/new/render-project.js";
import { updateProject } from "../../../../generator/commands/update/update-project.js";
import { stdioServer } from "../new/project-options.js";
import { calls, fullDisk, diskFailingOnce, watchedDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { project, read, recordOf } from "./project.js";

const { version } = packageRoot();
const now = await renderProject(stdioServer);
const path = "src/tools/remind.ts";
const text = now.get(path) ?? "";
/** What the templates of an older version had here: another last line of the comment, and of the file. */
const older = text.replace("Returns the text after the given time", "Returns the text later");
const mine = (from: string): string => `${from}\n// mine\n`;

const nothing = { added: [], replaced: [], merged: [], removed: [], kept: [], findings: [] };

test("a project that is current stays as it is, to the byte", async () => {
  const folder = await project({}, version);
  put(folder, { [path]: mine(text), "src/own.ts": "mine\n" });
  const before = treeOf(folder);
  expect(await updateProject({ folder })).toEqual({ from: version, to: version, ...nothing, diff: "" });
  expect(treeOf(folder)).toEqual(before);
});

test("unchanged files are replaced, files that both changed are merged, and a second update does nothing", async () => {
  const changed = (now.get("src/notes.ts") ?? "").replace("The data of the server", "Its data");
  const folder = await project({ [path]: older, "src/notes.ts": changed });
  put(folder, { [path]: mine(older) });
  const result = await updateProject({ folder });
  expect(result).toMatchObject({ ...nothing, from: "0.0.1", to: version, replaced: ["src/notes.ts"], merged: [path] });
  expect(result.diff).toContain('+      description: "Returns the text after the given time"');
  expect(read(folder, path)).toBe(mine(text));
  expect(read(folder, "src/notes.ts")).toBe(now.get("src/notes.ts"));
  expect(recordOf(folder)).toEqual({ version, options: stdioServer, files: now });
  expect(await updateProject({ folder })).toMatchObject({ ...nothing, diff: "" });
});

describe("a conflict", () => {
  const ours = older.replace("Returns the text later", "Returns the text at tea time");

  test("leaves the file alone, and puts a proposal beside it", async () => {
    const folder = await project({ [path]: older });
    put(folder, { [path]: ours });
    const { findings } = await updateProject({ folder });
    expect(findings.map(({ id, message }) => [id, message])).toEqual([
      ["skeleton-merge-conflict", `${path} was changed by you and by mcpwright in the same lines`],
    ]);
    expect(read(folder, path)).toBe(ours);
    expect(read(folder, `${path}.mcpwright-new`)).toMatch(
      /<<<<<<< yours\n.*tea time.*\n=======\n.*after the given time.*\n>>>>>>> mcpwright \d/,
    );
  });

  test("is reported until the user resolves it", async () => {
    const folder = await project({ [path]: older });
    put(folder, { [path]: ours });
    await updateProject({ folder });
    const before = treeOf(folder);
    const { findings } = await updateProject({ folder });
    expect(findings.map(({ id }) => id)).toEqual(["skeleton-unresolved"]);
    expect(treeOf(folder)).toEqual(before);
    rmSync(join(folder, `${path}.mcpwright-new`));
    expect(await updateProject({ folder })).toMatchObject({ ...nothing, diff: "" });
    expect(read(folder, path)).toBe(ours);
  });

  test("a file of that name that was there before is not overwritten, and nothing is forgotten", async () => {
    const folder = await project({ [path]: older });
    put(folder, { [path]: mine(older), [`${path}.mcpwright-new`]: "mine\n" });
    expect((await updateProject({ folder })).findings.map(({ id }) => id)).toEqual(["skeleton-unresolved"]);
    expect(read(folder, `${path}.mcpwright-new`)).toBe("mine\n");
    rmSync(join(folder, `${path}.mcpwright-new`));
    expect(await updateProject({ folder })).toMatchObject({ merged: [path] });
    expect(read(folder, path)).toBe(mine(text));
  });
});

test("deleted files stay deleted in later updates", async () => {
  const folder = await project({ [path]: older });
  rmSync(join(folder, path));
  expect(await updateProject({ folder })).toMatchObject({ ...nothing, kept: [{ path, reason: "you deleted it" }] });
  expect(await updateProject({ folder })).toMatchObject(nothing);
  expect(existsSync(join(folder, path))).toBe(false);
});

test("new files are added, unless they are there", async () => {
  const folder = await project({ [path]: undefined, "src/log.ts": undefined });
  put(folder, { "src/log.ts": "mine\n" });
  const result = await updateProject({ folder });
  expect(result).toMatchObject({ ...nothing, added: [path], kept: [{ path: "src/log.ts" }] });
  expect(read(folder, path)).toBe(text);
  expect(read(folder, "src/log.ts")).toBe("mine\n");
});

test("files that the templates no longer have are removed with their folder, unless the user changed them", async () => {
  const folder = await project({ "src/old/gone.ts": "old\n", "src/old.ts": "old\n" });
  put(folder, { "src/old.ts": "old\nmine\n" });
  expect(await updateProject({ folder })).toMatchObject({ ...nothing, removed: ["src/old/gone.ts"], kept: [{ path: "src/old.ts" }] }); // prettier-ignore
  expect(existsSync(join(folder, "src/old"))).toBe(false);
  expect(read(folder, "src/old.ts")).toBe("old\nmine\n");
});

test("line ends stay what they are", async () => {
  const folder = await project({ [path]: older });
  put(folder, { [path]: mine(older).replaceAll("\n", "\r\n") });
  expect(await updateProject({ folder })).toMatchObject({ merged: [path] });
  expect(read(folder, path)).toBe(mine(text).replaceAll("\n", "\r\n"));
});

test("links are not followed", async () => {
  const [folder, elsewhere] = [await project({ [path]: older }), sandbox()];
  put(elsewhere, { "remind.ts": older });
  rmSync(join(folder, path));
  symlinkSync(join(elsewhere, "remind.ts"), join(folder, path));
  expect((await updateProject({ folder })).findings.map(({ id }) => id)).toEqual(["skeleton-obstacle"]);
  expect(read(elsewhere, "remind.ts")).toBe(older);
});

test.each(["check", "dry-run"] as const)("%s: reports the same, and changes nothing", async (mode) => {
  const folder = await project({ [path]: older });
  const before = treeOf(folder);
  const trial = await updateProject({ folder, mode });
  expect(treeOf(folder)).toEqual(before);
  expect(trial).toEqual(await updateProject({ folder }));
  expect(trial.diff).toContain(`--- a/${path}`);
});

describe("rejects other folders and leaves them unchanged", () => {
  const good = (folder: string) => JSON.parse(read(folder, recordPath)) as Record<string, unknown>;

  test.each<[string, (folder: string) => string, string]>([
    ["cut short", (folder) => read(folder, recordPath).slice(0, 500), "skeleton-record-malformed"],
    ["empty", () => "", "skeleton-record-malformed"],
    ["another format", (folder) => JSON.stringify({ ...good(folder), format: 2 }), "skeleton-record-malformed"],
    ["no version", (folder) => JSON.stringify({ ...good(folder), version: "new" }), "skeleton-record-malformed"],
    [
      "options that do not fit the start",
      (folder) => JSON.stringify({ ...good(folder), options: { ...stdioServer, legacySse: true } }),
      "skeleton-record-malformed",
    ],
    [
      "other options",
      (folder) => JSON.stringify({ ...good(folder), options: { start: "proxy", name: "x" } }),
      "skeleton-record-malformed",
    ],
    [
      "a name that is code",
      (folder) => JSON.stringify({ ...good(folder), options: { ...stdioServer, name: "x`${y}`" } }),
      "skeleton-record-malformed",
    ],
    [
      "files outside",
      (folder) => JSON.stringify({ ...good(folder), files: { "../victim": "x" } }),
      "skeleton-record-malformed",
    ],
    [
      "files that are no text",
      (folder) => JSON.stringify({ ...good(folder), files: { a: 1 } }),
      "skeleton-record-malformed",
    ],
    ["a newer version", (folder) => JSON.stringify({ ...good(folder), version: "99.0.0" }), "skeleton-newer"],
    [
      "a newer version, with a start that is not known yet",
      (folder) => JSON.stringify({ ...good(folder), version: "99.0.0", options: { start: "proxy", name: "x" } }),
      "skeleton-newer",
    ],
  ])("a record with %s", async (_name, spoil, id) => {
    const folder = await project({ [path]: older });
    put(folder, { [recordPath]: spoil(folder) });
    const before = treeOf(folder);
    const said = await refusal(folder, updateProject({ folder }));
    expect(said).toHaveLength(1);
    expect(said?.[0]).toContain(id);
    expect(treeOf(folder)).toEqual(before);
  });

  test.each(["an empty folder", "no folder", "a file"])("%s", async (what) => {
    const root = sandbox();
    put(root, { file: "" });
    const folder = join(root, what === "a file" ? "file" : what === "no folder" ? "none" : ".");
    const id = what === "a file" ? "skeleton-folder-is-file" : "skeleton-record-missing";
    expect((await refusal(root, updateProject({ folder })))?.[0]).toContain(id);
    expect(readdirSync(root)).toEqual(["file"]);
  });

  test("a disk that is full, or fails once, at any moment", async () => {
    let total = 0;
    const counting = watchedDisk(calls, (number) => (total = number));
    await updateProject({ folder: await project({ [path]: older }), disk: counting });
    for (let at = 1; at <= total; at++) {
      for (const disk of [fullDisk(at), diskFailingOnce(at)]) {
        const folder = await project({ [path]: older });
        const before = treeOf(folder);
        const said = await refusal(folder, updateProject({ folder, disk }));
        if (said) expect(treeOf(folder), `call ${at}`).toMatchObject(before);
        else expect(read(folder, path)).toBe(text);
      }
    }
  });
});
