import { describe, expect, test } from "vitest";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { cli } from "./command-line.js";

const ts = "export interface A { n: number }\n";
const definition = (type: string): string =>
  JSON.stringify({ definitions: { A: { type: "object", properties: { n: { type } }, required: ["n"] } } });

function files(json: string): readonly [ts: string, json: string] {
  const folder = sandbox();
  put(folder, { "schema.ts": ts, "schema.json": json });
  return [`${folder}/schema.ts`, `${folder}/schema.json`];
}

describe("exit codes", () => {
  test.each([
    ["0 when both say the same", "number", 0, /^both files say the same\.\n$/],
    ["0 when everything is explained", "integer", 0, /\(number-as-integer 1\)\. Everything is explained\./],
    ["1 when something is not", "string", 1, /\(unexplained 1\)\. Not everything is explained\./],
  ])("%s", async (_name, type, code, printed) => {
    const outcome = await cli("compare-schema", ...files(definition(type)));
    expect(outcome).toMatchObject({ code, err: "" });
    expect(outcome.out).toMatch(printed);
  });

  test("1 when a file is invalid", async () => {
    const { code, out, err } = await cli("compare-schema", ...files("<html>"));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("error[json-malformed]");
  });

  test("1 when a file is missing", async () => {
    const [schema] = files("{}");
    const { code, err } = await cli("compare-schema", schema, "/nowhere/schema.json");
    expect(code).toBe(1);
    expect(err).toContain("error[input-not-found]: cannot read /nowhere/schema.json: ENOENT");
  });

  test.each([
    ["compare-schema", "An argument is missing: mcpwright compare-schema <schema> [json]"],
    ["compare-schema schema.ts", "Pass two files, schema.ts and schema.json, or a revision."],
    ["compare-schema schema.json", "Pass two files, schema.ts and schema.json, or a revision."],
    ["compare-schema schema.json schema.ts", "Pass the schema.ts first and the schema.json second."],
    ["compare-schema 2026-07-28 schema.json", "Pass the schema.ts first and the schema.json second."],
    ["compare-schema 1999-01-01", "error[revision-unknown]: unknown revision 1999-01-01; known revisions: 2024-11-05,"],
    ["compare-schema constructor", "error[revision-unknown]: unknown revision constructor"],
    [
      "compare-schema a.ts b.json c.json",
      "Too many arguments, starting at c.json: mcpwright compare-schema <schema> [json]",
    ],
    ["compare-schema a.ts b.json --format html", "--format must be one of text, json, markdown, not"],
    ["compare-schema a.ts b.json --format text --format json", "--format must not be repeated."],
  ])("2 for mcpwright %s", async (line, told) => {
    const { code, out, err } = await cli(...line.split(" "));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(told);
  });
});

test.each([
  ["text", /^A\n {2}n \[number-as-integer\]\n/],
  ["json", /^\{\n {2}"format": 1,\n/],
  ["markdown", /^# How schema\.json differs from schema\.ts\n/],
])("--format %s", async (format, printed) => {
  const { code, out, err } = await cli("compare-schema", ...files(definition("integer")), "--format", format);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(printed);
});
