import { describe, expect, test } from "vitest";
import {
  parseManifest,
  printManifest,
  readManifest,
  type Manifest,
} from "../../../../generator/pipeline/write/manifest.js";
import {
  assertOutputPaths,
  isOutputPath,
  ownPrefix,
  parentsOf,
} from "../../../../generator/shared/files/output-path.js";
import { generated, put, refusal, sandbox, treeOf, write } from "../../shared/files/sandbox.js";

const hash = "a".repeat(64);
const manifest: Manifest = {
  format: 1,
  generator: "0.1.0",
  contract: 1,
  inputs: { shared: hash, "2026-07-28": hash },
  revisions: ["2025-11-25", "2026-07-28"],
  files: { "index.ts": hash, "2026-07-28/types.ts": hash },
};

test("is printed with sorted keys and a final line end", () => {
  expect(printManifest(manifest)).toBe(`{
  "contract": 1,
  "files": {
    "2026-07-28/types.ts": "${hash}",
    "index.ts": "${hash}"
  },
  "format": 1,
  "generator": "0.1.0",
  "inputs": {
    "2026-07-28": "${hash}",
    "shared": "${hash}"
  },
  "revisions": [
    "2025-11-25",
    "2026-07-28"
  ]
}
`);
});

test("is read from the folder that it was printed into", async () => {
  const folder = sandbox();
  expect(await readManifest(folder)).toBeUndefined();
  put(folder, { "manifest.json": printManifest(manifest).replaceAll("\n", "\r\n") });
  expect(await readManifest(folder)).toEqual(manifest);
});

test.each<[name: string, text: string]>([
  ["nothing", ""],
  ["a truncated text", printManifest(manifest).slice(0, -20)],
  ["null", "null"],
  ["a list", "[]"],
  ["another format", JSON.stringify({ ...manifest, format: 0 })],
  ["no generator", JSON.stringify({ ...manifest, generator: undefined })],
  ["a contract as string", JSON.stringify({ ...manifest, contract: "1" })],
  ["inputs as an array", JSON.stringify({ ...manifest, inputs: [] })],
  ["an input without hash", JSON.stringify({ ...manifest, inputs: { shared: 1 } })],
  ["revisions as a string", JSON.stringify({ ...manifest, revisions: "2026-07-28" })],
  ["a revision as number", JSON.stringify({ ...manifest, revisions: [2026] })],
  ["`handedIn` as a string", JSON.stringify({ ...manifest, handedIn: "2026-07-28" })],
  ["files as an array", JSON.stringify({ ...manifest, files: ["index.ts"] })],
  ["a file without hash", JSON.stringify({ ...manifest, files: { "index.ts": null } })],
  ["a truncated hash", JSON.stringify({ ...manifest, files: { "index.ts": hash.slice(1) } })],
  ["a path outside of the folder", JSON.stringify({ ...manifest, files: { "../index.ts": hash } })],
])("%s is not a manifest", (_, text) => {
  expect(parseManifest(text, "manifest.json")).toBeUndefined();
});

describe("of a later format", () => {
  const { files: _files, ...rest } = manifest;
  const later = JSON.stringify({ ...rest, format: 2, generator: "7.0.0", entries: [] });
  const told =
    "manifest-newer: OUT/manifest.json was written by mcpwright 7.0.0 in a format that this version does not support";

  test.each<[string, (folder: string) => Promise<unknown>]>([
    ["reading", readManifest],
    ["writing", (folder) => write(folder, { "index.ts": "new" })],
  ])("rejects %s and changes nothing", async (_, run) => {
    const folder = sandbox();
    put(folder, { "index.ts": "old", "manifest.json": later });
    const before = treeOf(folder);
    expect(await refusal(folder, run(folder))).toEqual([told]);
    expect(treeOf(folder)).toEqual(before);
  });

  test("rejects one that a killed run left", async () => {
    const folder = sandbox();
    put(folder, { ...generated({ "index.ts": "old" }), [`${ownPrefix}1/manifest.json`]: later });
    expect(await refusal(folder, write(folder, { "index.ts": "new" }))).toEqual([
      told.replace("OUT/", `OUT/${ownPrefix}1/`),
    ]);
  });

  test("leaves foreign files with that name alone", async () => {
    const folder = sandbox();
    put(folder, { "manifest.json": JSON.stringify({ format: 2, generator: "a web page" }) });
    expect(await readManifest(folder)).toBeUndefined();
  });
});

test.each<[path: string, allowed: boolean]>([
  ["index.ts", true],
  ["2026-07-28/types.ts", true],
  ["a/b/.hidden", true],
  ["a..b/c", true],
  ["", false],
  ["/etc/passwd", false],
  ["../x", false],
  ["a/../x", false],
  ["a/..", false],
  ["./a", false],
  ["a//b", false],
  ["a/", false],
  ["a\\..\\..\\x", false],
  ["C:/x", false],
  ["a\u0000b", false],
  ["manifest.json", false],
  ["2026-07-28/manifest.json", true],
  [".mcpwright-lock", false],
  [".mcpwright-1/a", false],
])("whether %j is allowed as an output path: %s", (path, allowed) => {
  expect(isOutputPath(path)).toBe(allowed);
});

test.each<[paths: readonly string[], message: string]>([
  [["../a"], '"../a" cannot be an output path'],
  [["a/Types.ts", "a/types.ts"], "output paths a/Types.ts and a/types.ts differ only in case"],
  [["a", "A/b"], "output path a is both a file and the folder of A/b"],
])("throws for the paths %j", (paths, message) => {
  expect(() => assertOutputPaths(paths)).toThrow(message);
});

test("lists parents innermost first", () => {
  expect(parentsOf("a/b/c")).toEqual(["a/b", "a"]);
  expect(parentsOf("a")).toEqual([]);
});
