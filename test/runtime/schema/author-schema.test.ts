import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import {
  type AuthorSchema,
  prepareSchema,
  type SchemaInput,
  type SchemaOutput,
  type SchemaUse,
} from "../../../runtime/src/schema/author-schema.js";
import { formatIssues } from "../../../runtime/src/schema/format-issues.js";
import type { StandardIssue } from "../../../runtime/src/schema/standard-schema.js";

const input: SchemaUse = {
  where: 'inputSchema of tool "add"',
  io: "input",
  validator: ajvValidator({ untrusted: false }),
  rootObject: true,
};
const output: SchemaUse = { ...input, where: 'outputSchema of tool "add"', io: "output", rootObject: false };

const shape = { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] };
const zod = z.object({ a: z.string(), b: z.number().optional() });
const isText = (value: unknown) => typeof value === "object" && value !== null && "a" in value;
const pairFunction = {
  validate: (value: unknown) =>
    isText(value) && typeof value.a === "string"
      ? { value: value as { a: string } }
      : { issues: [{ message: "must have text a", path: ["a"] }] },
  jsonSchema: shape,
};

const accepted: readonly [string, unknown][] = [
  ["zod", zod],
  ["arktype", type({ a: "string", "b?": "number" })],
  ["valibot through its converter", toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number()) }))],
  ["a pair with a function", pairFunction],
  ["a pair with a Standard Schema", { validate: v.object({ a: v.string() }), jsonSchema: shape }],
  ["JSON Schema 2020-12", shape],
  ["JSON Schema draft-07", { $schema: "http://json-schema.org/draft-07/schema#", ...shape }],
  ["an object without prototype", Object.assign(Object.create(null), shape)],
];

describe("prepareSchema accepts", () => {
  it.each(accepted)("%s", (_name, schema) => {
    const { jsonSchema, validate } = prepareSchema(schema, input);
    expect(jsonSchema).toMatchObject({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
    });
    expect(validate({ a: "x" })).toMatchObject({ value: { a: "x" } });
    expect(validate({ a: "x" })).not.toHaveProperty("issues", expect.anything());
    const { issues = [] } = validate({ a: 1 }) as { issues?: readonly StandardIssue[] };
    expect(formatIssues(issues)).toMatch(/^\/a: .*(string|text)/i);
  });

  it("an asynchronous schema, and returns its promise", async () => {
    const slow = z.object({ a: z.string().refine((text) => Promise.resolve(text !== "taken")) });
    const { validate } = prepareSchema(slow, input);
    const answer = validate({ a: "free" });
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual({ value: { a: "free" } });
    expect(await validate({ a: "taken" })).toMatchObject({ issues: [{ path: ["a"] }] });
  });

  it("a method that needs its `this`", () => {
    class Checker {
      readonly #limit = 3;
      validate(value: unknown) {
        return (value as number) < this.#limit ? { value } : { issues: [{ message: `must be < ${this.#limit}` }] };
      }
    }
    const checker = new Checker();
    const standard = { version: 1, vendor: "own", validate: checker.validate.bind(checker) };
    const { validate } = prepareSchema({ validate: { "~standard": standard }, jsonSchema: { type: "number" } }, output);
    expect(validate(4)).toEqual({ issues: [{ message: "must be < 3" }] });
  });

  it("and returns the library's output value", () => {
    const { validate } = prepareSchema(z.object({ n: z.coerce.number().default(3) }), input);
    expect(validate({})).toEqual({ value: { n: 3 } });
    expect(validate({ n: "4" })).toEqual({ value: { n: 4 } });
  });

  it("different input and output", () => {
    const schema = z.object({ n: z.number().default(3) });
    expect(prepareSchema(schema, input).jsonSchema).not.toHaveProperty("required");
    expect(prepareSchema(schema, output).jsonSchema).toHaveProperty("required", ["n"]);
  });

  it("and keeps a copy of the JSON Schema", () => {
    const own = structuredClone(shape);
    const { jsonSchema } = prepareSchema(own, input);
    own.type = "array";
    expect(jsonSchema["type"]).toBe("object");
  });
});

describe("the root", () => {
  const variants = [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })] as const;
  const recursive = { $ref: "#/$defs/node", $defs: { node: { type: "object" } } };
  it.each<[string, unknown]>([
    ["a union of objects of zod", z.discriminatedUnion("k", variants)],
    ["a union of objects of arktype", type({ a: "string" }).or({ b: "number" })],
    ["a reference to an object schema", recursive],
    ["an intersection with an object schema", { allOf: [{ minProperties: 1 }, { type: "object" }] }],
  ])("%s is an object schema", (_name, schema) => {
    expect(prepareSchema(schema, input).jsonSchema["type"]).toBe("object");
  });

  it.each<[string, unknown]>([
    ["a string", z.string()],
    ["a union with a string", z.union([z.string(), z.object({})])],
    ["no keyword", {}],
    ["only properties, which other values pass", { properties: { a: {} } }],
    ["a reference to itself", { $ref: "#" }],
    ["references that grow exponentially", { allOf: [{ $ref: "#" }, { $ref: "#" }] }],
    ["a reference to an inherited property", { $ref: "#/constructor" }],
  ])("%s is not an object schema", (_name, schema) => {
    expect(() => prepareSchema(schema, input)).toThrow(
      'inputSchema of tool "add": the JSON Schema must accept only objects; set type: "object" at its root',
    );
  });

  it("may have any type in an output schema of the revisions that allow it", () => {
    expect(prepareSchema(z.array(z.string()), output).jsonSchema).toMatchObject({ type: "array" });
    expect(prepareSchema({}, output).jsonSchema).toEqual({});
  });
});

describe("prepareSchema rejects", () => {
  const noSchema =
    "not a schema; pass a schema of zod, arktype or valibot, a pair { validate, jsonSchema }, or a JSON Schema";
  const noJsonSchema = (vendor: string) =>
    `this schema of ${vendor} has no JSON Schema; use zod 4.2 or later, ` +
    "toStandardJsonSchema() of @valibot/to-json-schema, or a pair { validate, jsonSchema }";
  const oldZod = { "~standard": { version: 1, vendor: "zod", validate: () => ({ value: 1 }) } };
  const onlyJson = { "~standard": { version: 1, vendor: "own", jsonSchema: { input: () => shape } } };
  it.each<[string, unknown, string]>([
    ["a schema of zod before 4.2", oldZod, noJsonSchema("zod")],
    ["valibot without its converter", v.object({ a: v.string() }), noJsonSchema("valibot")],
    ["a schema without validate", onlyJson, "validate is not a function; pass a pair { validate, jsonSchema }"],
    ["a plain object of schemas", { a: z.string() }, "a plain object of schemas; wrap it: z.object({ … })"],
    [
      "a type that JSON cannot express",
      z.object({ d: z.date() }),
      "Date cannot be represented in JSON Schema; use types that JSON has",
    ],
    ["a class instance", new Map(), noSchema],
    ["a function", () => true, noSchema],
    ["an array", [], noSchema],
    ["null", null, noSchema],
    ["undefined", undefined, noSchema],
    ["a boolean", true, noSchema],
    ["a string", "object", noSchema],
    ["a pair without a function", { ...pairFunction, validate: "yes" }, "validate is not a function; pass a pair"],
    ["a pair without a schema", { ...pairFunction, jsonSchema: "yes" }, "the JSON Schema is not a plain object"],
    ["an invalid JSON Schema", { type: "object", minProperties: -1 }, "this JSON Schema cannot be used: the keyword"],
  ])("%s", (_name, schema, message) => {
    expect(() => prepareSchema(schema, input)).toThrow(`inputSchema of tool "add": ${message}`);
    expect(() => prepareSchema(schema, input)).toThrow(SdkError);
  });

  const ok = (value: unknown) => ({ value });
  const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });
  it.each<[string, object, string]>([
    ["a keyword that must be an object", { properties: 5 }, "the keyword must be an object at #/properties"],
    [
      "a subschema that is not one",
      { properties: { a: 5 } },
      "a subschema is neither an object nor a boolean at #/properties/a",
    ],
    ["an empty list", { allOf: [] }, "the keyword must be a non-empty array of schemas at #/allOf"],
    [
      "another document",
      { items: { $ref: "https://example.com/a.json" } },
      "it references another document, and references are never fetched at #/items/$ref",
    ],
    [
      "an unknown dialect",
      { $schema: "https://example.com/mine" },
      "its $schema is not a supported dialect at #/$schema",
    ],
    ["too many levels", nested(65), "it is more than 64 levels deep"],
    ["too many values", { enum: Array.from({ length: 50_001 }, (_, at) => at) }, "it has more than 50000 values"],
  ])("%s in the schema of a pair, with and without a validator", (_name, keywords, message) => {
    const jsonSchema = { type: "object", ...keywords };
    for (const use of [input, { ...input, validator: undefined }])
      expect(() => prepareSchema({ validate: ok, jsonSchema }, use)).toThrow(
        `inputSchema of tool "add": this JSON Schema cannot be used: ${message}`,
      );
  });

  it.each<[string, object]>([
    ["members with the names of keywords", { properties: { $ref: { type: "string" }, properties: true, items: {} } }],
    ["data that looks like a reference", { default: { $ref: "elsewhere" }, examples: [{ properties: 5 }] }],
    ["references inside the schema", { $defs: { a: {} }, properties: { b: { $ref: "#/$defs/a" } } }],
    ["each dialect", { $schema: "http://json-schema.org/draft-07/schema#" }],
    ["a pattern", { patternProperties: { "^(a+)+$": true } }],
  ])("but not %s in the schema of a pair", (_name, keywords) => {
    const jsonSchema = { type: "object", ...keywords };
    expect(prepareSchema({ validate: ok, jsonSchema }, input).jsonSchema).toEqual(jsonSchema);
  });

  it("a JSON Schema without a validator", () => {
    expect(() => prepareSchema(shape, { ...input, validator: undefined })).toThrow(
      'inputSchema of tool "add": a JSON Schema needs the option jsonSchemaValidator, ' +
        "such as ajvValidator() of @mcpwright/runtime/json-schema",
    );
  });

  it("with the code INVALID_CONFIGURATION and the cause, for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (json, rootObject) => {
        try {
          prepareSchema(json, { ...input, rootObject });
        } catch (error) {
          expect(error).toBeInstanceOf(SdkError);
          expect((error as SdkError).code).toBe("INVALID_CONFIGURATION");
          expect((error as SdkError).cause).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

describe("the handler's types", () => {
  it("are inferred from the schema", () => {
    const withDefault = z.object({ n: z.number().default(3) });
    expectTypeOf<SchemaInput<typeof withDefault>>().toEqualTypeOf<{ n?: number | undefined }>();
    expectTypeOf<SchemaOutput<typeof withDefault>>().toEqualTypeOf<{ n: number }>();

    const _ark = type({ a: "string", "b?": "number" });
    expectTypeOf<SchemaOutput<typeof _ark>>().toEqualTypeOf<{ a: string; b?: number }>();

    const _valibot = toStandardJsonSchema(v.object({ a: v.string() }));
    expectTypeOf<SchemaInput<typeof _valibot>>().toEqualTypeOf<{ a: string }>();
    expectTypeOf<SchemaOutput<typeof _valibot>>().toEqualTypeOf<{ a: string }>();

    expectTypeOf<SchemaInput<typeof pairFunction>>().toEqualTypeOf<{ a: string }>();
    expectTypeOf<SchemaOutput<typeof pairFunction>>().toEqualTypeOf<{ a: string }>();

    const _pair = { validate: withDefault, jsonSchema: { type: "object" } };
    expectTypeOf<SchemaInput<typeof _pair>>().toEqualTypeOf<{ n?: number | undefined }>();
    expectTypeOf<SchemaOutput<typeof _pair>>().toEqualTypeOf<{ n: number }>();

    const _later = { validate: () => Promise.resolve({ value: 1 }), jsonSchema: {} };
    expectTypeOf<SchemaOutput<typeof _later>>().toEqualTypeOf<number>();

    expectTypeOf<SchemaInput<typeof shape>>().toEqualTypeOf<unknown>();
    expectTypeOf<SchemaOutput<typeof shape>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it("are inferred through a generic parameter, as in registerTool", () => {
    function register<S extends AuthorSchema>(_schema: S, _handler: (args: SchemaOutput<S>) => void): void {
      expect.assertions(0);
    }
    register(zod, (args) => expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined }>());
    register(type({ n: "number" }), (args) => expectTypeOf(args).toEqualTypeOf<{ n: number }>());
    register(toStandardJsonSchema(v.object({ n: v.number() })), ({ n }) => expectTypeOf(n).toEqualTypeOf<number>());
    register(pairFunction, ({ a }) => expectTypeOf(a).toEqualTypeOf<string>());
    register({ type: "object" }, (args) => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>());
    // @ts-expect-error valibot needs its converter
    register(v.object({ n: v.number() }), () => undefined);
  });
});
