import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readText, textPattern } from "../../../../../generator/commands/gateway/config/config-text.js";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";

test.each([
  ["", []],
  ["a", ["a"]],
  ["a${B}c", ["a", { kind: "variable", name: "B" }, "c"]],
  ["${env:A.b-c}", [{ kind: "variable", name: "A.b-c" }]],
  ["${env:ProgramFiles(x86)}", [{ kind: "variable", name: "ProgramFiles(x86)" }]],
  ["${file:a b.txt}", [{ kind: "file", path: "a b.txt" }]],
  ["${A:-}", [{ kind: "variable", name: "A", fallback: "" }]],
  ["${A:-b:-c}", [{ kind: "variable", name: "A", fallback: "b:-c" }]],
  ["${workspaceFolder}", [{ kind: "place", name: "workspaceFolder" }]],
  ["${workspaceFolder:-x}", [{ kind: "variable", name: "workspaceFolder", fallback: "x" }]],
  ["$${A}", ["${A}"]],
  ["$$${A}", ["$${A}"]],
  ["$$A $ {A} $", ["$$A $ {A} $"]],
])("%j is read", (source, parts) => {
  expect(readText(source)).toEqual({ text: { source, parts }, invalid: [] });
});

test.each([
  ["${}", "which is not a reference"],
  ["${ A }", "which is not a reference"],
  ["${1}", "which is not a reference"],
  ["${env:}", "which does not name a variable"],
  ["${env:A:-b}", "which does not name a variable"],
  ["${file:}", "which does not name a file"],
  ["${input:}", "which does not name an input"],
  ["${command:x}", "but command is not a kind of reference"],
  ["${A", "which has no closing brace of its own"],
])("%j is invalid", (source, reason) => {
  expect(readText(source).invalid).toEqual([expect.objectContaining({ reference: source, reason })]);
});

const pieces = [
  "$",
  "$$",
  "{",
  "}",
  "${",
  "${env:",
  "${file:",
  "${input:",
  ":",
  ":-",
  "=",
  "A",
  "b1",
  " ",
  "/",
  "\n",
  "userHome",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));

test("the pattern for editors accepts the same strings", () => {
  const pattern = new RegExp(textPattern, "u");
  let valid = 0;
  fc.assert(
    fc.property(text, (source) => {
      const { invalid } = readText(source);
      if (invalid.length === 0) valid++;
      expect(pattern.test(source)).toBe(invalid.length === 0);
    }),
    { numRuns: 5_000 },
  );
  expect(valid).toBeGreaterThan(500);
});

test("the parts make up the string again", () => {
  const print = (part: ReturnType<typeof readText>["text"]["parts"][number]): string => {
    if (typeof part === "string") return part;
    if (part.kind === "variable")
      return part.fallback === undefined ? `<${part.name}>` : `<${part.name}:-${part.fallback}>`;
    return part.kind === "file"
      ? `<file:${part.path}>`
      : part.kind === "input"
        ? `<input:${part.id}>`
        : `<${part.name}>`;
  };
  fc.assert(
    fc.property(text, (source) => {
      const { text, invalid } = readText(source);
      fc.pre(invalid.length === 0);
      const expected = source.replace(/\$\$\{|\$\{(?:env:)?([^{}]*)\}/g, (word, inner?: string) =>
        inner === undefined ? "${" : `<${inner}>`,
      );
      expect(text.parts.map(print).join("")).toBe(expected);
    }),
  );
});

test("an edited configuration is read or refused with a reason, never neither", () => {
  const original = `{ // a
    "mcpServers": { "a": { "command": "x", "args": ["\${A}"], "env": { "B": "c" }, }, "d": { "url": "http://h/", "type": "sse" } },
    "gateway": { "names": { "separator": "_" }, "audit": { "file": "f" } }, "inputs": [{ "id": "i" }] }`;
  const values = [
    "",
    "",
    " ",
    ",",
    "}",
    "]",
    '"',
    "/*",
    "//",
    "\\",
    "\u0000",
    "1",
    "null",
    "[]",
    "{}",
    "${",
    "__proto__",
  ];
  const edited = fc
    .tuple(fc.nat(original.length), fc.nat(4), fc.constantFrom(...values))
    .map(([at, removed, inserted]) => original.slice(0, at) + inserted + original.slice(at + removed));
  let read = 0;
  fc.assert(
    fc.property(edited, (source) => {
      const { config, problems } = readGatewayConfig(source, { path: "g.json" });
      expect(config === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      if (config) read++;
      for (const { span } of problems)
        expect(source.split("\n")[span.line - 1]?.length).toBeGreaterThanOrEqual(span.column - 1);
    }),
    { numRuns: 1_000 },
  );
  expect(read).toBeGreaterThan(50);
  expect(read).toBeLessThan(950);
});

test("deep and long configurations are read", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const read = (text: string) => readGatewayConfig(text, { path: "g" });
  expect(read(`{ "mcpServers": { "a": { "command": "x", "dev": ${deep} } } }`).config).toBeDefined();
  expect(read(`{ "mcpServers": ${deep} }`).config).toBeUndefined();
  const servers = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`s${at}`, { command: "x", bad: 1 }]));
  expect(read(JSON.stringify({ servers })).problems).toHaveLength(1_000);
});
