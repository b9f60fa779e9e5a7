import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  access,
  binding,
  code,
  data,
  docComment,
  entryKey,
  join,
  key,
  literal,
  member,
  nothing,
  typeName,
} from "../../../../generator/shared/code/code.js";

describe("literal", () => {
  test.each<readonly [value: string | number | boolean | null, printed: string]>([
    ["plain", '"plain"'],
    ["", '""'],
    ['"', '"\\""'],
    ["'", '"\'"'],
    ["\\", '"\\\\"'],
    ["`${x}`", '"`${x}`"'],
    ["*/ // <!-- </script>", '"*/ // <!-- </script>"'],
    ["a\nb\r\tc", '"a\\nb\\r\\tc"'],
    ["\u0000\u001b\u007f\u0085\u009f", '"\\u0000\\u001b\\u007f\\u0085\\u009f"'],
    ["\u2028\u2029\ufeff", '"\\u2028\\u2029\\ufeff"'],
    ["\u202e\u2066\u200f", '"\\u202e\\u2066\\u200f"'],
    ["\ud800", '"\\ud800"'],
    ["文 🙂 é", '"文 🙂 é"'],
    ["__proto__", '"__proto__"'],
    [0, "0"],
    [-1.5, "-1.5"],
    [1e21, "1e+21"],
    [true, "true"],
    [null, "null"],
  ])("%j", (value, printed) => {
    expect(literal(value)).toBe(printed);
    expect(valueOf(printed)).toBe(value);
  });
});

describe("data", () => {
  test.each<readonly [value: unknown, printed: string]>([
    [["a", 1, null], '["a",1,null]'],
    [{ a: { "b c": [] } }, '{"a":{"b c":[]}}'],
    [["\u2028*/`${x}`"], '["\\u2028*/`${x}`"]'],
  ])("%j", (value, printed) => {
    expect(data(value)).toBe(printed);
    expect(valueOf(printed)).toEqual(value);
  });
});

/** The value of an expression that consists of literals. */
function valueOf(expression: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the test is that it is one expression
  return new Function(`"use strict"; return (${expression});`)();
}

const notNames = [
  "",
  " ",
  "a b",
  "a-b",
  "1a",
  "a.b",
  "a;b",
  "a\n",
  "a*/",
  "`",
  "${a}",
  "\\u0061",
  "ä",
  "a\u200d",
  "\u202ea",
];

describe("typeName", () => {
  test.each(["Tool", "_", "$", "$ref", "A1", "tool", "Object", "constructor", "__proto__", "async", "of", "as"])(
    "%s",
    (name) => {
      expect(typeName(name)).toBe(name);
      expect(complaints(`export interface ${name} { a: string }`)).toEqual([]);
    },
  );

  test.each([...notNames, "class", "null", "yield", "await", "let", "string", "any", "never", "unknown", "keyof"])(
    "rejects %j",
    (name) => {
      expect(() => typeName(name)).toThrow(TypeError);
    },
  );
});

describe("binding", () => {
  test.each(["callTool", "_", "$a", "string", "any", "of", "async", "constructor"])("%s", (name) => {
    expect(binding(name)).toBe(name);
    expect(complaints(`export function ${name}() {}`)).toEqual([]);
  });

  test.each([...notNames, "delete", "default", "class", "await", "arguments", "eval", "static", "null"])(
    "rejects %j",
    (name) => {
      expect(() => binding(name)).toThrow(TypeError);
    },
  );
});

/** The syntax errors of a module. */
function complaints(text: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test.each([
  ["name", "name", '"name"', "value.name", "value.name"],
  ["class", "class", '"class"', "value.class", "value.class"],
  ["$ref", "$ref", '"$ref"', "value.$ref", "value.$ref"],
  ["a-b", '"a-b"', '"a-b"', 'value["a-b"]', 'value["a-b"]'],
  ["", '""', '""', 'value[""]', 'value[""]'],
  ["1", '"1"', '"1"', 'value["1"]', 'value["1"]'],
  ['"]; x; ["', '"\\"]; x; [\\""', '"\\"]; x; [\\""', 'value["\\"]; x; [\\""]', 'value["\\"]; x; [\\""]'],
  ["\u2028", '"\\u2028"', '"\\u2028"', 'value["\\u2028"]', 'value["\\u2028"]'],
  ["constructor", "constructor", '"constructor"', 'ownMember(value, "constructor")', "value.constructor"],
  ["toString", "toString", '"toString"', 'ownMember(value, "toString")', "value.toString"],
  ["__proto__", "__proto__", '["__proto__"]', 'ownMember(value, "__proto__")', "value.__proto__"],
])("the member %j in a type, in a table, read from any object and from a type that declares it", (name, ...printed) => {
  const value = binding("value");
  expect([key(name), entryKey(name), member(value, name), access(value, name)]).toEqual(printed);
  const table = valueOf(`{ ${entryKey(name)}: 1 }`) as object;
  expect([Object.keys(table), Object.getPrototypeOf(table)]).toEqual([[name], Object.prototype]);
});

describe("docComment", () => {
  const word = "word";
  const long = Array.from({ length: 40 }, () => word).join(" ");
  const full = Array.from({ length: 22 }, () => word).join(" ");
  const table: readonly (readonly [name: string, doc: Parameters<typeof docComment>[0], printed: string])[] = [
    ["nothing", {}, ""],
    ["a line", { text: "One line." }, "/** One line. */\n"],
    ["a tag", { tags: ["internal"] }, "/** @internal */\n"],
    ["text and tag", { text: "Text.", tags: ["see x"] }, "/**\n * Text.\n * @see x\n */\n"],
    ["lines", { text: "One.\n\nTwo." }, "/**\n * One.\n *\n * Two.\n */\n"],
    ["long text", { text: long }, `/**\n * ${full}\n * ${long.slice(full.length + 1)}\n */\n`],
    ["a long word", { text: "x".repeat(300) }, `/**\n * ${"x".repeat(300)}\n */\n`],
    ["the end of a comment", { text: "a */ b **/ c" }, "/** a *\\/ b **\\/ c */\n"],
    ["the end of a comment in a tag", { tags: ["see */ x"] }, "/** @see *\\/ x */\n"],
    ["an end made of what is removed", { text: "*\u0000/ *\u2028/ *\ufeff/" }, "/** * / * / * / */\n"],
    ["a star before the end", { text: "a *" }, "/** a * */\n"],
    ["a slash at the start", { text: "/ a" }, "/** / a */\n"],
    ["a tag at the start", { text: "@deprecated" }, "/** \\@deprecated */\n"],
    ["a tag after spaces, on a second line", { text: "a\n  @deprecated" }, "/**\n * a\n * \\@deprecated\n */\n"],
    ["a tag within a line", { text: "a @deprecated b" }, "/** a \\@deprecated b */\n"],
    ["a tag after a star", { text: "* @a *@b" }, "/** * \\@a *\\@b */\n"],
    [
      "a tag that wrapping moves to the start",
      { text: `${full} @deprecated` },
      `/**\n * ${full}\n * \\@deprecated\n */\n`,
    ],
    ["a tag within a tag", { tags: ["see x\n@deprecated y @internal"] }, "/** @see x \\@deprecated y \\@internal */\n"],
    [
      "an email address, a link and code",
      { text: "me@example.com {@link Tool} `@x`" },
      "/** me@example.com {@link Tool} `@x` */\n",
    ],
    ["invisible characters", { text: "a\u0000b\tc\u0085d\u202ee\ufefff" }, "/** a b c d e f */\n"],
    ["half of a surrogate pair", { text: "a\ud800b" }, "/** a\ufffdb */\n"],
    ["a template", { text: "{{preamble}} ${x} `" }, "/** {{preamble}} ${x} ` */\n"],
  ];

  test.each(table)("%s", (_, doc, printed) => {
    expect(docComment(doc)).toBe(printed);
    if (printed === "") return;
    const source = ts.createSourceFile("doc.ts", `${printed}export interface A {}`, ts.ScriptTarget.Latest, true);
    expect(source.statements).toHaveLength(1);
    const tags = ts.getJSDocTags(source.statements[0] ?? source).map(({ tagName }) => tagName.text);
    expect(tags).toEqual((doc.tags ?? []).map((tag) => /^\w+/.exec(tag)?.[0]));
  });
});

test("fragments are composed of fragments", () => {
  expect(code`const ${binding("a")} = ${literal("`")};`).toBe('const a = "`";');
  expect(code`${nothing}`).toBe("");
  expect(join([literal(1), literal(2)], ", ")).toBe("1, 2");
});
