import { describe, expect, test } from "vitest";
import { correct, type Corrections } from "../../generator/shared/fidelity/corrections.js";
import { differential, replay } from "../support/differential.js";

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
