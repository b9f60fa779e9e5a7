import { readFileSync } from "node:fs";
import { join } from "node:path";
import { revisions } from "@mcpwright/protocol";
import { describe, expect, test } from "vitest";
import { strictest, typecheck } from "../support/typecheck.js";
import { generatedPath } from "../support/protocol.js";

const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);
const environment = fixture("environment.d.ts");
const compile = (name: string, texts: Readonly<Record<string, string>> = {}): readonly string[] =>
  typecheck([environment, fixture(name)], { ...strictest, skipLibCheck: true }, texts).errors;

describe("comparing the tag narrows a result", () => {
  test.each(["narrowing-2025-11-25.ts", "narrowing-2026-07-28.ts"])("%s", (name) => {
    expect(compile(name)).toEqual([]);
  });

  test.each([
    ["2025-11-25", "CompleteCallToolResult", "CallToolResult", "CallToolOutcome"],
    ["2025-11-25", "CompleteCreateMessageResult", "CreateMessageResult", "CreateMessageOutcome"],
    ["2025-11-25", "CompleteElicitResult", "ElicitResult", "ElicitOutcome"],
    ["2026-07-28", "CompleteCallToolResult", "CallToolResult", "CallToolOutcome"],
    ["2026-07-28", "CompleteGetPromptResult", "GetPromptResult", "GetPromptOutcome"],
    ["2026-07-28", "CompleteReadResourceResult", "ReadResourceResult", "ReadResourceOutcome"],
  ])("%s: had %s been %s in %s, the test above would fail", (revision, tagged, untagged, outcome) => {
    const types = generatedPath(`dist/${revision}/types.d.ts`);
    const before = readFileSync(types, "utf8");
    const after = before.replace(`export type ${outcome} = ${tagged} |`, `export type ${outcome} = ${untagged} |`);
    expect(after).not.toBe(before);
    expect(compile(`narrowing-${revision}.ts`, { [types]: after })).toContainEqual(
      expect.stringContaining(`fixtures/narrowing-${revision}.ts`),
    );
  });
});

test.each(revisions)("%s: tables, maps, events and handlers speak of the same methods and types", (revision) => {
  const text = readFileSync(fixture("every-revision.ts"), "utf8").replaceAll("2026-07-28", revision);
  expect(compile("every-revision.ts", { [fixture("every-revision.ts")]: text })).toEqual([]);
});

test.each([
  ["a result", "result: types.ListToolsResult;", "result: types.ListPromptsResult;"],
  ["an item", "readonly item: typeof isTool;", "readonly item: typeof isPrompt;"],
])("a table in which %s does not fit its predicate would be noticed", (_, was, is) => {
  const methods = generatedPath("dist/2026-07-28/methods.d.ts");
  const before = readFileSync(methods, "utf8");
  const after = before.replaceAll(was, is);
  expect(after).not.toBe(before);
  expect(compile("every-revision.ts", { [methods]: after })).toContainEqual(
    expect.stringContaining("fixtures/every-revision.ts"),
  );
});

test("handlers, calls and global names are typed", () => {
  expect(compile("handlers.ts")).toEqual([]);
});
