import { describe, expect, test } from "vitest";
import { correct, type Corrections } from "../../generator/shared/fidelity/corrections.js";
import { differential, replay } from "../support/differential.js";
import { correctExtension, importedTypes, printerRules } from "../support/extension-corrections.js";
import { extensionDifferential, isOfExtension, replayExtension } from "../support/extension-differential.js";
import { publishedExtensions, readGenerated } from "../support/protocol.js";

test("predicates and ajv agree on thousands of random instances", { timeout: 60_000 }, () => {
  const { count, accepted, disagreements } = differential("test", 24);
  expect(disagreements).toEqual([]);
  expect(count).toBeGreaterThan(12_000);
  expect(accepted / count).toBeGreaterThan(0.2);
  expect(accepted / count).toBeLessThan(0.6);
});

test("a seed always gives the same verdict", () => {
  expect(replay("test/2026-07-28/CallToolResult/0")).toBeUndefined();
  expect(() => replay("test/1999-01-01/CallToolResult/0")).toThrow("does not name a revision");
});

test("predicates of extensions and ajv agree on thousands of random instances", { timeout: 60_000 }, () => {
  const outcomes = extensionDifferential("test", 200);
  expect(outcomes.flatMap(({ disagreements }) => disagreements)).toEqual([]);
  expect(outcomes.map(({ name, reference }) => `${name} ${reference}`)).toEqual(["apps ours", "skills ours", "tasks ours"]);
  for (const { count, accepted } of outcomes) {
    expect(count).toBeGreaterThan(2_500);
    expect(accepted / count).toBeGreaterThan(0.2);
    expect(accepted / count).toBeLessThan(0.6);
  }
});

test("a wrong schema.json of an extension is noticed, and its seed replays it", () => {
  const { $defs } = readGenerated("extensions/tasks/schema.json") as { readonly $defs: Record<string, object> };
  const wrong = new Map([["tasks", { ...$defs, Task: { ...$defs["Task"], required: ["taskId"] } }]]);
  const [, , ours, theirs] = extensionDifferential("test", 600, wrong);
  expect([ours?.disagreements, ours?.reference, theirs?.reference]).toEqual([[], "ours", "official"]);
  const [first] = theirs?.disagreements ?? [];
  expect(first?.text).toContain("Task: ajv accepts");
  expect([isOfExtension(first?.seed ?? ""), replayExtension(first?.seed ?? "", wrong)]).toEqual([true, first?.text]);
  expect(() => replayExtension(first?.seed ?? "")).toThrow("the official schema.json of tasks is not here");
});

describe("corrects the official schema.json of an extension", () => {
  const core = { Tool: { type: "object" } };
  const text = { type: "string" };
  const listed = { anyOf: [{ const: "a" }, { const: "b" }] };
  test.each<[what: string, printed: object, corrected: object, rules: readonly string[]]>([
    ["safe bounds", { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, { type: "integer" }, ["integer-with-safe-bounds"]],
    ["other bounds", { type: "integer", minimum: 0, maximum: 9007199254740991 }, { type: "integer", minimum: 0, maximum: 9007199254740991 }, []],
    ["closed objects", { properties: { a: { additionalProperties: false } } }, { properties: { a: {} } }, ["object-closed"]],
    ["restricted members", { additionalProperties: text }, { additionalProperties: text }, []],
    ["listed keys", { propertyNames: listed, additionalProperties: text, required: ["a", "b"] }, { properties: { a: text, b: text } }, ["record-of-keys"]],
    ["any keys", { propertyNames: text, additionalProperties: text }, { propertyNames: text, additionalProperties: text }, []],
    ["undefined", { anyOf: [text, {}] }, { anyOf: [text] }, ["undefined-as-anything"]],
  ])("%s", (_, printed, corrected, rules) => {
    const { definitions, applied } = correctExtension({ A: printed }, core);
    expect({ definitions, applied }).toEqual({ definitions: { ...core, A: corrected }, applied: rules });
  });

  test("copies of core types", () => {
    const printed = { A: { properties: { tool: text } }, Tool: text };
    expect(correctExtension(printed, core, { "A/properties/tool": "Tool" }).definitions).toEqual({ ...core, A: { properties: { tool: { $ref: "#/$defs/Tool" } } } });
    for (const place of ["A/properties/other", "B/properties/tool"])
      expect(() => correctExtension(printed, core, { [place]: "Tool" })).toThrow(`${place}: not found`);
    expect(() => correctExtension(printed, core, { "A/properties/tool": "Prompt" })).toThrow("not found");
  });

  test("names types that the extension imports, and rules once", () => {
    for (const { name, model } of publishedExtensions)
      expect(Object.values(importedTypes[name] ?? {}).filter((type) => !model.imports.includes(type))).toEqual([]);
    expect(new Set(printerRules.map(({ id }) => id)).size).toBe(printerRules.length);
  });
});

describe("rejects a correction that does not match the schema", () => {
  const definitions = {
    A: { type: "object", properties: { size: { type: "integer" }, text: { type: "string" } } },
    B: { type: ["string", "integer"] },
    M: { properties: { params: { properties: {} } } },
    Base: { properties: { _meta: { type: "object" } } },
  };
  const rows: readonly [string, Corrections, unknown][] = [
    ["a number", { "number-as-integer": ["A/properties/size"] }, { ...definitions, A: { type: "object", properties: { size: { type: "number" }, text: { type: "string" } } } }],
    ["a number in a list of types", { "number-as-integer": ["B/type/1"] }, { ...definitions, B: { type: ["string", "number"] } }],
    ["null", { "number-as-integer": [], "null-dropped": ["B/type"] }, { ...definitions, B: { type: ["string", "integer", "null"] } }],
    [
      "common params",
      { "number-as-integer": [], "common-params": { request: { from: "Base/properties/_meta", to: ["M"] } } },
      { ...definitions, M: { properties: { params: { properties: { _meta: { type: "object" } } } } } },
    ],
  ];
  test.each(rows)("%s", (_, corrections, expected) => expect(correct(definitions, corrections)).toEqual(expected));

  const stale: readonly [string, Corrections, string][] = [
    ["not an integer", { "number-as-integer": ["A/properties/text"] }, 'expected "integer", found "string"'],
    ["nowhere", { "number-as-integer": ["A/properties/gone"] }, "not found"],
    ["null already present", { "number-as-integer": [], "null-dropped": ["A/type"] }, 'without "null"'],
    ["no params", { "number-as-integer": [], "common-params": { request: { from: "Base/properties/_meta", to: ["A"] } } }, "expected inline params"],
  ];
  test.each(stale)("%s", (_, corrections, message) => expect(() => correct(definitions, corrections)).toThrow(message));
});
