import { describe, expect, test } from "vitest";
import {
  diagnostic,
  DiagnosticError,
  fail,
  formatDiagnostic,
} from "../../../../generator/shared/diagnostics/diagnostic.js";

const span = { file: "schema.ts", line: 3, column: 7 };

describe("a diagnostic is printed", () => {
  test("with place, severity, id, message and hint", () => {
    expect(formatDiagnostic(diagnostic("unresolved-reference", { name: "Tol" }, span))).toBe(
      "schema.ts:3:7: error[unresolved-reference]: Tol is not declared in this schema\n" +
        "  Declare it, import it or correct the spelling.",
    );
  });

  test("without a place when it has none, and as a finding when it is one", () => {
    expect(formatDiagnostic(diagnostic("capability-unstated", { method: "a/b", side: "client" }))).toBe(
      "finding[capability-unstated]: no overlay states which capability a/b (sent by the client) needs\n" +
        "  Add it to the overlay under methods.client; until then no capability is required.",
    );
  });
});

describe("a value from an input stays in its line", () => {
  const shown = (name: string): string => diagnostic("unresolved-reference", { name }).message;
  const rest = " is not declared in this schema";

  test.each([
    ["line breaks", "a\nb\r\nc", "a b c"],
    ["terminal escapes", "\u001b[31mred\u001b[0m\u0007", " [31mred [0m "],
    ["separators that count as line breaks", "a\u2028b\u2029c\u0085d", "a b c d"],
    ["placeholders of the pattern", "{name} $& $1", "{name} $& $1"],
    ["names of the prototype", "__proto__", "__proto__"],
  ])("%s", (_, name, expected) => expect(shown(name)).toBe(expected + rest));

  test("and is cut after 400 characters", () => {
    expect(shown("x".repeat(400))).toBe("x".repeat(400) + rest);
    expect(shown("x".repeat(401))).toBe(`${"x".repeat(400)}…${rest}`);
  });
});

test("a DiagnosticError carries all diagnostics and prints each", () => {
  const found = [diagnostic("role-missing", { roles: "A" }), diagnostic("syntax-error", { reason: "x" }, span)];
  const error = new DiagnosticError(found);
  expect(error.diagnostics).toEqual(found);
  expect(error.message.split("\n")).toEqual([
    "error[role-missing]: the schema has none of the role unions A",
    "  The generator reads the direction of each message from the role unions and cannot build method tables without them.",
    "schema.ts:3:7: error[syntax-error]: syntax error: x",
    "  Correct the file. Nothing was generated.",
  ]);
});

test("fail throws one", () => {
  expect(() => fail("syntax-error", { reason: "x" }, span)).toThrow(
    new DiagnosticError([diagnostic("syntax-error", { reason: "x" }, span)]),
  );
});
