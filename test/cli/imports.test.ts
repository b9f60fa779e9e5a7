/** `--import` of the verbs that read a schema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { schemaText } from "../schema/folder.js";
import { cli } from "./command-line.js";

const folder = sandbox();
const [base, schema, out] = ["base.ts", "schema.ts", "out"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const given = ["--import", `./base.js=${base}`];

beforeAll(() => {
  put(folder, {
    "base.ts": schemaText("2025-11-25").replace(/export type ClientRequest =[^;]*;/, ""),
    "schema.ts":
      'import type { EmptyResult, Request as Base, PingRequest } from "./base.js";\n' +
      'export interface RankRequest extends Base { method: "tools/rank"; params: { query: string } }\n' +
      "export interface RankResult { rank: number }\n" +
      "export type ClientRequest = PingRequest | RankRequest;\n",
  });
});

test("generate reads the imported file, with what the schema uses of it", async () => {
  const { err } = await cli(
    "generate",
    "--schema",
    schema,
    "--revision",
    "r1",
    ...given,
    "--only",
    "types",
    "--out",
    out,
  );
  expect(err).not.toContain("error[");
  const types = readFileSync(join(out, "r1/types.ts"), "utf8");
  expect(types).toContain("export interface RankRequestParams");
  expect(types).toContain("export interface PingRequest");
  expect(types).not.toContain("CallToolRequest");
}, 60_000);

test.each([
  ["generate", ["generate", "--schema", schema, "--revision", "r1", "--out", join(folder, "none")]],
  ["model", ["model", "--schema", schema, "r1"]],
  ["explain", ["explain", "RankRequest", "--schema", schema]],
  ["diff", ["diff", "2025-11-25", schema]],
  ["vendor", ["vendor", "r1", "--from", schema, "--to", join(folder, "schema"), "--out", join(folder, "none")]],
])("%s says which file it needs", async (_, args) => {
  const { code, err } = await cli(...args);
  expect({ code, err }).toEqual({
    code: 1,
    err: `${schema}:1:15: error[import-unresolved]: no file is given for the import ./base.js\n  Pass --import ./base.js=<path or URL>.\n`,
  });
});

test.each<[verb: string, args: string[], expected: string]>([
  ["model", ["model", "--schema", schema, "r1"], '"name": "RankRequestParams"'],
  ["explain", ["explain", "RankRequest", "--schema", schema], "interface RankRequest extends Request {"],
  ["diff", ["diff", "2025-11-25", schema], "tools/rank"],
  [
    "vendor",
    ["vendor", "r1", "--from", schema, "--to", join(folder, "schema"), "--out", join(folder, "vendored")],
    "schema.ts was pinned on first sight",
  ],
])(
  "%s reads the imported file",
  async (_, args, expected) => {
    const { out: printed, err } = await cli(...args, ...given);
    expect(err).not.toContain("error[");
    expect(printed.replaceAll(/\s+/g, " ")).toContain(expected);
  },
  60_000,
);

test("an imported file that does not exist is an error", async () => {
  const { code, err } = await cli("model", "--schema", schema, "r1", "--import", `./base.js=${base}.ts`);
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("error[input-not-found]") as string });
});
