import { describe, expect, test } from "vitest";
import type { StandardSchema } from "../../generated/standard-schema.js";
import { instanceMaker } from "../../generator/pipeline/emit/corpus/instances.js";
import { published, publishedRevision } from "../support/protocol.js";

describe.each(published)("$revision", ({ standardSchemas, model }) => {
  const names = model.definitions.map(({ name }) => name);
  const instances = instanceMaker(model);

  test("there is one schema per definition", () => {
    expect(Object.keys(standardSchemas).sort()).toEqual(names.map((name) => `${name}Schema`).sort());
  });

  test.each(names)("%sSchema accepts an instance and returns the same value", (name) => {
    const { "~standard": standard } = standardSchemas[`${name}Schema`] as StandardSchema<unknown>;
    const [value] = instances.full(name);
    const result = standard.validate(value);
    expect(result).toEqual({ value });
    expect("value" in result && result.value).toBe(value);
    expect([standard.version, standard.vendor]).toEqual([1, "mcpwright"]);
  });
});

test("explains a rejected value with message and path", () => {
  const { CallToolRequestParamsSchema } = publishedRevision("2025-11-25").standardSchemas;
  const { "~standard": standard } = CallToolRequestParamsSchema as StandardSchema<unknown>;
  expect(standard.validate({ name: 5 })).toEqual({ issues: [{ message: "expected a string, received 5", path: ["name"] }] });
});
