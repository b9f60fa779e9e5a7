/**
 * Generates from every real schema, ours and the official ones, and compiles the output in a folder without other
 * packages than typescript.
 *
 * Our own schemas are always read. The official schema.json are read when they are in `../shared/official`. Files that
 * we cannot commit are read from the path in an environment variable:
 * - `MCPWRIGHT_OFFICIAL_SCHEMAS`: a folder with `<revision>/schema.ts`, the official ones;
 * - `MCPWRIGHT_SDK_TYPES`: `dist/esm/spec.types.d.ts` of the npm package `@modelcontextprotocol/sdk`.
 */
import { existsSync, mkdirSync, copyFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { diff } from "../../generator/commands/diff/diff.js";
import { generate } from "../../generator/pipeline/generate.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { compile, resolutions } from "./compile.js";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const officialJson = resolve(root, "../shared/official/schema");
const officialTypeScript = process.env["MCPWRIGHT_OFFICIAL_SCHEMAS"];
const sdkTypes = process.env["MCPWRIGHT_SDK_TYPES"];

interface Source {
  readonly name: string;
  readonly file: string;
  /** Where the revision is stated: in the file itself, in its folder's name, or only in the option `--revision`. */
  readonly stated: "file" | "folder" | "option";
  readonly revision?: string;
}

const perRevision = (name: string, folder: string | undefined, file: string, stated: Source["stated"]): Source[] =>
  folder === undefined
    ? []
    : revisions
        .map((revision) => ({ name: `${name} ${revision}`, file: join(folder, revision, file), stated, revision }))
        .filter((source) => existsSync(source.file));

const sources: readonly Source[] = [
  ...perRevision("our schema.ts", join(root, "schema"), "schema.ts", "file"),
  ...perRevision("official schema.json", officialJson, "schema.json", "folder"),
  ...perRevision("official schema.ts", officialTypeScript, "schema.ts", "file"),
  ...(sdkTypes === undefined ? [] : [{ name: "types of the official SDK", file: sdkTypes, stated: "option" } as const]),
];

test.each([
  ["our schema.ts", 5],
  ["official schema.json", existsSync(officialJson) ? 5 : 0],
  ["official schema.ts", officialTypeScript === undefined ? 0 : 5],
  ["types of the official SDK", sdkTypes === undefined ? 0 : 1],
])("%s: %i sources are read", (name, count) => {
  expect(sources.filter((source) => source.name.startsWith(name))).toHaveLength(count);
});

const complete = ["client.ts", "constants.ts", "index.ts", "methods.ts", "model.json", "profile.ts"].concat([
  "schema.json",
  "server.ts",
  "types.ts",
  "validate.ts",
]);

/** A folder per source, in one folder, so that one run of the compiler reads all of them. */
const workspace = sandbox();
put(workspace, { "package.json": JSON.stringify({ private: true, type: "module" }) });

const folderOf = ({ name }: Source): string => name.replaceAll(" ", "-");

describe("generates", { timeout: 120_000 }, () => {
  test.each(sources.map((source) => [source.name, source] as const))("%s", async (_, source) => {
    const { file, stated, revision = "sdk" } = source;
    const elsewhere = join(sandbox(), stated === "folder" ? revision : "elsewhere");
    mkdirSync(elsewhere);
    const schema = join(elsewhere, basename(file));
    copyFileSync(file, schema);

    const out = join(workspace, folderOf(source));
    const state = stated === "option" ? ["--revision", revision] : [];
    const { code, err } = await cli("generate", "--schema", schema, ...state, "--out", out);
    const findings = [...err.matchAll(/ (?:finding|error)\[.*/g)].map(([line]) => line.trim());
    if (source.revision === undefined) {
      // The overlay of a draft is incomplete: facts that are not stated are findings, and there are no others.
      expect(findings.filter((line) => !/^finding\[[\w-]+-(unstated|unknown|inherited)\]/.test(line))).toEqual([]);
      expect(code).toBe(1);
    } else {
      expect({ code, findings }).toEqual({ code: 0, findings: [] });
    }
    expect(readdirSync(join(out, revision))).toEqual(expect.arrayContaining(complete));
    put(workspace, { [`${folderOf(source)}.ts`]: consumer(`./${folderOf(source)}/${revision}`) });
  });
});

const perFile = (kind: string): readonly (readonly [string, string])[] =>
  sources.flatMap(({ name, file, revision = "" }) => (name.startsWith(kind) ? [[revision, file] as const] : []));

test.skipIf(officialTypeScript === undefined).each(perFile("official schema.ts"))(
  "diff finds no difference between our schema.ts of %s and the official one",
  { timeout: 60_000 },
  async (revision, file) => {
    const { findings } = await diff({ before: join(root, "schema", revision, "schema.ts"), after: file });
    expect(findings.map(({ rule, at }) => `${rule} ${at}`)).toEqual([]);
  },
);

test.skipIf(!existsSync(officialJson)).each(perFile("official schema.json"))(
  "the official schema.json of %s gives the same errors and constants as our schema.ts",
  { timeout: 60_000 },
  async (revision, file) => {
    const model = async (schema: string) => {
      const { models, findings } = await generate({ schema, out: join(sandbox(), "out"), only: ["model"] });
      expect(findings).toEqual([]);
      return models[0];
    };
    const [theirs, ours] = [await model(file), await model(join(root, "schema", revision, "schema.ts"))];
    expect(theirs?.errors).toEqual(ours?.errors);
    expect(theirs?.constants).toEqual(ours?.constants);
    const isNumber = (found: typeof ours, name: string, member: string): unknown =>
      found?.definitions.flatMap((one) =>
        one.name === name && one.kind === "struct"
          ? one.members.flatMap((own) => (own.name === member ? [own.type] : []))
          : [],
      );
    expect(isNumber(theirs, "Resource", "size")).toEqual(isNumber(ours, "Resource", "size"));
  },
);

/** Uses the output, so that the compiler proves that its types exist and are not `any`. */
function consumer(folder: string): string {
  return `
import type { Connection } from "${folder}/../contract.js";
import { callTool } from "${folder}/client.js";
import { isTool, serverSide, type CallToolResult, type ServerNotification } from "${folder}/index.js";

export const call = (connection: Connection) => callTool(connection, { name: "echo", arguments: { text: "" } });
// @ts-expect-error "name" is required
export const nameless = (connection: Connection) => callTool(connection, { arguments: {} });
// @ts-expect-error "content" must be an array
export const content: CallToolResult["content"] = 5;
// @ts-expect-error the notification does not exist
export const method: ServerNotification["method"] = "notifications/nothing";
export const name = (value: unknown): string => (isTool(value) ? value.name : "");
// @ts-expect-error the id of a revision is a date
export const revision: number = serverSide.revision;
`;
}

test.concurrent.each(Object.keys(resolutions) as (keyof typeof resolutions)[])(
  "all output compiles with %s",
  { timeout: 240_000 },
  async (resolution) => {
    expect(readdirSync(workspace).filter((name) => name.endsWith(".ts"))).toHaveLength(sources.length);
    expect(await compile(workspace, resolution)).toBe("");
  },
);
