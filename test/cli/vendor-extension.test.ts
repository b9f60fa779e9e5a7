import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serve } from "../generator/commands/vendor/upstream.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const rank = readFileSync(join(root, "test/generator/pipeline/fixtures/rank/schema.ts"), "utf8");
const overlay = readFileSync(join(root, "test/generator/pipeline/fixtures/rank/overlay.json"), "utf8");
const id = ["--id", "com.example/rank"];
const upstream = serve((request, response) => {
  if (request.url === "/2027-01-01/schema.ts") response.end(rank);
  else if (request.url === "/page.ts") response.end("<!doctype html>\n<html></html>");
  else response.writeHead(404).end();
});

/** Runs below a folder of its own; gives what is printed with the paths taken out. */
async function vendor(folder: string, extension: string, ...more: readonly string[]) {
  const given = /^(http|[a-z.]+\/[a-z-]+$)/.test(extension) ? extension : join(folder, extension);
  const outcome = await cli(
    ...["vendor", "--extension", given, ...more],
    ...["--to", join(folder, "schema"), "--out", join(folder, "out")],
  );
  const url = await upstream;
  const shown = (text: string): string =>
    text.replaceAll(url, "URL").replaceAll(`${folder}/`, "").replace(/[0-9a-f]{64}/g, "SHA"); // prettier-ignore
  return { ...outcome, out: shown(outcome.out), err: shown(outcome.err) };
}

test("says what was pinned, where the overlay is from, and what has changed", async () => {
  const folder = sandbox();
  const at = "schema/extensions/rank/2027-01-01";
  const counts = (added: number, unchanged: number): string =>
    `1 extension in out: ${added} files were added, 0 changed, 0 removed; ${unchanged} unchanged\n`;
  const url = `${await upstream}/2027-01-01/schema.ts`;
  const first = await vendor(folder, url, ...id);
  expect(first.code).toBe(1);
  expect(first.out).toBe(
    `${at}/schema.ts was pinned on first sight in schema/extensions/pins.json: mcpwright has no pin for this file and used the content of URL/2027-01-01/schema.ts (sha256 SHA)\n` +
      `${at}/overlay.json was written from the schema; check the facts in it\n${counts(12, 0)}`,
  );
  expect(first.err).toContain(`${at}/overlay.json:3:11: finding[extension-fact-assumed]: the new overlay assumes that the extension is laid over 2026-07-28`); // prettier-ignore
  expect(JSON.parse(treeOf(folder)["schema/extensions/pins.json"] ?? "")).toMatchObject({
    "rank/2027-01-01": { source: url },
  });

  const second = await vendor(folder, url, ...id);
  expect(second).toEqual({
    code: 0,
    out: `${at}/schema.ts is the com.example/rank 2027-01-01 that schema/extensions/pins.json pins (sha256 SHA)\n${at}/overlay.json was kept\n${counts(0, 12)}`,
    err: "",
  });

  put(folder, { "newer/schema.ts": rank.replace("place: number", "place?: number") });
  const third = await vendor(folder, "newer", "2027-01-01", ...id);
  expect({ ...third, out: third.out.split("\n").slice(0, 3) }).toEqual({
    code: 0,
    out: [
      `${at}/schema.ts was updated, and pinned again in schema/extensions/pins.json, with the content of newer/schema.ts (sha256 SHA)`,
      "since the last time: changed are RankedResult",
      `${at}/overlay.json was kept`,
    ],
    err: "",
  });

  const json = await cli("vendor", "--extension", join(folder, "newer"), "2027-01-01", ...id, "--to", join(folder, "schema"), "--out", join(folder, "out"), "--json"); // prettier-ignore
  expect(JSON.parse(json.out)).toMatchObject({ overlayFrom: "folder", changes: null, unchanged: 12, findings: [] });
});

interface Fault {
  readonly extension: string | (() => Promise<string>);
  readonly more?: readonly string[];
  readonly tree?: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => void;
  /** Default: 1. */
  readonly code?: number;
  readonly error: string;
}

const faults: Readonly<Record<string, Fault>> = {
  "no such file": {
    extension: "none.ts",
    more: id,
    error: "error[input-not-found]: cannot read none.ts: ENOENT",
  },
  "an empty folder": {
    extension: "empty",
    more: id,
    prepare: (folder) => {
      mkdirSync(join(folder, "empty"));
    },
    error: "error[input-not-found]: cannot read empty/schema.ts: ENOENT",
  },
  "no such page": {
    extension: async () => `${await upstream}/none.ts`,
    more: id,
    error: "error[input-not-found]: cannot read URL/none.ts: HTTP 404",
  },
  "a web page": {
    extension: async () => `${await upstream}/page.ts`,
    more: id,
    error: "error[vendor-not-schema]: URL/page.ts looks like a web page",
  },
  "an unknown id": {
    extension: "com.example/other",
    error: "error[extension-unknown]: mcpwright does not have the extension com.example/other",
  },
  "a file of another kind": {
    extension: "from.txt",
    tree: { "from.txt": "" },
    code: 2,
    error: "error[input-type-unknown]: from.txt is neither TypeScript (.ts) nor JSON (.json)",
  },
  "an id that is not one": {
    extension: "from.ts",
    more: ["--id", "rank"],
    tree: { "from.ts": rank },
    error: 'error[extension-id-invalid]: "rank" is not the id of an extension',
  },
  "a schema without an id": {
    extension: "from.ts",
    tree: { "from.ts": rank },
    error: "error[extension-id-unstated]: from.ts does not state an id",
  },
  "a schema with several ids": {
    extension: "from.ts",
    tree: { "from.ts": `// com.example/a or com.example/b\n${rank}` },
    error: "error[extension-id-unstated]: from.ts states 2 ids: com.example/a, com.example/b",
  },
  "another id than the overlay has": {
    extension: "from",
    more: ["--id", "com.example/sort"],
    tree: { "from/schema.ts": rank, "from/overlay.json": overlay },
    error: "error[extension-id-other]: from/schema.ts is the schema of com.example/rank, not of com.example/sort",
  },
  "a version that cannot name a folder": {
    extension: "from.ts",
    more: ["..", ...id],
    tree: { "from.ts": rank },
    code: 2,
    error: "error[revision-invalid]: .. is not a valid revision id",
  },
  "a syntax error": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": "export interface Broken {" },
    error: "from.ts:1:26: error[syntax-error]",
  },
  "a broken schema.json": {
    extension: "from.json",
    more: id,
    tree: { "from.json": '{ "$defs": ' },
    error: "from.json:1:12: error[",
  },
  "an import that the revision lacks": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": rank.replace("Tool }", "Toolbox }") },
    error: "from.ts:1:32: error[import-name-missing]",
  },
  "an import of the user that does not exist": {
    extension: "from.ts",
    more: [...id, "--import", "./a.js=none.ts"],
    tree: { "from.ts": rank },
    error: "error[input-not-found]: cannot read none.ts: ENOENT",
  },
  "a type that the revision has": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": `${rank}export interface Prompt {}\n` },
    error: "from.ts:46:18: error[extension-name-collision]: Prompt is also a type of revision 2026-07-28",
  },
  "an unknown revision": {
    extension: "from.ts",
    more: [...id, "--over", "1999-01-01"],
    tree: { "from.ts": rank },
    code: 2,
    error: "error[revision-unknown]: unknown revision 1999-01-01",
  },
  "a revision that the overlay does not state": {
    extension: "from",
    more: ["--over", "2025-11-25"],
    tree: { "from/schema.ts": rank, "from/overlay.json": overlay },
    error: "from/overlay.json:3:11: error[extension-base-unknown]",
  },
  "a broken overlay beside the schema": {
    extension: "from",
    tree: { "from/schema.ts": rank, "from/overlay.json": "{" },
    error: "from/overlay.json:1:2: error[overlay-malformed]",
  },
  "a broken overlay in the folder": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": rank, "schema/extensions/rank/draft/overlay.json": '{ "id": 1 }' },
    error: "schema/extensions/rank/draft/overlay.json:1:9: error[overlay-malformed]",
  },
  "the overlay of another extension in the folder": {
    extension: "from.ts",
    more: ["--id", "org.example/rank"],
    tree: { "from.ts": rank, "schema/extensions/rank/draft/overlay.json": overlay },
    error:
      "error[extension-collision]: com.example/rank and org.example/rank both have the folder extensions/rank/draft",
  },
  "a schema that was not vendored": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": rank, "schema/extensions/rank/draft/schema.ts": "mine" },
    error: "error[vendor-foreign]: schema/extensions/rank/draft/schema.ts differs from the vendored file",
  },
  "a link at its place": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": rank },
    prepare: (folder) => {
      mkdirSync(join(folder, "schema"));
      symlinkSync("../elsewhere", join(folder, "schema/extensions"));
    },
    error: "error[vendor-foreign]: schema/extensions differs from the vendored file",
  },
  "other pins": {
    extension: "from.ts",
    more: id,
    tree: { "from.ts": rank, "schema/extensions/pins.json": '{"rank/draft": {"definitions": {}}}' },
    error:
      "error[pins-malformed]: schema/extensions/pins.json is not a valid pins file: the entry rank/draft is not a pin",
  },
};

describe("is refused with one message, and nothing is touched:", () => {
  test.each(Object.entries(faults))("%s", async (_, fault) => {
    const folder = sandbox();
    put(folder, fault.tree ?? {});
    fault.prepare?.(folder);
    const before = treeOf(folder);
    const extension = typeof fault.extension === "string" ? fault.extension : await fault.extension();
    const { code, out, err } = await vendor(folder, extension, ...(fault.more ?? []));
    expect({ err: err.slice(0, fault.error.length), code, out }).toEqual({
      err: fault.error,
      code: fault.code ?? 1,
      out: "",
    });
    const [, ...hints] = err.trimEnd().split("\n");
    expect(hints).toEqual([expect.stringMatching(/^ {2}\S.*\.$/)]);
    expect(treeOf(folder)).toEqual(before);
  });
});
