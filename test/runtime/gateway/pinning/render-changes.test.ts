import { describe, expect, test } from "vitest";
import type { Tool } from "../../../../runtime/src/authoring.js";
import { compareWithLock, type SurfaceChange } from "../../../../runtime/src/gateway/pinning/compare-with-lock.js";
import { lockOf } from "../../../../runtime/src/gateway/pinning/gateway-lock.js";
import { renderChanges } from "../../../../runtime/src/gateway/pinning/render-changes.js";

const tool = (members: object = {}): Tool => ({ name: "send", inputSchema: { type: "object" }, ...members });
/** The lines that describe the change of a description. */
const diff = (before: unknown, after: unknown): string[] => {
  const change: SurfaceChange = {
    change: "changed",
    server: "mail",
    kind: "tool",
    name: "send",
    differences: [{ path: "/description", before, after }],
  };
  return renderChanges([change])
    .split("\n")
    .slice(3)
    .map((line) => line.slice(6));
};

test("changes are shown by server", async () => {
  const lock = await lockOf(
    new Map([
      ["mail", { instructions: "Ask.\nThen send.", tools: [tool({ description: "Sends." }), tool({ name: "list" })] }],
    ]),
  );
  const surface = {
    instructions: "Ask.\nOr not.\nThen send.",
    tools: [tool({ description: "Sends. Adds bcc.", annotations: { readOnlyHint: true } }), tool({ name: "new" })],
  };
  const changes = [...compareWithLock(lock, "mail", surface), ...compareWithLock(lock, "other", {})];
  expect(renderChanges(changes).split("\n")).toEqual([
    'server "mail"',
    "  changed: instructions",
    "      - Ask.",
    "      - Then send.",
    "      + Ask.",
    "      + Or not.",
    "      + Then send.",
    '  changed: tool "send"',
    "    /annotations",
    "      + {",
    '      +   "readOnlyHint": true',
    "      + }",
    "    /description",
    "      - Sends.",
    "      + Sends. Adds bcc.",
    '  added: tool "new"',
    "    + {",
    '    +   "name": "new",',
    '    +   "inputSchema": {',
    '    +     "type": "object"',
    "    +   }",
    "    + }",
    '  removed: tool "list"',
    'server "other"',
    "  it is not in the lock",
  ]);
});

test("without changes the text is empty", () => {
  expect(renderChanges([])).toBe("");
});

describe("a diff hides nothing", () => {
  test.each([
    ["a hidden character", "Sends.", "Sends.\u200b", ["- Sends.", "+ Sends.\\u{200b}"]],
    ["an escape sequence", "a", "\u001b[2Ja", ["- a", "+ \\u{1b}[2Ja"]],
    ["a text that looks like an escape", "a\u200b", "a\\u{200b}", ["- a\\u{200b}", "+ a\\\\u{200b}"]],
    ["a carriage return", "a", "a\rb", ["- a", "+ a\\u{d}b"]],
    ["a blank at the end", "a", "a ", ["- a", "+ a\\u{20}"]],
    ["a line break at the end", "a", "a\n", ["- a", "+ a", "+ "]],
    ["many blanks", "a", `a${" ".repeat(500)}b`, ["- a", "+ a\\u{20}{500}b"]],
    ["a look-alike", "paypal", "p\u0430ypal", ["- paypal", "+ p\\u{430}ypal"]],
    ["a look-alike beside another change", "to paypal", "from p\u0430ypal", ["- to paypal", "+ from p\\u{430}ypal"]],
    [
      "a word of look-alikes",
      "use copy",
      "and use \u0441\u043e\u0440\u0443",
      ["- use copy", "+ and use \\u{441}\\u{43e}\\u{440}\\u{443}"],
    ],
    ["another normal form", "caf\u00e9", "cafe\u0301", ["- caf\\u{e9}", "+ cafe\\u{301}"]],
    ["another type", 1, "1", ["- 1 (number)", "+ 1 (string)"]],
    ["null", null, "null", ["- null (null)", "+ null (string)"]],
    ["an emoji that shares half of its code", "😀", "😁", ["- 😀", "+ 😁"]],
  ])("such as %s", (_, before, after, lines) => {
    expect(diff(before, after)).toEqual(lines);
  });

  test("and keeps texts of other alphabets readable", () => {
    expect(diff("Отправить", "Отправить рука")).toEqual(["- Отправить", "+ Отправить рука"]);
  });

  test("in paths and names", async () => {
    const lock = await lockOf(new Map([["a\u202e", { tools: [tool({ name: "b\u001b" })] }]]));
    const surface = { tools: [tool({ name: "b\u001b", "c\nd": 1 })] };
    expect(renderChanges(compareWithLock(lock, "a\u202e", surface)).split("\n")).toEqual([
      'server "a\\u{202e}"',
      '  changed: tool "b\\u{1b}"',
      "    /c\\u{a}d",
      "      + 1",
    ]);
  });

  test("at the end of a long text", () => {
    const long = "x".repeat(10_000_000);
    expect(diff(`${long}a${long}`, `${long}evil${long}`)).toEqual([
      `- …${"x".repeat(60)}a${"x".repeat(60)}…`,
      `+ …${"x".repeat(60)}evil${"x".repeat(60)}…`,
    ]);
  });

  test("at the end of a long list", () => {
    const values = Array.from({ length: 5_000 }, (_, at) => `value ${at}`);
    const lines = diff(values, [...values, "evil"]);
    expect(lines.filter((line) => line.startsWith("-")).join("\n")).not.toContain("evil");
    expect(lines.filter((line) => line.startsWith("+")).join("\n")).toContain('"evil"');
  });

  test("without a note, where it is too long to show", () => {
    expect(diff("a", `b${"x".repeat(5_000)}`)).toEqual([
      "- a",
      `+ b${"x".repeat(1_999)}`,
      "+ … (3001 more characters)",
    ]);
    const values = Array.from({ length: 200_000 }, (_, at) => `value ${at}`);
    expect(diff(values, [...values, "evil"])).toEqual(["it differs after 1000000 characters"]);
  });
});

test("a hundred thousand changes are counted", () => {
  const changes = Array.from({ length: 100_000 }, (_, at): SurfaceChange => {
    return { change: "added", server: "mail", kind: "tool", name: `t${at}`, after: {} };
  });
  const lines = renderChanges(changes).split("\n");
  expect(lines).toHaveLength(1 + 2 * 50 + 1);
  expect(lines.at(-1)).toBe("and 99950 more changes");
  expect(renderChanges(changes, { maxChanges: 1 }).split("\n")).toHaveLength(4);
});

test("values that are deep or large are shown in part", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  const added = (after: unknown): SurfaceChange => ({ change: "added", server: "m", kind: "tool", name: "t", after });
  expect(renderChanges([added(deep)])).toContain('"a": {…}');
  const large = renderChanges([added({ list: new Array<string>(1_000_000).fill("x") })]);
  expect(large.length).toBeLessThan(10_000);
  expect(large).toMatch(/\(\d+ more characters\)$/);
});

test("differences are counted", () => {
  const differences = Array.from({ length: 60 }, (_, at) => ({ path: `/${at}`, after: 1 }));
  const text = renderChanges([{ change: "changed", server: "m", kind: "tool", name: "t", differences }]);
  expect(text.split("\n").at(-1)).toBe("    and 10 more differences");
});
