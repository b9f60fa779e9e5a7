import fs from "node:fs";
import net from "node:net";
import ts from "typescript";
import { afterEach, describe, expect, test, vi } from "vitest";
import { writeClient } from "../../../../generator/commands/bind/write-client.js";
import { printClient } from "../../../../generator/commands/bind/print-client.js";
import type { ServerLists } from "../../../../generator/shared/sessions/server-lists.js";
import { compileErrors, compileErrorsOfAll, load } from "./bound.js";
import { script } from "../../shared/sessions/places.js";

const run = "globalThis.pwned = 1";

/** Ways to break out of what a name or a text is printed into. */
const escapes: readonly (readonly [string, string])[] = [
  ["the end of a comment", `*/ ${run}; /*`],
  ["a template", "`${" + run + "}`"],
  ["a string", `"; ${run}; "`],
  ["a string with apostrophes", `'; ${run}; '`],
  ["a line", `\n${run};\n`],
  ["a line separator", `\u2028${run};\u2029`],
  ["a return", `\r${run};`],
  ["a backslash", `\\"; ${run}; //`],
  ["a block", `}; ${run}; {`],
  ["a tag", "@deprecated {@link x}"],
  ["a comment of a line", `// */ ${run}`],
  ["an index signature", "[k: string]"],
  ["a prototype", "__proto__"],
  ["a constructor", "constructor"],
  ["a keyword", "default"],
  ["a token of ours", "mcpwrightMember0 mcpwrightText0 mcpwrightComment0"],
  ["a quoted token of ours", '"mcpwrightText1"'],
  ["half a character", "\ud800"],
  ["characters that are not seen", "\u0000\u202e\u200b\ufeff"],
  ["nothing", ""],
];

/** What a server lists, with a word in each place that a server can choose. */
function listsWith(word: string, plain: string): ServerLists {
  const text = (name: string): string => `${name} ${word}`;
  const member = (name: string): string => `${word}${name}`;
  const schema = {
    type: "object",
    title: text("title"),
    description: text("all"),
    tsType: word,
    $id: word,
    properties: {
      [member("one")]: { type: "string", description: text("one"), title: word, tsType: word, default: word },
      [member("two")]: { enum: [word, `${word}2`], tsEnumNames: [word, word] },
      [member("three")]: { const: `${word}3` },
      [member("four")]: { $ref: "#/$defs/part", description: word },
      [member("five")]: { type: "array", items: { type: "string", pattern: word, description: word } },
      [member("six")]: { type: "object", additionalProperties: { type: "number" }, patternProperties: { [word]: {} } },
    },
    required: [member("one"), member("seven")],
    $defs: { part: { type: "object", properties: { [member("eight")]: { type: "null" } }, customName: word } },
  };
  return {
    tools: [
      {
        name: plain,
        title: text("tool"),
        description: text("about"),
        inputSchema: schema as never,
        outputSchema: schema,
        annotations: { readOnlyHint: true, title: word },
      },
    ],
    prompts: [
      {
        name: plain,
        title: text("prompt"),
        description: word,
        arguments: [{ name: member("who"), description: word, required: true }],
      },
    ],
    resources: [{ uri: `note:///${word}`, name: plain, title: word, description: word, mimeType: word }],
    resourceTemplates: [
      { uriTemplate: "note:///{id}", name: plain, title: text("template"), description: word, mimeType: word },
    ],
  };
}

/** What a module declares for others: names, and types without the names of members, texts and comments. */
function declarationsOf(client: string): readonly string[] {
  const file = ts.createSourceFile("client.ts", client, ts.ScriptTarget.ES2023, true);
  // The formatter begins a long union with a bar.
  const isShown = (node: ts.Node) => !ts.isJSDoc(node) && node.kind !== ts.SyntaxKind.BarToken;
  const childrenOf = (node: ts.Node) => node.getChildren().filter(isShown);
  const shape = (node: ts.Node): string => {
    if (ts.isBlock(node)) return "";
    if (ts.isPropertySignature(node) || ts.isPropertyAssignment(node))
      return `member(${childrenOf(node)
        .filter((child) => child !== node.name)
        .map(shape)
        .join(",")})`;
    if (ts.isStringLiteralLike(node)) return "text";
    if (ts.isIdentifier(node)) return node.text;
    const inner = childrenOf(node).map(shape).join(",");
    return `${ts.SyntaxKind[node.kind]}(${inner})`;
  };
  return file.statements
    .filter(
      (statement) =>
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
    )
    .map(shape);
}

describe.each(escapes)("%s", (_name, word) => {
  test("in texts and members gives the declarations of a harmless server", async () => {
    const harmless = await printClient(listsWith("word", "get-it"));
    const hostile = await printClient(listsWith(word, "get-it"));
    expect(hostile.findings).toEqual([]);
    expect(declarationsOf(hostile.text)).toEqual(declarationsOf(harmless.text));
  });

  test("in names gives names", async () => {
    const { text } = await printClient(listsWith("word", word));
    const names = [...text.matchAll(/^export (?:async function|function|interface|const|type|class) (\S*?)[(: ]/gm)];
    for (const [, name] of names) expect(name).toMatch(/^[A-Za-z]\w*$/);
  });

  test("does nothing when the client is loaded", async () => {
    const { text } = await printClient(listsWith(word, word));
    await load(text);
    expect(globalThis).not.toHaveProperty("pwned");
    expect(Object.prototype).not.toHaveProperty("pwned");
  });
});

test("every such client compiles", async () => {
  const clients = await Promise.all(escapes.map(([, word]) => printClient(listsWith(word, word))));
  expect(compileErrorsOfAll(clients.map(({ text }) => text))).toEqual([]);
});

test("a server that sends all of it at once gives the client that its lists give", async () => {
  const word = escapes.map(([, one]) => one).join(" ");
  const lists = listsWith(word, "get-it");
  const serve = `
    const lists = ${JSON.stringify(lists)};
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const answers = {
      initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "x", version: "1" } },
      "tools/list": { tools: lists.tools },
      "prompts/list": { prompts: lists.prompts },
      "resources/list": { resources: lists.resources },
      "resources/templates/list": { resourceTemplates: lists.resourceTemplates },
    };
    require("node:readline").createInterface(process.stdin).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = answers[method];
      const error = { code: -32601, message: "?" };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
    });`;
  const { text, tools } = await writeClient({ target: script(serve) });
  expect(tools).toBe(1);
  const { text: expected } = await printClient(JSON.parse(JSON.stringify(lists)) as ServerLists);
  expect(text.slice(text.indexOf("import type"))).toBe(expected.slice(expected.indexOf("import type")));
  expect(declarationsOf(text)).toEqual(declarationsOf((await printClient(listsWith("word", "get-it"))).text));
});

test("names that become the same are numbered in the order of the names", async () => {
  const tool = (name: string) => ({ name, inputSchema: { type: "object" as const, properties: { a: {} } } });
  const names = ["b.c", "b-c", "b_c", "delete", "2fa", "日本", "is-b-c-input", "call-tool", "client"];
  const { text } = await printClient({ tools: names.map(tool) });
  const called = [...text.matchAll(/^export async function (\w+)[^]*?callTool\(client, ("[^"]*")/gm)];
  expect(called.map(([, name, tool]) => [tool, name])).toEqual([
    ['"2fa"', "tool2Fa"],
    ['"b-c"', "bC"],
    ['"b.c"', "bC2"],
    ['"b_c"', "bC3"],
    ['"call-tool"', "callTool2"],
    ['"client"', "client"],
    ['"delete"', "delete_"],
    ['"is-b-c-input"', "isBCInput2"],
    ['"日本"', "tool"],
  ]);
  expect(compileErrors(text)).toEqual([]);
  const { text: again } = await printClient({ tools: names.reverse().map(tool) });
  expect(again).toBe(text);
});

test("a schema that cannot be used leaves its tool with unknown types, and the others as they are", async () => {
  const good = { type: "object" as const, properties: { a: { type: "string" } }, required: ["a"] };
  const bad = { type: "object" as const, properties: { a: { $ref: "http://127.0.0.1:9/" } } };
  const { text, findings } = await printClient({
    tools: [
      { name: "good", inputSchema: good },
      { name: "bad", inputSchema: bad, outputSchema: bad },
    ],
  });
  expect(findings.map(({ id, message }) => `${id}: ${message}`)).toEqual([
    "bind-schema-unused: the input schema of the tool bad cannot be used: it refers to http://127.0.0.1:9/, which is outside the schema",
    "bind-schema-unused: the output schema of the tool bad cannot be used: it refers to http://127.0.0.1:9/, which is outside the schema",
  ]);
  expect(text).toContain(
    "The input schema cannot be used: it refers to http://127.0.0.1:9/, which is outside the schema.",
  );
  const use = `await bound.good(client, { a: "x" });
const result: bound.ToolResult = await bound.bad(client, { whatever: 1 });
const input: bound.BadInput = 1;
void [result, input];`;
  expect(compileErrors(text, use)).toEqual([]);
});

test("a template that cannot be used is left out", async () => {
  const { text, findings } = await printClient({ resourceTemplates: [{ uriTemplate: "x:{", name: "x" }] });
  expect(findings).toMatchObject([{ id: "bind-template-unused" }]);
  expect(compileErrors(text)).toEqual([]);
});

test("patterns of a server are never run", async () => {
  const inputSchema = { type: "object", properties: { a: { type: "string", pattern: "(a+)+$" } } };
  const { text } = await printClient({ tools: [{ name: "x", inputSchema: inputSchema as never }] });
  expect(text).not.toContain("(a+)+");
  const { isXInput } = (await load(text)) as { isXInput: (value: unknown) => boolean };
  expect(isXInput({ a: `${"a".repeat(50)}!` })).toBe(true);
});

describe("files and sockets", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("are not touched by references in schemas", async () => {
    // What is loaded when it is first used.
    await printClient(listsWith("word", "x"));
    const touched: string[] = [];
    const spied =
      (name: string) =>
      (...args: unknown[]) => {
        touched.push(`${name} ${String(args[0])}`);
        throw new Error("touched");
      };
    for (const name of [
      "open",
      "openSync",
      "readFile",
      "createReadStream",
      "stat",
      "lstat",
      "writeFile",
      "writeFileSync",
    ] as const)
      vi.spyOn(fs, name).mockImplementation(spied(name));
    for (const name of ["readFile", "open", "stat", "writeFile"] as const)
      vi.spyOn(fs.promises, name).mockImplementation(spied(name) as never);
    vi.spyOn(net.Socket.prototype, "connect").mockImplementation(spied("connect"));
    vi.stubGlobal("fetch", spied("fetch"));
    const places = ["file:///etc/passwd", "/etc/passwd", "http://127.0.0.1:9/x.json", "x.json#/a", "../x.json"];
    for (const place of places) {
      const schema = { type: "object", $id: place, $schema: place, properties: { a: { $ref: place }, b: {} } };
      const { findings } = await printClient({ tools: [{ name: "x", inputSchema: schema as never }] });
      expect(findings).toMatchObject([{ id: "bind-schema-unused" }]);
      await printClient(listsWith(place, "x"));
    }
    vi.unstubAllGlobals();
    expect(touched).toEqual([]);
  });
});
