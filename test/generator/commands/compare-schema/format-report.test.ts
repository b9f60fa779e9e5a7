import { expect, test } from "vitest";
import { formatReport } from "../../../../generator/commands/compare-schema/format-report.js";
import type { CompareSchemaReport } from "../../../../generator/commands/compare-schema/compare-schema-report.js";
import { countExplanations } from "../../../../generator/commands/compare-schema/compare-modules.js";
import { findingsOf } from "./pair.js";

const string = { type: "string" };
const ts =
  'interface A { n: number; e: "x" | string } interface B { b?: boolean } interface C { c?: string } type U = B | C;';
const definitions = {
  A: { type: "object", properties: { n: { type: "integer" }, e: string }, required: ["n", "e"] },
  B: { type: "object", properties: { b: string } },
  C: { type: "object", properties: { c: string } },
  U: { anyOf: [{ $ref: "#/definitions/B" }, { $ref: "#/definitions/C" }] },
};

function report(schema: string, printed: object, revision?: string): CompareSchemaReport {
  const findings = findingsOf(schema, printed);
  return {
    format: 1,
    ...(revision !== undefined && { revision }),
    files: { ts: "s.ts", json: "s.json" },
    findings,
    counts: countExplanations(findings),
    explained: findings.every(({ explanation }) => explanation.kind !== "unexplained"),
  };
}

test("text: by type, then what explains it", () => {
  expect(formatReport(report(ts, definitions, "r1"), "text")).toBe(`A
  e [open-enum-as-string]
    schema.ts:   "x" | string
    schema.json: string
    The same is accepted, but code made from schema.json does not know the defined values.
  n [number-as-integer]
    schema.ts:   number
    schema.json: integer
    0.5 is refused by schema.json although legal.

B
  b [unexplained]
    schema.ts:   boolean
    schema.json: string
    Find out which of the two files is right before you rely on either.

U
  (the type) [union-ordered]
    schema.ts:   B | C
    schema.json: anyOf of 2 alternatives
    The order in which the alternatives are tried determines which one a value matches.
    {} is B and C
    {"c":""} is B and C

r1: 4 findings in 3 types (number-as-integer 1, open-enum-as-string 1, union-ordered 1, unexplained 1). Not everything is explained.
  number-as-integer: 1 in 1 type. \`number\` is printed as integer unless the member is tagged @TJS-type number.
  open-enum-as-string: 1 in 1 type. Literals beside \`string\` in a union are lost.
  union-ordered: 1 in 1 type. The alternatives of a union cannot be distinguished: the first that accepts a value is used.
  unexplained: 1 in 1 type. No lossy rule makes this of schema.ts.
`);
});

test("markdown: a table of explanations, then one per type", () => {
  expect(
    formatReport(
      report('interface A { e: "`|" | string }', { A: { type: "object", properties: { e: string }, required: ["e"] } }),
      "markdown",
    ),
  ).toBe(`# How schema.json differs from schema.ts

1 finding in 1 type (open-enum-as-string 1). Everything is explained.

| explained by | findings | types | what happens |
| --- | --- | --- | --- |
| \`open-enum-as-string\` | 1 | 1 | Literals beside \`string\` in a union are lost. |

## A

| place | schema.ts | schema.json | explained by | consequence |
| --- | --- | --- | --- | --- |
| \`e\` | \`\` "\`\\|" \\| string \`\` | \`string\` | \`open-enum-as-string\` | The same is accepted, but code made from schema.json does not know the defined values. |
`);
});

test("json: the report as it is", () => {
  const made = report(ts, definitions);
  expect(JSON.parse(formatReport(made, "json"))).toEqual(made);
});

test.each(["text", "markdown"] as const)("%s states when there are no differences", (format) => {
  expect(formatReport(report("", {}), format)).toContain("both files say the same.");
});

test("the order of declarations does not matter", () => {
  const reversed = Object.fromEntries(Object.entries(definitions).reverse());
  const turned = ts
    .split(/(?<=\}) |(?<=;) (?=type)/)
    .reverse()
    .join(" ");
  for (const format of ["text", "json", "markdown"] as const)
    expect(formatReport(report(turned, reversed), format)).toBe(formatReport(report(ts, definitions), format));
});

test("names of a schema.json can be any text and stay inert", () => {
  const hostile = report("", {
    "<b>\u001b[31m\n|": { type: "object", properties: { "\u202ex": { $ref: "#/definitions/y" } } },
  });
  const [text, markdown] = [formatReport(hostile, "text"), formatReport(hostile, "markdown")];
  expect(text.split("\n")[0]).toBe("<b>\\u001b[31m\\u000a|");
  expect(markdown).toContain("\n## &lt;b&gt;\\u001b[31m\\u000a\\|\n");
  expect(text + markdown).not.toMatch(/[^\P{C}\n]/u);
});
