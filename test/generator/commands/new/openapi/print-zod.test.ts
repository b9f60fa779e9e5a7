import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { ZodPrinter } from "../../../../../generator/commands/new/openapi/print-zod.js";
import { sampleValue } from "../../../../../generator/commands/new/openapi/sample-value.js";
import type { Code } from "../../../../../generator/shared/code/code.js";
import { apiOf, describing, type Json, operation } from "./descriptions.js";

/** The zod schema that is printed for the body of a request. */
async function printed(schema: Json | boolean, version = "3.1.0") {
  const schemas = {
    Name: { type: "string", minLength: 2 },
    Pet: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, id: { type: "integer", readOnly: true } },
    },
  };
  const post = operation({ requestBody: { content: { "application/json": { schema } } } });
  const description = { ...describing({ "/a": { post } }, { components: { schemas } }), openapi: version };
  const { model, requests } = await apiOf(description);
  const body = model.operations[0]?.body?.schema ?? true;
  const inline = new ZodPrinter(requests, "request", (name) => ofTable(name));
  const ofTable = (name: string): Code => inline.print(requests.schemas.get(name) ?? true);
  const source = `data:text/javascript,${encodeURIComponent(`export default (z) => ${inline.print(body)}`)}`;
  const { default: make } = (await import(source)) as { default: (library: typeof z) => z.ZodType };
  return { zod: make(z), body, requests };
}

const pet = { $ref: "#/components/schemas/Pet" };

test.each<[schema: Json | boolean, valid: readonly unknown[], invalid: readonly unknown[]]>([
  [true, [1, "a", null], []],
  [{ type: "string", minLength: 1, maxLength: 2 }, ["a", "ab"], ["", "abc", 1, null]],
  [{ type: "string", pattern: "^a+$" }, ["aa"], ["b"]],
  [{ type: "string", pattern: "(" }, ["anything"], [1]],
  [{ type: "string", format: "date-time" }, ["2026-01-01T00:00:00Z", "any"], [1]],
  [{ type: ["string", "null"] }, ["a", null], [1]],
  [{ type: "integer", minimum: 1, exclusiveMaximum: 3 }, [1, 2], [0, 3, 1.5]],
  [{ type: "number", multipleOf: 0.5 }, [1.5], [1.2]],
  [{ enum: ["a", "b"] }, ["a"], ["c"]],
  [{ enum: [1, "a", null] }, [1, "a", null], [2]],
  [{ const: "a" }, ["a"], ["b"]],
  [{ type: "array", items: { type: "string" }, minItems: 1 }, [["a"]], [[], [1], "a"]],
  [
    { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    [{ a: "x" }, { a: "x", b: 1 }],
    [{}, { a: 1 }],
  ],
  [{ type: "object", required: ["a"] }, [{ a: 1 }], ["text"]],
  [{ type: "object", properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [{ type: "object", additionalProperties: { type: "integer" } }, [{ a: 1 }], [{ a: "x" }]],
  [
    { type: "object", properties: { a: {} }, additionalProperties: { type: "integer" } },
    [{ a: "x", b: 1 }],
    [{ b: "x" }],
  ],
  [{ oneOf: [{ type: "string" }, { type: "integer" }] }, ["a", 1], [true]],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, ["a", null], [1]],
  [{ type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }] }, [{ a: "x" }], [{ a: 1 }]],
  [
    { allOf: [pet, { type: "object", required: ["age"], properties: { age: { type: "integer" } } }] },
    [{ name: "a", age: 1 }],
    [{ name: "a" }, { age: 1 }],
  ],
  [{ allOf: [pet], description: "one" }, [{ name: "a" }], [{}]],
  [{ allOf: [{ type: "string" }, { minLength: 2 }] }, ["ab"], [1]],
  [
    {
      allOf: [
        pet,
        {
          oneOf: [
            { type: "object", required: ["x"], properties: { x: { type: "string" } } },
            { type: "object", required: ["y"], properties: { y: {} } },
          ],
        },
      ],
    },
    [{ name: "a", x: "b" }],
    [{ x: "b" }],
  ],
  [{ not: { type: "string" } }, ["a", 1], []],
  [{ $ref: "#/components/schemas/Pet", type: "null" }, [{ name: "a" }, null], [1]],
  [{ oneOf: [{ type: "boolean" }, { type: "number" }], type: "null" }, [true, 1, null], ["a"]],
  [
    { type: "object", properties: { constructor: { type: "string" }, "a-b": { type: "integer" } } },
    [{ constructor: "x", "a-b": 1 }, {}],
    [{ "a-b": "x" }],
  ],
])("%j", async (schema, valid, invalid) => {
  const { zod, body, requests } = await printed(schema);
  for (const value of valid)
    expect(zod.safeParse(value), JSON.stringify(value)).toMatchObject({ success: true, data: value });
  for (const value of invalid) expect(zod.safeParse(value).success, JSON.stringify(value)).toBe(false);
  // Tools list their schemas.
  expect(z.toJSONSchema(zod)).toBeTypeOf("object");
  for (const members of ["all", "required"] as const)
    expect(zod.safeParse(sampleValue(body, requests, members)).success).toBe(true);
});

test.each<[schema: Json, valid: readonly unknown[], invalid: readonly unknown[]]>([
  [{ type: "string", nullable: true }, ["a", null], [1]],
  [{ type: "string", nullable: true, enum: ["a"] }, ["a", null], ["b"]],
  [{ nullable: true, allOf: [pet] }, [{ name: "a" }, null], [{}]],
  [{ type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }, [2, 5], [1, 6]],
])("OpenAPI 3.0: %j", async (schema, valid, invalid) => {
  const { zod } = await printed(schema, "3.0.3");
  for (const value of valid) expect(zod.safeParse(value).success, JSON.stringify(value)).toBe(true);
  for (const value of invalid) expect(zod.safeParse(value).success, JSON.stringify(value)).toBe(false);
});

test("read-only members are not arguments", async () => {
  const { zod } = await printed(pet);
  expect(JSON.stringify(z.toJSONSchema(zod))).not.toContain('"id"');
});

test.each<Json>([
  { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
  { type: "string", minLength: 300 },
  { type: "number", minimum: 0.1, exclusiveMaximum: 0.2 },
  { type: "integer", multipleOf: 7, minimum: 15 },
  { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true },
  { type: "object", minProperties: 2, additionalProperties: { type: "string" } },
])("an example of %j is valid", async (schema) => {
  const { body, requests } = await printed(schema);
  const ajv = new Ajv2020({ strict: false });
  for (const members of ["all", "required"] as const)
    expect(ajv.validate(schema, sampleValue(body, requests, members))).toBe(true);
});

test.each<Json>([
  { type: "string", pattern: "^(?=a)b$" },
  { type: "integer", minimum: 3, maximum: 2 },
  { type: "string", minLength: 5, maxLength: 4 },
])("%j has no example", async (schema) => {
  const { body, requests } = await printed(schema);
  expect(() => sampleValue(body, requests, "required")).toThrow();
});
