import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import type { Tree } from "../generator/shared/files/tree.js";
import { differing } from "./trees.js";
import { freePort } from "../../scripts/free-port.js";

const id = "2024-11-05";
const schema = readFileSync(join(root, "schema", id, "schema.ts"), "utf8").trimEnd();
const overlay = JSON.parse(readFileSync(join(root, "schema", id, "overlay.json"), "utf8")) as Record<string, object>;
const json = JSON.stringify(JSON.parse(readFileSync(join(root, "generated", id, "schema.json"), "utf8")));
/** The first line of text that is appended to the schema. */
const end = schema.split("\n").length + 1;

/** A folder with output, which invalid input must not change. */
const good = join(sandbox(), "out");
let before: Tree;
beforeAll(async () => {
  await cli("generate", id, "--only", "types", "model", "--out", good);
  before = treeOf(good);
});

/**
 * Generates into that folder and checks that it does not change.
 * @returns the exit code, and the first line of every diagnostic, cut to the length of the expected one
 */
async function refusal(
  folder: string | undefined,
  args: readonly string[],
  expected: readonly string[],
): Promise<Refusal> {
  const { code, err } = await cli("generate", ...args, "--only", "types", "model", "--out", good);
  expect(differing(before, treeOf(good))).toEqual([]);
  const lines = err.split("\n").filter((line) => /(error|finding)\[/.test(line) || line.startsWith("internal error"));
  return {
    code,
    lines: lines.map((line, at) =>
      (folder === undefined ? line : line.replaceAll(`${folder}/`, "")).slice(0, expected[at]?.length),
    ),
  };
}

interface Refusal {
  readonly code: number | null;
  readonly lines: readonly string[];
}

describe("rejects a schema.ts with an error", () => {
  const at = (line: number, column: number): string => `schema.ts:${end + line}:${column}: error`;
  const role = (member: string): string => schema.replace("export type ServerRequest =", `$& ${member} |`);
  const table: readonly (readonly [fault: string, text: string, ...diagnostics: string[]])[] = [
    ["syntax error", `${schema}\nexport interface Broken {`, `${at(0, 26)}[syntax-error]`],
    ["unterminated string", `${schema}\nexport const A = "x;`, `${at(0, 21)}[syntax-error]`],
    [
      "conditional type",
      `${schema}\nexport type A = Tool extends object ? 1 : 2;`,
      `${at(0, 17)}[unsupported-construct]`,
    ],
    ["mapped type", `${schema}\nexport type A = { [K in "a"]: string };`, `${at(0, 17)}[unsupported-construct]`],
    [
      "generic type without arguments",
      `${schema}\nexport type A<T> = T[];\nexport type B = A;`,
      `${at(1, 17)}[type-arguments]`,
    ],
    [
      "generic type without end",
      `${schema}\nexport type A<T> = { a?: A<T[]> };\nexport type B = A<1>;`,
      `${at(0, 26)}[generic-unbounded]`,
    ],
    ["generic type of the library", `${schema}\nexport type A = Promise<Tool>;`, `${at(0, 17)}[unsupported-construct]`],
    ["member that does not exist", `${schema}\nexport type A = Tool["gone"];`, `${at(0, 17)}[member-unknown]`],
    ["member that no value has", `${schema}\nexport interface A {\n  a: never;\n}`, `${at(1, 3)}[member-never]`],
    ["tuple", `${schema}\nexport type A = [string, number];`, `${at(0, 17)}[unsupported-construct]`],
    ["enum", `${schema}\nexport enum A {\n  B = 1 + 1,\n}`, `${at(1, 7)}[unsupported-construct]`],
    ["function type", `${schema}\nexport type A = () => void;`, `${at(0, 17)}[unsupported-construct]`],
    ["method", `${schema}\nexport interface A {\n  a(): void;\n}`, `${at(1, 3)}[unsupported-construct]`],
    ["class", `${schema}\nexport class A {}`, `${at(0, 1)}[unsupported-construct]`],
    ["import without names", `import "./other.js";\n${schema}`, "schema.ts:1:1: error[import-unsupported]"],
    [
      "import without a file",
      `import type { A } from "./other.js";\n${schema}`,
      "schema.ts:1:15: error[import-unresolved]: no file is given for the import ./other.js",
    ],
    ["call", `${schema}\nexport const A = Number(1);`, `${at(0, 18)}[unsupported-construct]`],
    ["computed name", `${schema}\nexport interface A {\n  [A.b]: string;\n}`, `${at(1, 3)}[unsupported-construct]`],
    ["unresolved reference", `${schema}\nexport type A = Missing;`, `${at(0, 17)}[unresolved-reference]: Missing`],
    ["constant as type", `${schema}\nexport type A = PARSE_ERROR;`, `${at(0, 17)}[wrong-reference]: PARSE_ERROR`],
    [
      "extends in a circle",
      `${schema}\nexport interface A extends B {}\nexport interface B extends A {}`,
      `${at(0, 18)}[cyclic-extends]: A extends itself: A -> B -> A`,
    ],
    [
      "aliases in a circle",
      `${schema}\nexport type A = B | string;\nexport type B = A;`,
      `${at(0, 13)}[cyclic-alias]: A is an alias of itself: A -> B -> A`,
    ],
    ["a name declared twice", `${schema}\nexport interface Tool {}`, `${at(0, 18)}[duplicate-declaration]: Tool`],
    [
      "names that collide by case",
      `${schema}\nexport interface TOOL {}`,
      `${at(0, 18)}[name-case-collision]: TOOL and Tool`,
    ],
    [
      "a member declared twice",
      `${schema}\nexport interface A {\n  a: 1;\n  a: 1;\n}`,
      `${at(2, 3)}[duplicate-member]: member a`,
    ],
    ["a name that is a word of TypeScript", `${schema}\nexport interface string {}`, "schema.ts:"],
    [
      "members of a role with the same method",
      `${role("Again")}\nexport interface Again extends Request {\n  method: "ping";\n}`,
      `schema.ts:${lineOf("export interface PingRequest")}:18: error[role-method-repeated]: Again and PingRequest in ServerRequest have the same method ping`,
    ],
    [
      "a role that names no message",
      role("Tool"),
      `schema.ts:${lineOf("export interface Tool ")}:18: error[role-member-not-message]: Tool in ServerRequest is not a message`,
    ],
    [
      "a role with something that has no name",
      role('"ping"'),
      `schema.ts:${lineOf("export type ServerRequest")}:13: error[role-member-not-message]: a member of type literal in ServerRequest`,
    ],
    [
      "a request without a result",
      `${role("LostRequest")}\nexport interface LostRequest extends Request {\n  method: "lost";\n}`,
      `${at(0, 18)}[result-missing]: no result type found for LostRequest`,
    ],
  ];

  test.each(table)("%s", async (_, text, ...diagnostics) => {
    const folder = sandbox();
    put(folder, { "schema.ts": text, "overlay.json": JSON.stringify(overlay) });
    const args = ["--schema", join(folder, "schema.ts"), "--revision", id];
    expect(await refusal(folder, args, diagnostics)).toEqual({ code: 1, lines: diagnostics });
  });

  function lineOf(start: string): number {
    return schema.split("\n").findIndex((line) => line.startsWith(start)) + 1;
  }
});

/** `line:column` of the end of a string that occurs once in another string. */
function after(before: string, text: string): string {
  expect(text.split(before), before).toHaveLength(2);
  const lines = text.slice(0, text.indexOf(before) + before.length).split("\n");
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

describe("rejects a schema.json with an error", () => {
  const withDefinition = (name: string, definition: object): string => {
    const copied = JSON.parse(json) as { $defs: object };
    Object.defineProperty(copied.$defs, name, { value: definition, enumerable: true });
    return JSON.stringify(copied, null, 2);
  };
  const added = (definition: object): string => withDefinition("Added", definition);
  const hostile = "*/ globalThis.canary = 1; /*";
  const start = '"Added": {\n      ';
  const table: readonly (readonly [fault: string, text: string, before: string, diagnostic: string])[] = [
    ["truncated", json.slice(0, 5000), json.slice(0, 5000), "json-malformed"],
    ["malformed", '{\n  "$defs": { oops }\n}', "{ ", "json-malformed"],
    ["not JSON", schema, "", "json-malformed"],
    ["null", "null", "", "json-not-schema"],
    ["a list", "[]", "", "json-not-schema"],
    ["a schema without definitions", '{"type":"object"}', "", "json-not-schema"],
    [
      "unsupported keyword",
      added({ type: "array", contains: {} }),
      '"contains": ',
      "json-unsupported-keyword]: keyword contains",
    ],
    [
      "$ref to the network",
      added({ $ref: "https://127.0.0.1/s.json#/x" }),
      `${start}"$ref": `,
      "json-remote-reference]: $ref https:",
    ],
    [
      "$ref to a file",
      added({ $ref: "other.json#/$defs/X" }),
      `${start}"$ref": `,
      "import-unresolved]: no file is given for the import other.json",
    ],
    [
      "$ref that leads nowhere",
      added({ $ref: "#/$defs/Missing" }),
      `${start}"$ref": `,
      "unresolved-reference]: Missing",
    ],
    ["unknown type", added({ type: "strings" }), `${start}"type": `, "json-invalid-keyword]: type at #/$defs/Added"],
    [
      "required that is no list",
      added({ required: "a", type: "object" }),
      `${start}"required": `,
      "json-invalid-keyword]: required",
    ],
    [
      "a name that is none",
      withDefinition(hostile, { type: "string" }),
      `"${hostile}": `,
      `name-not-identifier]: "${hostile}"`,
    ],
    [
      "a fault under __proto__",
      withDefinition("__proto__", { $ref: "#/$defs/Missing" }),
      '"__proto__": {\n      "$ref": ',
      "unresolved-reference]: Missing",
    ],
  ];

  test.each(table)("%s", async (_, text, before, diagnostic) => {
    const folder = sandbox();
    put(folder, { "schema.json": text });
    const lines = [`schema.json:${before === "" ? "1:1" : after(before, text)}: error[${diagnostic}`];
    const args = ["--schema", join(folder, "schema.json"), "--revision", id];
    expect(await refusal(folder, args, lines)).toEqual({ code: 1, lines });
  });
});

describe("an overlay with a fault", () => {
  const changed = (part: string, entries: object): string =>
    JSON.stringify({ ...overlay, [part]: { ...overlay[part], ...entries } }, null, 2);
  const spec = "x";
  const table: readonly (readonly [fault: string, text: string, before: string, diagnostic: string])[] = [
    ["malformed", '{ "extends": oops }', '"extends": ', "overlay-malformed]"],
    ["unknown part", changed("oops", {}), '"oops": ', "overlay-malformed]: oops: expected"],
    ["unknown base", '{ "extends": "1999-01-01" }', '"extends": ', "overlay-base-unknown]: extends 1999-01-01"],
    ["itself as base", `{ "extends": "${id}" }`, '"extends": ', `overlay-base-unknown]: extends ${id}`],
    [
      "wrong value",
      changed("profile", { ping: { value: "x", spec } }),
      '"ping": {\n      "value": ',
      "overlay-malformed]: profile.ping.value",
    ],
    [
      "stale result",
      changed("results", { GoneRequest: { result: "EmptyResult", spec } }),
      '"GoneRequest": ',
      "overlay-stale]: results.GoneRequest",
    ],
    [
      "stale default",
      changed("defaults", { "Tool.gone": { value: 1, spec } }),
      '"Tool.gone": ',
      "overlay-stale]: defaults.Tool.gone",
    ],
    ["stale section", changed("sections", { gone: ["Gone*"] }), '"gone": ', "overlay-stale]: sections.gone"],
    [
      "code that is none",
      changed("errors", { "0; x": { meaning: "m", spec } }),
      '"0; x": ',
      "overlay-malformed]: errors.0; x: expected an error code",
    ],
    [
      "name that is none",
      changed("errors", { "-1": { name: "x; y", meaning: "m", spec } }),
      '"-1": {\n      "name": ',
      "overlay-malformed]: errors.-1.name: expected capitals",
    ],
  ];

  test.each(table)("%s", async (_, text, before, diagnostic) => {
    const folder = sandbox();
    put(folder, { "schema.ts": schema, "overlay.json": text });
    const lines = [`overlay.json:${after(before, text)}: error[${diagnostic}`];
    expect(await refusal(folder, ["--schema", join(folder, "schema.ts")], lines)).toEqual({ code: 1, lines });
  });
});

describe("rejects a file that is not a schema", () => {
  const noise = Uint8Array.from({ length: 4096 }, (_, at) => (at * at * 31 + at * 197) % 256);
  const link = (target: string) => (path: string) => symlinkSync(target, path);
  const file = (content: string | Uint8Array) => (path: string) => writeFileSync(path, content);
  const table: readonly (readonly [
    fault: string,
    name: string,
    make: (path: string) => unknown,
    code: number,
    line: string,
  ])[] = [
    ["missing", "schema.ts", () => undefined, 1, "error[input-not-found]: cannot read schema.ts: ENOENT"],
    ["a folder", "schema.ts", (path) => mkdirSync(path), 1, "error[input-not-found]: cannot read schema.ts: EISDIR"],
    ["a folder", "schema", (path) => mkdirSync(path), 2, "error[input-type-unknown]: schema is neither"],
    ["of another type", "schema.yaml", file(schema), 2, "error[input-type-unknown]: schema.yaml is neither"],
    ["a link to nowhere", "schema.ts", link("nowhere.ts"), 1, "error[input-not-found]: cannot read schema.ts: ENOENT"],
    ["a link to itself", "schema.ts", link("schema.ts"), 1, "error[input-not-found]: cannot read schema.ts: ELOOP"],
    ["empty", "schema.ts", file(""), 1, "error[role-missing]: the schema has none of the role unions"],
    ["empty", "schema.json", file(""), 1, "schema.json:1:1: error[json-malformed]"],
    ["binary", "schema.ts", file(noise), 1, "schema.ts:"],
    ["binary", "schema.json", file(noise), 1, "schema.json:"],
    [
      "50 MB",
      "schema.ts",
      file(new Uint8Array(50_000_000).fill(47)),
      1,
      "schema.ts:1:1: error[input-too-large]: the schema has 50000000 bytes; the limit is 8000000",
    ],
    [
      "50 MB",
      "schema.json",
      file(new Uint8Array(50_000_000).fill(32)),
      1,
      "schema.json:1:1: error[input-too-large]: the schema has 50000000 bytes",
    ],
    ["UTF-16", "schema.ts", file(Buffer.from(`\ufeff${schema}`, "utf16le")), 1, "schema.ts:1:1: error[syntax-error]"],
  ];

  test.each(table)("%s: %s", async (_, name, make, code, line) => {
    const folder = sandbox();
    make(join(folder, name));
    const { lines, ...found } = await refusal(folder, ["--schema", join(folder, name), "--revision", id], [line]);
    expect({ ...found, line: lines[0] }).toEqual({ code, line });
  });
});

test.each(["schema.ts", "schema.json"])("accepts a byte order mark in %s", async (name) => {
  const folder = sandbox();
  const texts = name === "schema.ts" ? schema : json;
  put(folder, { [name]: `\ufeff${texts}`, "overlay.json": `\ufeff${JSON.stringify(overlay)}` });
  const { code, err } = await cli("model", id, "--schema", join(folder, name));
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

describe("a URL", () => {
  const answers: Readonly<Record<string, RequestListener>> = {
    "/gone/schema.ts": (_, response) => response.writeHead(404).end("nothing here"),
    "/error/schema.json": (_, response) => response.writeHead(500).end(),
    "/loop/schema.ts": (_, response) => response.writeHead(302, { location: "/loop/schema.ts" }).end(),
    "/cut/schema.json": (_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    },
    "/endless/schema.json": (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      };
      response.on("drain", more).on("close", () => (closed = true));
      more();
    },
    "/html/schema.ts": (_, response) => response.end("<!doctype html><p>Please log in</p>"),
    [`/${id}/schema.json`]: (_, response) => response.end(json),
  };
  let server: Server;
  let origin: string;
  let closed = false;

  beforeAll(async () => {
    server = createServer((request, response) =>
      answers[new URL(request.url ?? "", origin).pathname]?.(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const table: readonly (readonly [fault: string, url: string, code: number, line: string])[] = [
    [
      "that is not found",
      "ORIGIN/gone/schema.ts",
      1,
      "error[input-not-found]: cannot read ORIGIN/gone/schema.ts: HTTP 404",
    ],
    [
      "that fails",
      "ORIGIN/error/schema.json",
      1,
      "error[input-not-found]: cannot read ORIGIN/error/schema.json: HTTP 500",
    ],
    [
      "that leads in a circle",
      "ORIGIN/loop/schema.ts",
      1,
      "error[input-not-found]: cannot read ORIGIN/loop/schema.ts: redirect count exceeded",
    ],
    [
      "that breaks off",
      "ORIGIN/cut/schema.json",
      1,
      "error[input-not-found]: cannot read ORIGIN/cut/schema.json: UND_ERR_SOCKET",
    ],
    [
      "with an endless response",
      "ORIGIN/endless/schema.json",
      1,
      "ORIGIN/endless/schema.json:1:1: error[input-too-large]",
    ],
    ["of an HTML page", "ORIGIN/html/schema.ts", 1, "ORIGIN/html/schema.ts:1:11: error[syntax-error]"],
    ["that does not end in .ts or .json", "ORIGIN/schema", 2, "error[input-type-unknown]: ORIGIN/schema is neither"],
    [
      "that refuses connections",
      "http://127.0.0.1:PORT/schema.ts",
      1,
      "error[input-not-found]: cannot read http://127.0.0.1:PORT/schema.ts: ECONNREFUSED",
    ],
    [
      "that refuses connections under two addresses",
      "http://localhost:PORT/schema.ts",
      1,
      "error[input-not-found]: cannot read http://localhost:PORT/schema.ts: ECONNREFUSED",
    ],
    [
      "with a password, which is not printed",
      "http://me:secret@127.0.0.1/schema.ts?key=secret",
      1,
      "error[input-not-found]: cannot read http://127.0.0.1/schema.ts: URLs with a user name or password are not fetched",
    ],
  ];

  test.each(table)("%s", async (_, url, code, line) => {
    const port = url.includes("PORT") ? await freePort() : 0;
    const fill = (text: string) => text.replaceAll("ORIGIN", origin).replaceAll("PORT", String(port));
    const args = ["--schema", fill(url), "--revision", id];
    const { lines, ...found } = await refusal(undefined, args, [fill(line)]);
    expect({ ...found, line: lines[0] }).toEqual({ code, line: fill(line) });
  });

  test("closes the connection of an endless response", () => {
    expect(closed).toBe(true);
  });

  test("with a valid schema is read, also with a query", async () => {
    const { code, out, err } = await cli("model", "--schema", `${origin}/${id}/schema.json?token=x`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ revision: id });
  });
});

describe("a revision id that cannot name a folder of the output", () => {
  test.each(
    [
      [
        "",
        "../x",
        "..",
        ".",
        "a/b",
        "a\\b",
        "/etc",
        "-x",
        "a b",
        "a:b",
        "a\u0000b",
        "ä",
        "x".repeat(65),
        "x".repeat(300),
      ],
      ["CON", "nul", "com1", "aux.txt", "a."],
      [
        "shared",
        "dist",
        "node_modules",
        "LICENSE",
        "index.ts",
        "contract.ts",
        "package.json",
        "manifest.json",
        "README.md",
      ],
    ].flat(),
  )("%j", async (revision) => {
    const folder = sandbox();
    put(folder, { "schema.ts": schema });
    const lines = ["error[revision-invalid]: "];
    const args = ["--schema", join(folder, "schema.ts"), `--revision=${revision}`];
    expect(await refusal(folder, args, lines)).toEqual({ code: 2, lines });
  });

  test("is stated by the schema itself", async () => {
    const folder = sandbox();
    put(folder, {
      "schema.ts": schema.replace(`LATEST_PROTOCOL_VERSION = "${id}"`, 'LATEST_PROTOCOL_VERSION = "../x"'),
    });
    const lines = ["error[revision-invalid]: ../x is not a valid revision id"];
    expect(await refusal(folder, ["--schema", join(folder, "schema.ts")], lines)).toEqual({ code: 2, lines });
  });

  test("is missing", async () => {
    const folder = sandbox();
    put(folder, { "schema.json": json });
    const lines = ["error[revision-unstated]: schema.json does not declare its revision"];
    expect(await refusal(folder, ["--schema", join(folder, "schema.json")], lines)).toEqual({ code: 2, lines });
  });

  test("differs from another one of the folder only in case", async () => {
    const out = join(sandbox(), "out");
    const generate = (revision: string) =>
      cli(
        "generate",
        "--schema",
        join(root, "schema", id, "schema.ts"),
        "--revision",
        revision,
        "--only",
        "model",
        "--out",
        out,
      );
    await generate("draft");
    const tree = treeOf(out);
    expect(await generate("Draft")).toMatchObject({
      code: 1,
      err: expect.stringContaining("error[name-case-collision]: ") as string,
    });
    expect(differing(tree, treeOf(out))).toEqual([]);
  });
});

describe("rejects an output folder", () => {
  const table: readonly (readonly [fault: string, tree: Tree, out: string, line: string])[] = [
    ["that is a file", { out: "mine" }, "out", "error[output-is-file]: OUT is a file, not a folder"],
    ["below a file", { file: "mine" }, "file/out", "error[output-not-writable]: cannot write OUT: ENOTDIR"],
    [
      "with files of others",
      { "out/mine.txt": "mine" },
      "out",
      "error[output-foreign]: OUT contains files that were not generated: mine.txt",
    ],
    [
      "with a manifest of others",
      { "out/manifest.json": "{}" },
      "out",
      "error[output-foreign]: OUT contains files that were not generated: manifest.json",
    ],
  ];

  test.each(table)("%s", async (_, tree, name, line) => {
    const folder = sandbox();
    put(folder, tree);
    const out = join(folder, name);
    for (const mode of [[], ["--check"]]) {
      const { code, err } = await cli("generate", id, "--only", "model", "--out", out, ...mode);
      const found = err.split("\n").find((text) => text.includes("error[")) ?? "";
      const wanted = line.replace("OUT", out);
      expect({ code, line: found.slice(0, wanted.length) }).toEqual({ code: 1, line: wanted });
      expect(differing(tree, treeOf(folder))).toEqual([]);
    }
  });

  test("with a file that was edited or was not generated", async () => {
    const out = join(sandbox(), "out");
    await cli("generate", id, "--only", "types", "model", "--out", out);
    put(out, { [`${id}/types.ts`]: "mine", [`${id}/validate.ts`]: "mine" });
    const tree = treeOf(out);
    const { code, err } = await cli("generate", id, "--out", out);
    expect({ code, ids: [...err.matchAll(/error\[(.*?)\]/g)].map(([, found]) => found) }).toEqual({
      code: 1,
      ids: ["output-foreign", "output-edited"],
    });
    expect(differing(tree, treeOf(out))).toEqual([]);
  });

  test.runIf(process.platform === "linux")("that not even root can write", async () => {
    const { code, err } = await cli("generate", id, "--only", "model", "--out", "/proc/mcpwright");
    expect(code).toBe(1);
    expect(err).toContain("error[output-not-writable]: cannot write /proc/mcpwright: ");
  });
});
