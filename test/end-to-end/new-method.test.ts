import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import type { Tree } from "../generator/shared/files/tree.js";
import { compile } from "./compile.js";

const read = (path: string) => readFileSync(join(root, "schema", path), "utf8");
const known = read("2026-07-28/schema.ts");
const knownOverlay = JSON.parse(read("2026-07-28/overlay.json")) as Overlay;

interface Overlay {
  readonly methods: { readonly client: object };
  readonly capabilities: { readonly server: object };
  readonly errors: object;
}

/** Replaces a string that must occur exactly once. */
function edit(text: string, ...edits: readonly (readonly [before: string, after: string])[]): string {
  return edits.reduce((edited, [before, after]) => {
    expect(edited.split(before), before).toHaveLength(2);
    return edited.replace(before, () => after);
  }, text);
}

const client = "export type ClientRequest =\n";
const capabilities = "export interface ServerCapabilities {\n";

const greeting = `
/** Asks for a greeting. */
export interface GreetRequest extends JSONRPCRequest {
  method: "greetings/greet";
  params: GreetRequestParams;
}

export interface GreetRequestParams extends RequestParams {
  whom: string;
}

export interface GreetResult extends Result {
  words: string;
}
`;
const withMethod = edit(known, [client, `${client}  | GreetRequest\n`]) + greeting;
const withCapability = edit(known, [capabilities, `${capabilities}  greetings?: { formal?: boolean };\n`]);
const withError = `${known}\nexport const NOBODY_THERE = -32077;\n`;
const nextYear = known.replaceAll('"2026-07-28"', '"2027-07-28"');
const everything = edit(withMethod, [capabilities, `${capabilities}  greetings?: { formal?: boolean };\n`]);

const spec = "server/greetings";
const statedMethod = { "greetings/greet": { capability: "server.greetings", spec } };
const statedCapabilities = { greetings: { spec }, "greetings.formal": { spec } };
const statedErrors = { "-32077": { meaning: "Nobody is there.", spec } };
const allStated = {
  ...knownOverlay,
  methods: { ...knownOverlay.methods, client: { ...knownOverlay.methods.client, ...statedMethod } },
  capabilities: {
    ...knownOverlay.capabilities,
    server: { ...knownOverlay.capabilities.server, ...statedCapabilities },
  },
  errors: { ...knownOverlay.errors, ...statedErrors },
};

/** The outputs are in neighbouring folders, so that one run of the compiler reads all of them. */
const workspace = sandbox();

interface Run {
  readonly code: number | null;
  /** The place, id and message of every finding. */
  readonly findings: readonly string[];
  readonly tree: Tree;
}

async function generate(name: string, schema: string, overlay?: object): Promise<Run> {
  const folder = sandbox();
  put(folder, { "schema.ts": schema, ...(overlay && { "overlay.json": JSON.stringify(overlay) }) });
  const out = join(workspace, name);
  const { code, err } = await cli("generate", "--schema", join(folder, "schema.ts"), "--out", out);
  const findings = [...err.matchAll(/^(.*)(?:finding|error)\[(.*)\]: (.*)$/gm)];
  return {
    code,
    findings: findings.map(([, place = "", id = "", text = ""]) => `${place.replace(`${folder}/`, "")}${id}: ${text}`),
    tree: treeOf(out),
  };
}

/** `file:line:column` of a name in a schema. */
function placeOf(schema: string, name: string): string {
  const before = schema.slice(0, schema.indexOf(name)).split("\n");
  return `schema.ts:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

describe("reports facts that are not stated as findings, with complete output", () => {
  const table: readonly (readonly [name: string, schema: string, findings: readonly string[]])[] = [
    ["nothing new", known, []],
    [
      "a method",
      withMethod,
      [
        `${placeOf(withMethod, "GreetRequest extends")}: capability-unstated: no overlay states which capability greetings/greet (sent by the client) needs`,
      ],
    ],
    [
      "a capability",
      withCapability,
      ["greetings", "greetings.formal"].map(
        (path) =>
          `${placeOf(withCapability, "ServerCapabilities {")}: capability-unknown: no overlay mentions the new capability ${path} of the server`,
      ),
    ],
    [
      "an error code",
      withError,
      [
        `${placeOf(withError, "NOBODY_THERE")}: error-code-unstated: no overlay states the meaning of error -32077 (NOBODY_THERE)`,
      ],
    ],
    [
      "a revision",
      nextYear,
      [
        "profile-inherited: revision 2027-07-28 has no overlay of its own; it inherits 32 profile fields from 2026-07-28",
      ],
    ],
  ];

  test.each(table)("%s", async (name, schema, findings) => {
    const run = await generate(name.replaceAll(" ", "-"), schema);
    expect(run.findings).toEqual(findings);
    expect(run.code).toBe(findings.length > 0 ? 1 : 0);
    const files = (tree: Tree) => Object.keys(tree).map((path) => path.replace(/^\d{4}-\d\d-\d\d\//, "REVISION/"));
    const conversions = /(conversions|convert|losses)\.ts$/;
    expect(files(run.tree).filter((path) => !conversions.test(path))).toEqual(
      files(treeOf(join(workspace, "nothing-new"))),
    );
    expect(files(run.tree).some((path) => conversions.test(path))).toBe(schema === nextYear);
  });
});

test("reports no finding when the overlay next to the schema states all facts", async () => {
  const schema = `${everything}\nexport const NOBODY_THERE = -32077;\n`;
  const run = await generate("stated", schema, allStated);
  expect({ code: run.code, findings: run.findings }).toEqual({ code: 0, findings: [] });
  expect(run.tree["2026-07-28/methods.ts"]).toContain(
    '"greetings/greet": { params: isGreetRequestParams, paramsOptional: false, capability: "server.greetings" }',
  );
  expect(run.tree["2026-07-28/constants.ts"]).toContain(
    '"-32077": { name: "NOBODY_THERE", meaning: "Nobody is there." }',
  );
});

test("applies the overlay next to a new revision to the profile of the older one", async () => {
  const run = await generate("changed", nextYear, {
    extends: "2026-07-28",
    profile: { ping: { value: true, spec } },
  });
  expect({ code: run.code, findings: run.findings }).toEqual({ code: 0, findings: [] });
  expect(run.tree["2027-07-28/profile.ts"]).toMatch(/^ {2}ping: true,$/m);
  expect(run.tree["2027-07-28/profile.ts"]).toMatch(/^ {2}opening: "stateless",$/m);
});

describe("a new method, without any other edit, is in", () => {
  test.each([
    ["types.ts", /^\/\*\* Asks for a greeting\. \*\/\nexport interface GreetRequest \{$/m],
    ["types.ts", /^export interface GreetRequestParams \{$/m],
    ["types.ts", /^export interface GreetResult \{$/m],
    ["types.ts", /^export type ClientRequest =\n {2}\| GreetRequest\n/m],
    ["validate.ts", /^export function isGreetRequest\(value: unknown\): value is types\.GreetRequest \{$/m],
    ["validate.ts", /^export function isGreetRequestParams\(/m],
    ["validate.ts", /^export function isGreetResult\(/m],
    [
      "methods.ts",
      /^ {4}"greetings\/greet": \{ params: isGreetRequestParams, paramsOptional: false, capability: null \},$/m,
    ],
    ["methods.ts", /^export const clientGreetResult: ResultDescriptor = \{[^}]*result: isGreetResult,/m],
    ["methods.ts", /^ {4}"greetings\/greet": clientGreetResult,$/m],
    [
      "methods.ts",
      /^ {2}\/\*\* Asks for a greeting\. \*\/\n {2}"greetings\/greet": \{ params: types\.GreetRequestParams; result: types\.GreetResult \};$/m,
    ],
    ["client.ts", /^export function greet\(\n? *connection: Connection,\s+params: GreetInput,/m],
    ["model.json", /"method": "greetings\/greet"/],
    ["schema.json", /"GreetResult": \{/],
  ])("%s: %s", (file, pattern) => {
    expect(treeOf(join(workspace, "a-method"))[`2026-07-28/${file}`]).toMatch(pattern);
  });

  test("the availability table", () => {
    expect(treeOf(join(workspace, "a-method"))["availability.ts"]).toContain('"greetings/greet": ["2026-07-28"]');
  });
});

test("all outputs compile", { timeout: 120_000 }, async () => {
  put(workspace, {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "use.ts": `
import type { Connection } from "./a-method/contract.js";
import { greet } from "./a-method/2026-07-28/client.js";
import { handleServer } from "./a-method/2026-07-28/server.js";

export const words = async (connection: Connection): Promise<string> => (await greet(connection, { whom: "you" })).words;
// @ts-expect-error "whom" is not optional
export const nobody = (connection: Connection) => greet(connection, {});
export const serve = (connection: Connection) =>
  handleServer(connection, {
    "greetings/greet": ({ whom }) => ({ resultType: "complete", words: whom.toUpperCase() }),
  });
`,
  });
  expect(await compile(workspace)).toBe("");
});
