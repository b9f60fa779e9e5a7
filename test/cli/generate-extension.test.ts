import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as bundle } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../generator/pipeline/generate.js";
import { differing } from "../end-to-end/trees.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { strictest, typecheck } from "../support/typecheck.js";
import { cli, root } from "./command-line.js";

const rank = join(root, "test/generator/pipeline/fixtures/rank");
const over = ["--over", "2026-07-28"];
const ofRank = [
  ...["client", "index", "issues", "methods", "server", "standard-schema", "types", "validate"].map(
    (name) => `extensions/rank/${name}.ts`,
  ),
  "extensions/rank/model.json",
  "extensions/rank/schema.json",
].sort();

/** The extension `rank` in a folder of its own, with changes of its overlay. */
function rankFolder(changes: object = {}, edit: (schema: string) => string = (schema) => schema): string {
  const folder = join(sandbox(), "ext");
  const overlay = JSON.parse(readFileSync(join(rank, "overlay.json"), "utf8")) as object;
  put(folder, {
    "schema.ts": edit(readFileSync(join(rank, "schema.ts"), "utf8")),
    "overlay.json": JSON.stringify({ ...overlay, ...changes }, null, 2),
  });
  return folder;
}

/** Compiles all files of a folder as strictly as TypeScript can; the published package is the folder `generated`. */
function compileErrors(folder: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  put(folder, more);
  const files = Object.keys(treeOf(folder)).filter((file) => file.endsWith(".ts"));
  return typecheck(
    files.map((file) => join(folder, file)),
    {
      ...strictest,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
      skipLibCheck: true,
      paths: { "@mcpwright/protocol/*": [`${root}/generated/dist/*/index.d.ts`, `${root}/generated/dist/*.d.ts`] },
    },
  ).errors;
}

/** The exports of an entry of the output. */
async function load(folder: string, entry: string): Promise<Readonly<Record<string, (value: unknown) => boolean>>> {
  const outfile = join(folder, "bundle.mjs");
  const nodePaths = [join(root, "node_modules")];
  await bundle({
    entryPoints: [join(folder, entry)],
    bundle: true,
    format: "esm",
    outfile,
    nodePaths,
    logLevel: "error",
  });
  return (await import(outfile)) as Readonly<Record<string, (value: unknown) => boolean>>;
}

describe("an extension of one's own in an empty folder", () => {
  const out = { folder: "" };
  beforeAll(async () => {
    out.folder = join(sandbox(), "src/generated");
    const { code, out: printed } = await cli("generate", "--extension", rank, ...over, "--out", out.folder);
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `1 extension in ${out.folder}: ${ofRank.length + 2} files were added, 0 changed, 0 removed; 0 unchanged\n`,
    });
  });

  test("is a folder of the extension, which imports the revision from the published package", () => {
    expect(Object.keys(treeOf(out.folder)).sort()).toEqual([...ofRank, "manifest.json", "package.json"]);
    const types = readFileSync(join(out.folder, "extensions/rank/types.ts"), "utf8");
    expect(types).toContain(
      'import type { ResultMetaObject, ResultType, Tool } from "@mcpwright/protocol/2026-07-28";',
    );
    expect(types).not.toContain("interface Tool ");
  });

  test("compiles under the strictest options, together with a program that uses it", () => {
    const program = `
      import type { Connection } from "@mcpwright/protocol/contract";
      import { isRankResult, rankExtension, type RankResult } from "./extensions/rank/index.js";
      import { handleClient, rank } from "./extensions/rank/client.js";
      import { notifyRankChanged, preferences } from "./extensions/rank/server.js";
      export const revisions: readonly string[] = rankExtension.revisions;
      export async function use(connection: Connection): Promise<RankResult> {
        handleClient(connection, { "rank/preferences": () => ({ resultType: "complete", favourites: [] }) });
        await notifyRankChanged(connection, { query: "x" });
        const { favourites } = await preferences(connection);
        const result = await rank(connection, { query: favourites.join(" "), top: 3 });
        if (!isRankResult(result)) throw new Error("invalid");
        return result;
      }
    `;
    expect(compileErrors(out.folder, { "use.ts": program })).toEqual([]);
    const wrong = program.replace('{ query: "x" }', "{ query: 1 }").replace("top: 3", 'top: "3"');
    expect(compileErrors(out.folder, { "use.ts": wrong })).toHaveLength(2);
  });

  test("has predicates for its own types, which call those of the revision", async () => {
    const { isRankResult, isRankRequestParams, isRankedResult } = await load(out.folder, "extensions/rank/index.ts");
    const tool = { name: "t", inputSchema: { type: "object" } };
    expect([
      isRankResult?.({ resultType: "complete", tools: [tool] }),
      isRankResult?.({ resultType: "complete", tools: [{ ...tool, name: 1 }] }),
      isRankResult?.({ tools: [] }),
      isRankRequestParams?.({ query: "q", top: 1 }),
      isRankRequestParams?.({ query: "q", top: 0 }),
      isRankedResult?.({ resultType: "ranked", place: 1 }),
      isRankedResult?.({ resultType: "complete", place: 1 }),
    ]).toEqual([true, false, false, true, false, true, false]);
  });

  test("is the same in every run, and up to date afterwards", async () => {
    const again = join(sandbox(), "elsewhere");
    await cli("generate", "--extension", rank, ...over, "--out", again);
    const { ["use.ts"]: _use, ["bundle.mjs"]: _bundle, ...tree } = treeOf(out.folder);
    expect(differing(tree, treeOf(again)).filter((file) => file !== "manifest.json")).toEqual([]);
    const { code, out: printed } = await cli("generate", "--extension", rank, ...over, "--out", again, "--check");
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `1 extension in ${again}: 0 files would be added, 0 changed, 0 removed; ${ofRank.length + 2} unchanged\n`,
    });
  });
});

test("--check notices a changed overlay, and the next run removes what is no longer generated", async () => {
  const folder = join(sandbox(), "out");
  await cli("generate", "--extension", rankFolder(), ...over, "--out", folder);
  const changed = rankFolder({ roles: { client: "asker", server: "ranker" }, results: {}, filters: {} });
  const check = await cli("generate", "--extension", changed, ...over, "--out", folder, "--check");
  expect(check.code).toBe(1);
  expect(check.err).toContain("finding[output-drift]");
  expect((await cli("generate", "--extension", changed, ...over, "--out", folder)).code).toBe(0);
  const names = Object.keys(treeOf(folder)).filter((file) =>
    /extensions\/rank\/(asker|ranker|client|server)/.test(file),
  );
  expect(names).toEqual(["extensions/rank/asker.ts", "extensions/rank/ranker.ts"]);
  expect(compileErrors(folder)).toEqual([]);
});

test("--only leaves out other files", async () => {
  const folder = join(sandbox(), "out");
  await cli("generate", "--extension", rank, ...over, "--only", "types", "--out", folder);
  expect(Object.keys(treeOf(folder)).sort()).toEqual([
    "extensions/rank/index.ts",
    "extensions/rank/types.ts",
    "manifest.json",
    "package.json",
  ]);
});

describe("beside its revision", () => {
  test("an extension imports the revision from the same folder, and its names join those of the revision", async () => {
    const folder = join(sandbox(), "out");
    await cli("generate", "2026-07-28", "--out", folder);
    const { code } = await cli("generate", "--extension", rank, ...over, "--out", folder);
    expect(code).toBe(0);
    const texts = treeOf(folder);
    expect(JSON.stringify(texts)).not.toContain("@mcpwright/protocol");
    expect(texts["extensions/rank/types.ts"]).toContain('from "../../2026-07-28/types.js"');
    expect(texts["names.ts"]).toContain('/** Method in com.example/rank. */\nexport const TOOLS_RANK = "tools/rank";');
    expect(compileErrors(folder)).toEqual([]);
    await cli("generate", "2026-07-28", "--out", folder);
    expect(differing(texts, treeOf(folder))).toEqual([]);
  });

  test("a schema in --over is generated beside the extension", async () => {
    const draft = join(sandbox(), "draft");
    const schema = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
    put(draft, {
      "schema.ts": `${schema}\nexport interface Order {\n  by: string;\n}\n`,
      "overlay.json": JSON.stringify({ extends: "2026-07-28" }),
    });
    const extension = rankFolder({}, (text) =>
      text.replace("Result, Tool", "Order, Result, Tool").replace("place: number;", "place: number;\n  order?: Order;"),
    );
    const folder = join(sandbox(), "out");
    const given = ["--over", join(draft, "schema.ts"), "--revision", "2027-draft", "--out", folder];
    const { err, out } = await cli("generate", "--extension", extension, ...given);
    expect(err).not.toContain("error[");
    expect(out).toContain(`1 revision and 1 extension in ${folder}`);
    const texts = treeOf(folder);
    expect(texts["extensions/rank/types.ts"]).toContain("import type { Order, ");
    expect(texts["extensions/rank/methods.ts"]).toContain('revisions: ["2026-07-28", "2027-draft"]');
    expect(compileErrors(folder)).toEqual([]);
  });
});

describe("writes nothing when", () => {
  test.each<[what: string, folder: () => string, more: readonly string[], error: RegExp]>([
    [
      "the schema has no id and no overlay",
      () => schemaAlone("export interface Box {}"),
      over,
      /error\[extension-overlay-missing\]: .*schema\.ts does not state the id/,
    ],
    [
      "the id in the schema is not a string",
      () => schemaAlone("export const EXTENSION_ID = 5;"),
      over,
      /schema\.ts:1:14: error\[extension-overlay-missing\]/,
    ],
    [
      "the id in the schema is not that of an extension",
      () => schemaAlone('export const EXTENSION_ID = "rank";'),
      over,
      /schema\.ts:1:14: error\[extension-id-invalid\]/,
    ],
    [
      "the id is not that of an extension",
      () => rankFolder({ id: "rank" }),
      over,
      /overlay\.json:2:9: error\[extension-id-invalid\]/,
    ],
    [
      "the name cannot name a folder",
      () => rankFolder({ name: "../up" }),
      over,
      /overlay\.json:\d+:\d+: error\[extension-name-invalid\]/,
    ],
    [
      "Windows has no folder of that name",
      () => rankFolder({ name: "aux" }),
      over,
      /overlay\.json:\d+:\d+: error\[extension-name-invalid\]/,
    ],
    ["the overlay has an unknown member", () => rankFolder({ directions: {} }), over, /error\[overlay-malformed\]/],
    [
      "the revision is not one that the overlay states",
      () => rank,
      ["--over", "2025-11-25"],
      /overlay\.json:3:11: error\[extension-base-unknown\]/,
    ],
    ["the revision is unknown", () => rankFolder({ over: ["2030-01-01"] }), [], /error\[revision-unknown\]/],
    [
      "the package does not have the extension",
      () => "com.example/other",
      over,
      /error\[extension-unknown\]: .*It has io\.modelcontextprotocol\/ui, io\.modelcontextprotocol\/skills, io\.modelcontextprotocol\/tasks\./s,
    ],
    [
      "a type has the name of an export",
      () => rankFolder({}, (text) => `${text}\nexport interface Alternatives {}`),
      over,
      /schema\.ts:\d+:18: error\[name-collision\]/,
    ],
    [
      "a type has the name of one of the revision",
      () => rankFolder({}, (text) => `${text}\nexport interface Prompt {}`),
      over,
      /schema\.ts:\d+:18: error\[extension-name-collision\]/,
    ],
    [
      "an import does not exist",
      () => rankFolder({}, (text) => text.replace("Tool }", "Toolbox }")),
      over,
      /schema\.ts:1:\d+: error\[import-name-missing\]/,
    ],
  ])("%s", async (_, extension, more, error) => {
    const folder = join(sandbox(), "out");
    const { code, err } = await cli("generate", "--extension", extension(), ...more, "--out", folder);
    expect(code).not.toBe(0);
    expect(err).toMatch(error);
    expect(existsSync(folder)).toBe(false);
  });

  test("another extension in the folder has the same method", async () => {
    const folder = join(sandbox(), "out");
    await cli("generate", "--extension", rank, ...over, "--out", folder);
    const before = treeOf(folder);
    const other = rankFolder({ id: "com.example/sort" });
    const { code, err } = await cli("generate", "--extension", other, ...over, "--out", folder);
    expect({ code, collides: err.includes("error[extension-collision]: com.example/") }).toEqual({
      code: 1,
      collides: true,
    });
    expect(differing(before, treeOf(folder))).toEqual([]);
  });

  test("files of schemas import each other in a circle", async () => {
    const folder = rankFolder(
      {},
      (text) => `import type { Score } from "./score.js";\n${text}\nexport interface Scored { score: Score }`,
    );
    writeFileSync(
      join(folder, "score.ts"),
      'import type { Scored } from "./schema.js";\nexport interface Score { of?: Scored }',
    );
    const out = join(sandbox(), "out");
    const imports = ["./score.js=score.ts", "./schema.js=schema.ts"].flatMap((given) => {
      const [specifier = "", file = ""] = given.split("=");
      return ["--import", `${specifier}=${join(folder, file)}`];
    });
    const { code, err } = await cli("generate", "--extension", folder, ...over, ...imports, "--out", out);
    expect({ code, circle: err.includes("error[import-cycle]") }).toEqual({ code: 1, circle: true });
    expect(existsSync(out)).toBe(false);
  });
});

test("an extension under another name takes the place of the old one", async () => {
  const folder = join(sandbox(), "out");
  await cli("generate", "--extension", rank, ...over, "--out", folder);
  const { code } = await cli("generate", "--extension", rankFolder({ name: "order" }), ...over, "--out", folder);
  expect(code).toBe(0);
  expect(Object.keys(treeOf(folder)).filter((file) => file.startsWith("extensions/rank/"))).toEqual([]);
});

test("an official extension is generated by its id", async () => {
  const folder = join(sandbox(), "out");
  const { code } = await cli("generate", "--extension", "io.modelcontextprotocol/tasks", "--out", folder);
  expect(code).toBe(0);
  expect(compileErrors(folder)).toEqual([]);
});

describe("without an overlay", () => {
  const stated = `
    import type { Request, Result, Tool } from "@mcpwright/protocol/2026-07-28";
    // Not io.modelcontextprotocol/tasks.
    export const EXTENSION_ID = "com.example/rank";
    export type ClientRequest = RankRequest;
    /** Ranks. */
    export interface RankRequest extends Request { method: "tools/rank"; params: { query: string } }
    export interface RankResult extends Result { tools: Tool[] }`;
  const inJson = {
    $defs: {
      EXTENSION_ID: { const: "com.example/rank" },
      ClientRequest: { $ref: "#/$defs/RankRequest" },
      RankRequest: {
        description: "Ranks.",
        type: "object",
        properties: {
          method: { const: "tools/rank" },
          params: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
        },
        required: ["method", "params"],
      },
      RankResult: {
        type: "object",
        allOf: [{ $ref: "schema.json#/$defs/Result" }],
        properties: { tools: { type: "array", items: { $ref: "schema.json#/$defs/Tool" } } },
        required: ["tools"],
      },
    },
  };

  test.each([
    ["TypeScript", "rank.ts", stated],
    ["JSON Schema", "rank.json", JSON.stringify(inJson)],
  ])("a schema in %s states the id and the direction of its messages", async (_, file, schema) => {
    const home = sandbox();
    put(home, { [file]: schema });
    const out = join(home, "out");
    const { code, err } = await cli("generate", "--extension", join(home, file), ...over, "--out", out);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const methods = readFileSync(join(out, "extensions/rank/methods.ts"), "utf8");
    expect(methods).toContain(
      '  /** Ranks. */\n  "tools/rank": { params: types.RankRequestParams; result: types.RankResult };',
    );
    expect(methods).toContain('revisions: ["2026-07-28"]');
    expect(methods.match(/EXTENSION_ID =/g)).toHaveLength(1);
    const { isRankResult } = await load(out, "extensions/rank/index.ts");
    expect([{ resultType: "complete", tools: [] }, { tools: [] }].map((value) => isRankResult?.(value))).toEqual([
      true,
      false,
    ]);
    expect(compileErrors(out)).toEqual([]);
  });

  test("explain and diff know the extension", async () => {
    const schema = schemaAlone(stated);
    const explained = await cli("explain", "tools/rank", "--schema", schema);
    expect(explained).toMatchObject({ code: 0, out: expect.stringContaining("RankRequestParams") as string });
    const compared = await cli(
      "diff",
      schema,
      schemaAlone(stated.replace("query: string", "query: string; top: number")),
    );
    expect(compared.out).toContain("RankRequestParams.top");
  });

  test("an overlay beside it can leave out the id and the revisions", async () => {
    const folder = sandbox();
    put(folder, {
      "schema.ts": stated,
      "overlay.json": JSON.stringify({
        requests: { client: { "tools/rank": { type: "RankRequest", routedBy: "query" } } },
      }),
    });
    const out = join(folder, "out");
    expect((await cli("generate", "--extension", folder, ...over, "--out", out)).code).toBe(0);
    const methods = readFileSync(join(out, "extensions/rank/methods.ts"), "utf8");
    expect(methods).toContain('routedBy: "query"');
    expect(methods).toContain('revisions: ["2026-07-28"]');
    expect((await cli("explain", "tools/rank", "--schema", folder)).code).toBe(0);
  });

  test("the newest revision is the default", async () => {
    const out = join(sandbox(), "out");
    await cli("generate", "--extension", schemaAlone(stated), "--out", out);
    expect(readFileSync(join(out, "extensions/rank/methods.ts"), "utf8")).toContain('revisions: ["2026-07-28"]');
  });
});

test("our overlay is found for a schema that names the extension", async () => {
  const folder = join(sandbox(), "official");
  cpSync(join(root, "schema/extensions/tasks/draft/schema.ts"), join(folder, "schema.ts"), { recursive: true });
  const { code, out } = await cli("generate", "--extension", join(folder, "schema.ts"), "--out", join(folder, "out"));
  expect({ code, tasks: out.startsWith("1 extension in ") }).toEqual({ code: 0, tasks: true });
});

function schemaAlone(text: string): string {
  const folder = sandbox();
  put(folder, { "schema.ts": text });
  return join(folder, "schema.ts");
}

describe("an output folder", () => {
  test.each<[what: string, files: Readonly<Record<string, string>>, out: string, error: RegExp]>([
    [
      "with files of others",
      { "out/extensions/rank/types.ts": "mine" },
      "out",
      /error\[output-foreign\]: .*: extensions/,
    ],
    ["that is a file", { out: "mine" }, "out", /error\[output-is-file\]/],
    ["that cannot be written", { file: "mine" }, "file/out", /error\[output-not-writable\]/],
  ])("%s stays unchanged", async (_, files, out, error) => {
    const folder = sandbox();
    put(folder, files);
    const { code, err } = await cli("generate", "--extension", rank, ...over, "--out", join(folder, out));
    expect(code).toBe(1);
    expect(err).toMatch(error);
    expect(treeOf(folder)).toEqual(files);
  });

  test("with files of the extension that were edited stays unchanged", async () => {
    const folder = join(sandbox(), "out");
    await cli("generate", "--extension", rank, ...over, "--out", folder);
    put(folder, { "extensions/rank/types.ts": "edited" });
    const before = treeOf(folder);
    const { code, err } = await cli("generate", "--extension", rank, ...over, "--out", folder);
    expect({ code, edited: err.includes("error[output-edited]") }).toEqual({ code: 1, edited: true });
    expect(treeOf(folder)).toEqual(before);
  });

  test("is not built again until the schema or the overlay changes", async () => {
    const out = join(sandbox(), "out");
    const built = async (extension: string): Promise<boolean> => {
      let found = false;
      await generate({
        extension,
        over: "2026-07-28",
        out,
        onPhase: (part, phase) => (found ||= part === "extensions/rank" && phase === "build"),
      });
      return found;
    };
    const edited = (schema: string): string => schema.replace("place: number", "place: string");
    expect([
      await built(rankFolder()),
      await built(rankFolder()),
      await built(rankFolder({}, edited)),
      await built(rankFolder({}, edited)),
      await built(rankFolder({ metaKeys: {} }, edited)),
    ]).toEqual([true, false, true, false, true]);
  });
});
