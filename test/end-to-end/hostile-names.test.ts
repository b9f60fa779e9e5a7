import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { compile } from "./compile.js";

/** Strings that end a comment, a string, a template or an element, or that are the name of a member of every object. */
const hostile = [
  "*/ globalThis.canary = 1; /*",
  "'; globalThis.canary = 1; '",
  '"; globalThis.canary = 1; "',
  "`; globalThis.canary = 1; `",
  "${globalThis.canary = 1}",
  "`${(globalThis.canary = 1)}`",
  '\\"; globalThis.canary = 1; //',
  "\n globalThis.canary = 1; //",
  "\u2028 globalThis.canary = 1; //\u2029",
  "\r\t\u0000\u001b[31m\u0085\ufeff",
  "\u202e\u2066 /* } \u2069",
  "</script><script>globalThis.canary = 1</script>",
  "{{preamble}}",
  "{{{types}}}",
  "// eslint-disable",
  "@deprecated",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "default",
  "class",
  "",
  " ",
  "ä ö 文 🙂",
];

const id = "2026-07-28";
const read = (path: string) => readFileSync(join(root, path), "utf8");
const quoted = (text: string) => JSON.stringify(text);
const members = (type: (text: string) => string) => hostile.map((text) => `  ${quoted(text)}${type(text)};`).join("\n");

/** A schema.ts with these strings in every possible place: methods, members, constants, enumerations, tags and keys. */
function hostileSchema(): string {
  const messages = hostile.map(
    (method, at) => `
export interface Hostile${at}Request extends JSONRPCRequest {
  method: ${quoted(method)};
  params: HostileParams;
}
export interface Hostile${at}Result extends Result {
  answer: string;
}
export interface Hostile${at}Notification extends JSONRPCNotification {
  method: ${quoted(`n${method}`)};
  params: HostileNotificationParams;
}
export interface Tagged${at} {
  "__proto__": ${quoted(method)};
  value${at}: string;
}`,
  );
  const lists = ["default", "class", "constructor", "a-b", "*/"].map(
    (items, at) => `
export interface ListHostile${at}Request extends PaginatedRequest {
  method: "hostile/list${at}";
}
export interface ListHostile${at}Result extends PaginatedResult {
  ${quoted(items)}: Tool[];
}`,
  );
  const union = (names: readonly string[]) => names.map((name) => `  | ${name}\n`).join("");
  const requests = [
    ...hostile.map((_, at) => `Hostile${at}Request`),
    ...lists.map((_, at) => `ListHostile${at}Request`),
  ];
  return (
    read(`schema/${id}/schema.ts`)
      .replace("export type ClientRequest =\n", (start) => start + union(requests))
      .replace(
        "export type ServerNotification =\n",
        (start) => start + union(hostile.map((_, at) => `Hostile${at}Notification`)),
      ) +
    `${messages.join("")}${lists.join("")}
export interface HostileParams extends RequestParams {
${members(() => "?: string")}
}
export interface HostileNotificationParams extends NotificationParams {
${members(() => "?: string")}
}
export interface HostileMembers {
${members((text) => `: ${quoted(text)}`)}
}
export interface HostileKeys {
  "hostile.example/constructor"?: string;
  "hostile.example/__proto__"?: string;
}
export type HostileValues =
${union(hostile.map(quoted))};
export type HostileTag =
${union(hostile.map((_, at) => `Tagged${at}`))};
export type HostileMap = { [key: string]: HostileTag };
export const HOSTILE_TEXT = ${quoted(hostile.join("|"))};
export const HOSTILE_CODE = -32077;
/** Does nothing when it is constructed. */
export interface constructor {
  toString: valueOf;
}
export interface valueOf {
  hasOwnProperty?: string;
}
`
  );
}

/** An overlay with these strings in every member for prose. */
function hostileOverlay(): object {
  const overlay = JSON.parse(read(`schema/${id}/overlay.json`)) as {
    methods: { client: object; server: object };
    errors: object;
    deprecated: object;
  };
  const spec = hostile.join(" ");
  const facts = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { capability: null, spec }]));
  return {
    ...overlay,
    specification: `https://example.com/${hostile.join(" ")}`,
    methods: {
      client: {
        ...overlay.methods.client,
        ...facts(hostile),
        ...facts([0, 1, 2, 3, 4].map((at) => `hostile/list${at}`)),
      },
      server: { ...overlay.methods.server, ...facts(hostile.map((text) => `n${text}`)) },
    },
    errors: { ...overlay.errors, "-32077": { meaning: spec, spec } },
    deprecated: {
      ...overlay.deprecated,
      hostile: { since: spec, instead: spec, spec, covers: ["Hostile0Request", "HostileMembers"] },
    },
  };
}

/** A schema.json in which every description is such a string, long enough to be wrapped. */
function hostileDescriptions(): string {
  const description = [...hostile, ...hostile, ...hostile].join(" x ");
  const isSchema = (value: unknown): value is { type?: unknown; anyOf?: unknown; $ref?: unknown } =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(JSON.parse(read("generated/2024-11-05/schema.json")), (_, value: unknown) => {
    const described =
      isSchema(value) &&
      (typeof value.type === "string" || Array.isArray(value.anyOf) || typeof value.$ref === "string");
    return described ? { ...value, description } : value;
  });
}

const workspace = sandbox();
const out = join(workspace, "names");
const described = join(workspace, "descriptions");

beforeAll(async () => {
  put(workspace, {
    "source/schema.ts": hostileSchema(),
    "source/overlay.json": JSON.stringify(hostileOverlay()),
    "2024-11-05/schema.json": hostileDescriptions(),
    "package.json": JSON.stringify({ private: true, type: "module" }),
  });
  const generate = async (schema: string, to: string) => {
    const { code, err } = await cli("generate", "--schema", join(workspace, schema), "--out", to);
    expect({ code, told: err.split("\n").filter((line) => line.includes("error")) }).toEqual({ code: 0, told: [] });
  };
  await generate("source/schema.ts", out);
  await generate("2024-11-05/schema.json", described);
});

test("generates code that compiles from hostile strings", { timeout: 120_000 }, async () => {
  writeFileSync(join(workspace, "source/schema.ts"), "export {};\n");
  expect(await compile(workspace)).toBe("");
});

/** The exports of the output, as a separate process imports them. */
interface Told {
  readonly canary: string;
  readonly requests: readonly string[];
  readonly plain: boolean;
  readonly notifications: readonly string[];
  readonly available: readonly string[];
  readonly constants: readonly string[];
  readonly listed: readonly string[];
  readonly text: string;
  readonly values: readonly string[];
  readonly meaning: string;
  readonly keys: readonly string[];
  readonly accepted: readonly boolean[];
  readonly refused: readonly boolean[];
}

describe("treats hostile strings as data", () => {
  let told: Told;
  beforeAll(() => {
    put(workspace, {
      "told.mts": `
import * as shared from "./names/index.js";
import * as constants from "./names/names.js";
import { serverSides } from "./names/server-sides.js";
import * as names from "./names/${id}/index.js";
import "./names/${id}/client.js";
import "./names/${id}/server.js";
import "./descriptions/index.js";
import "./descriptions/2024-11-05/index.js";
import "./descriptions/2024-11-05/client.js";

const { requests } = names.serverReceives;
const texts: readonly string[] = ${JSON.stringify(hostile)};
const all: object = JSON.parse(JSON.stringify(texts)).reduce(
  (made: object, text: string) => Object.defineProperty(made, text, { value: text, enumerable: true }), {});
const without = (text: string) => texts.filter((other) => other !== text).reduce(
  (made: object, other: string) => Object.defineProperty(made, other, { value: other, enumerable: true }), {});
process.stdout.write(JSON.stringify({
  canary: String((globalThis as { canary?: unknown }).canary),
  requests: Object.keys(requests),
  plain: Object.getPrototypeOf(requests) === Object.prototype,
  notifications: Object.keys(names.clientReceives.notifications),
  available: Object.keys(shared.availability.client.requests),
  constants: Object.values(constants),
  listed: serverSides.flatMap(({ receives }) => Object.keys(receives.requests)),
  text: names.HOSTILE_TEXT,
  values: names.HOSTILE_VALUES_VALUES,
  meaning: names.ERROR_CODES["-32077"].meaning,
  keys: Object.values(names.META_KEYS),
  accepted: [names.isHostileMembers(all), ...texts.map((text, at) => names.isHostileTag(
    Object.defineProperty({ ["value" + at]: "" }, "__proto__", { value: text, enumerable: true })))],
  refused: [names.isHostileTag({}), ...texts.map((text) => names.isHostileMembers(without(text)))],
}));
`,
    });
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const args = ["--import", tsx, join(workspace, "told.mts")];
    told = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Told;
  });

  test("importing the output does not execute them", () => {
    expect(told.canary).toBe("undefined");
  });

  test("tables contain methods that are names of object members", () => {
    expect(told.requests).toEqual(expect.arrayContaining(hostile));
    expect(told.plain).toBe(true);
    expect(told.notifications).toEqual(expect.arrayContaining(hostile.map((text) => `n${text}`)));
    expect(told.available).toEqual(expect.arrayContaining(hostile));
    expect(told.listed).toEqual(expect.arrayContaining(hostile));
  });

  test("each method and key has a constant", () => {
    const keys = ["hostile.example/constructor", "hostile.example/__proto__"];
    const all = [...hostile, ...hostile.map((text) => `n${text}`), ...keys];
    expect(told.constants).toEqual(expect.arrayContaining(all));
  });

  test("constants, enumerations, meanings and keys keep their values", () => {
    expect(told.text).toBe(hostile.join("|"));
    expect(told.values).toEqual(hostile);
    expect(told.meaning).toBe(hostile.join(" "));
    expect(told.keys).toEqual(expect.arrayContaining(["hostile.example/constructor", "hostile.example/__proto__"]));
  });

  test("predicates read members of these names, and only own members", () => {
    expect(told.accepted).not.toContain(false);
    expect(told.refused).not.toContain(true);
  });

  test("model.json and schema.json contain them unchanged", () => {
    const model = JSON.parse(readFileSync(join(out, id, "model.json"), "utf8")) as { requests: { method: string }[] };
    expect(model.requests.map(({ method }) => method)).toEqual(expect.arrayContaining(hostile));
    const schema = JSON.parse(readFileSync(join(out, id, "schema.json"), "utf8")) as { $defs: Record<string, Schema> };
    expect(Object.keys(schema.$defs["HostileMembers"]?.properties ?? {})).toEqual(expect.arrayContaining(hostile));
    expect(schema.$defs["HostileMembers"]?.required).toEqual(expect.arrayContaining(hostile));
  });
});

interface Schema {
  readonly properties: object;
  readonly required: readonly string[];
}

describe("keeps prose as prose", () => {
  const ours = [
    "default",
    "deprecated",
    "format",
    "integer",
    "maximum",
    "maxItems",
    "minimum",
    "minItems",
    "remarks",
    "see",
  ];

  test("no string becomes a JSDoc tag", () => {
    const tags = [...tagsIn(join(out, id)), ...tagsIn(join(described, "2024-11-05"))];
    expect(tags.filter(([name]) => !ours.includes(name))).toEqual([]);
    const deprecated = tags.filter(([name]) => name === "deprecated");
    expect(deprecated.length).toBeGreaterThan(0);
    expect(deprecated.filter(([, text]) => !text.includes(" Since "))).toEqual([]);
  });

  test("the code contains no invisible character", () => {
    for (const folder of [out, described])
      for (const path of sourcesIn(folder))
        expect(readFileSync(join(folder, path), "utf8"), path).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  });
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
}

/** Name and text of every JSDoc tag, as the compiler reads them. */
function tagsIn(folder: string): readonly (readonly [name: string, text: string])[] {
  return sourcesIn(folder).flatMap((path) => {
    const source = ts.createSourceFile(path, readFileSync(join(folder, path), "utf8"), ts.ScriptTarget.Latest, true);
    const found: (readonly [string, string])[] = [];
    const visit = (node: ts.Node): void => {
      for (const tag of ts.getJSDocTags(node))
        found.push([tag.tagName.text, ts.getTextOfJSDocComment(tag.comment) ?? ""]);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}
