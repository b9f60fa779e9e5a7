import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadModel } from "../../generator/pipeline/load-model.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const ids = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

test.each([
  ["--version", /^\d+\.\d+\.\d+\n$/],
  ["--help", /generate \[revisions\.\.\][^]*model \[revision\][^]*Exit codes: 0 success; 1 .* 2 .* 3 /],
  ["generate --help", /--schema[^]*--revision[^]*--out[^]*--check[^]*--dry-run[^]*--watch[^]*--only[^]*--json/],
  ["model --help", /--schema/],
])("mcpwright %s prints to stdout", async (line, printed) => {
  const { code, out, err } = await cli(...line.split(" "));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(printed);
});

test("--version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect((await cli("--version")).out).toBe(`${version}\n`);
});

describe("revisions", () => {
  test("one line each, oldest first", async () => {
    const { code, out, err } = await cli("revisions");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines.slice(0, ids.length).map((line) => line.slice(0, 10))).toEqual(ids);
    const pattern = /^(\S+) {2}\d+ types, \d+ requests, \d+ notifications {2}https:\/\/\S+\/\1\/$/;
    for (const line of lines.slice(0, ids.length)) expect(line).toMatch(pattern);
    expect(lines.slice(ids.length)).toEqual([
      expect.stringMatching(/^io\.modelcontextprotocol\/ui {2}2026-01-26, over 2025-11-25 and 2026-07-28: \d+ types/),
      expect.stringMatching(/^io\.modelcontextprotocol\/skills {2}draft, over 2025-11-25 and 2026-07-28: \d+ types, 3/),
      expect.stringMatching(/^io\.modelcontextprotocol\/tasks {2}draft, over 2026-07-28: \d+ types, 3 requests/),
    ]);
  });

  test("--json gives the figures of the models", async () => {
    const { code, out } = await cli("revisions", "--json");
    const { revisions: rows, extensions } = JSON.parse(out) as Readonly<
      Record<"revisions" | "extensions", readonly Record<string, unknown>[]>
    >;
    expect(extensions.map(({ extension, version }) => `${String(extension)} ${String(version)}`)).toEqual([
      "io.modelcontextprotocol/ui 2026-01-26",
      "io.modelcontextprotocol/skills draft",
      "io.modelcontextprotocol/tasks draft",
    ]);
    expect({ code, ids: rows.map(({ revision }) => revision) }).toEqual({ code: 0, ids });
    const { model } = await loadModel({ revision: "2025-11-25" });
    const { specification, definitions, requests, notifications } = model;
    expect(rows[3]).toEqual({
      revision: "2025-11-25",
      definitions: definitions.length,
      requests: requests.length,
      notifications: notifications.length,
      specification,
    });
  });
});

describe("model", () => {
  test.each(ids)("%s is that of loadModel", async (revision) => {
    const { code, out, err } = await cli("model", revision);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { model } = await loadModel({ revision });
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(model)));
    expect(model.revision).toBe(revision);
  });

  test("is the newest by default", async () => {
    expect((await cli("model")).out).toBe((await cli("model", "2026-07-28")).out);
  });

  test("of a file, named as stated, with findings beside complete output", async () => {
    const folder = sandbox();
    put(folder, { "schema.ts": readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8") });
    const schema = join(folder, "schema.ts");
    const { code, out, err } = await cli("model", "draft", "--schema", schema);
    expect(code).toBe(1);
    expect(err).toContain("finding[profile-inherited]: revision draft has no overlay of its own");
    const { model } = await loadModel({ revision: "draft", schema });
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(model)));
    expect(model.requests).toHaveLength(16);
  });
});
