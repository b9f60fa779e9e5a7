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
  ])("%s: the test above fails if %s is %s in %s", (revision, tagged, untagged, outcome) => {
    const types = generatedPath(`dist/${revision}/types.d.ts`);
    const before = readFileSync(types, "utf8");
    const after = before.replace(`export type ${outcome} = ${tagged} |`, `export type ${outcome} = ${untagged} |`);
    expect(after).not.toBe(before);
    expect(compile(`narrowing-${revision}.ts`, { [types]: after })).toContainEqual(
      expect.stringContaining(`fixtures/narrowing-${revision}.ts`),
    );
  });
});

/** The tables of a revision with the types that the compiler infers, one per row. */
function narrowTables(revision: string): { readonly file: string; readonly text: string } {
  const source = readFileSync(generatedPath(`${revision}/methods.ts`), "utf8");
  const text = source.replace(/^((?:export )?const \w+): ([\w"[\], <>]+) = (\{.*?\});$/gms, "$1 = $3 as const satisfies $2;");
  expect(text.match(/ as const satisfies (Receives|ResultDescriptor|Side<Profile, MessageMaps>);$/gm)?.length).toBeGreaterThan(10);
  return { file: generatedPath(`dist/${revision}/methods.ts`), text };
}

test.each(revisions)("%s: tables, maps, events and handlers have the same methods and types", (revision) => {
  const text = readFileSync(fixture("every-revision.ts"), "utf8").replaceAll("2026-07-28", revision);
  const tables = narrowTables(revision);
  expect(compile("every-revision.ts", { [fixture("every-revision.ts")]: text, [tables.file]: tables.text })).toEqual([]);
});

test.each([
  ["a result", "result: types.ListToolsResult }", "result: types.ListPromptsResult }"],
  ["an item", "  item: isTool,", "  item: isPrompt,"],
])("rejects a table in which %s does not match its predicate", (_, was, is) => {
  const { file, text } = narrowTables("2026-07-28");
  const wrong = text.replaceAll(was, is);
  expect(wrong).not.toBe(text);
  expect(compile("every-revision.ts", { [file]: wrong })).toContainEqual(
    expect.stringContaining("fixtures/every-revision.ts"),
  );
});

test.each([
  ["handlers, calls and global names", "handlers.ts"],
  ["params without the members that the connection adds", "inputs-2026-07-28.ts"],
])("%s are typed", (_, name) => {
  expect(compile(name)).toEqual([]);
});
