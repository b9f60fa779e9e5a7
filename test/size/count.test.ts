import { describe, expect, test } from "vitest";
import { type Count, count } from "../../scripts/size/count.js";
import { goals, meetsGoals, report } from "../../scripts/size/report.js";

describe("counting", () => {
  test.each<[string, string, { readonly lines: number; readonly tokens: number }]>([
    ["nothing", "", { lines: 0, tokens: 0 }],
    ["one statement", "const a = 1;\n", { lines: 1, tokens: 5 }],
    ["blank lines and comments", "// one\n\n/** two */\nconst a = 1; // three\n/* four\n*/\n", { lines: 1, tokens: 5 }],
    ["a comment within", "f(/* a, b */ c);\n", { lines: 1, tokens: 5 }],
    ["a line of 101 columns", `const ${"a".repeat(46)} = ${"b".repeat(38)} + 1234;\n`, { lines: 2, tokens: 7 }],
    ["a line of 100 columns", `const ${"a".repeat(45)} = ${"b".repeat(38)} + 1234;\n`, { lines: 1, tokens: 7 }],
    ["lines that fit into one", "f(\n  a,\n  b\n);\n", { lines: 1, tokens: 7 }],
    ["a template string", "const a = `x ${b} y\n\nz`;\n", { lines: 2, tokens: 7 }],
    ["a regular expression", "const a = /[/*]/;\n", { lines: 1, tokens: 5 }],
    ["type arguments", "type A = Map<string, Map<string, 1>>;\n", { lines: 1, tokens: 15 }],
  ])("counts %s", async (_, text, expected) => {
    expect(await count({ path: "a.ts", text })).toMatchObject({ ...expected, reflowed: true });
  });

  test.each<[string, string, { readonly lines: number; readonly tokens: number; readonly reflowed: boolean }]>([
    ["values", "const a = {{value}};\n", { lines: 1, tokens: 5, reflowed: true }],
    [
      "lines with template logic",
      "{{#each rows}}\nconst {{name}} = 1;\n{{/each}}\n",
      { lines: 1, tokens: 5, reflowed: true },
    ],
    [
      "code that is not TypeScript until filled",
      "const a = {{value}}\n  {{#if b}}= 2{{/if}};\n",
      { lines: 2, tokens: 9, reflowed: false },
    ],
  ])("counts a template with %s", async (_, text, expected) => {
    expect(await count({ path: "a.ts.hbs", text })).toMatchObject(expected);
  });

  test("counts the lines before reflowing", async () => {
    expect((await count({ path: "a.ts", text: "// one\n\nconst a = 1;\n" })).written).toBe(3);
  });
});

describe("goals", () => {
  const one = { path: "x/a.ts", lines: 10, tokens: 100, written: 12, reflowed: true };

  test.each<[string, Partial<Count>, boolean]>([
    ["met", { lines: goals.lines / 50, written: 400, tokens: goals.tokens / 50 }, true],
    ["too many lines", { lines: goals.lines / 50 + 1, written: 400 }, false],
    ["too many tokens", { tokens: goals.tokens / 50 + 1 }, false],
    ["a file that is too long", { written: 401 }, false],
  ])("%s", (_, changes, met) => {
    const many = Array.from({ length: 50 }, () => ({ ...one, ...changes }));
    expect(meetsGoals(many)).toBe(met);
  });

  test("rejects a file that is too long after reflowing", () => {
    expect(meetsGoals([{ ...one, lines: 401 }])).toBe(false);
  });

  test("adds up the files of a folder", () => {
    const text = report([one, { ...one, path: "x/b.ts" }, { ...one, path: "y/c.ts" }]);
    expect(text).toMatch(/^x +2 +20 +200$/m);
    expect(text).toMatch(/^total +3 +30 +300$/m);
    expect(text).toMatch(/^x\/a\.ts +10 +12 +100$/m);
  });
});
