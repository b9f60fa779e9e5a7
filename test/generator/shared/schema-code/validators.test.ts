import { describe, expect, test } from "vitest";
import { printValidators, type NamedSchema } from "../../../../generator/shared/schema-code/print-validators.js";
import { problems } from "../diagnostics/problems.js";
import { complaints, load, source } from "./load.js";

const one = (schema: unknown): readonly NamedSchema[] => [{ name: "One", schema }];

describe("issues", () => {
  const tagged = (kind: string, more: object) => ({
    type: "object",
    properties: { kind: { const: kind }, ...more },
    required: ["kind", ...Object.keys(more)],
  });
  const shape = {
    anyOf: [tagged("circle", { r: { type: "number" } }), tagged("square", { side: { minimum: 1 } }), { type: "null" }],
  };

  test.each<readonly [schema: unknown, value: unknown, issues: readonly string[]]>([
    [{ type: "string" }, 1, [": must be a string"]],
    [{ type: ["object", "null", "integer"] }, "", [": must be an object, null or an integer"]],
    [{ required: ["a"], properties: { b: { type: "string" } } }, { b: 1 }, ["b: must be a string", "a: is required"]],
    [
      { additionalProperties: false },
      JSON.parse('{"a/b":1,"__proto__":2}'),
      ["a/b: is not allowed", "__proto__: is not allowed"],
    ],
    [{ items: { type: "array", items: { maxLength: 1 } } }, [[], ["a", "bb"]], ["1,1: must have at most 1 character"]],
    [{ prefixItems: [true, { enum: [1, null, { a: 1 }] }] }, [0, 2], ['1: must be one of 1, null, {"a":1}']],
    [{ propertyNames: { pattern: "^a" } }, { b: 1 }, ["b: must match the pattern ^a"]],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ['b: is required beside "a"']],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, [": must fit exactly one of 2 alternatives"]],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, 3, [": must be a string or null"]],
    [{ not: { type: "null" } }, null, [": must not be what is excluded"]],
    [{ contains: { const: 1 }, minContains: 2 }, [1], [": must have at least 2 items of a certain kind"]],
    // The alternative that was meant is found by its type or its tag, and its issues are reported.
    [shape, { kind: "circle", r: "1" }, ["r: must be a number"]],
    [shape, { kind: "square", side: 0 }, ["side: must be at least 1"]],
    [shape, { kind: "star" }, [": must fit one of 3 alternatives"]],
    [{ multipleOf: 2, minimum: 10 }, 3, [": must be at least 10", ": must be a multiple of 2"]],
  ])("%j of %j", async (schema, value, issues) => {
    const { One } = await load(one(schema));
    expect(One?.check(value).map(({ path, message }) => `${path.join()}: ${message}`)).toEqual(issues);
  });

  test("reports no more than a hundred issues", async () => {
    const { One } = await load(one({ items: { type: "string" } }));
    expect(One?.check(Array.from({ length: 10_000 }, () => 1))).toHaveLength(100);
  });
});

describe("rejects", () => {
  const deep = (levels: number): unknown => (levels === 0 ? true : { items: deep(levels - 1) });
  const circle: Record<string, unknown> = {};
  circle["items"] = circle;
  const wide = { properties: Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`p${at}`, true])) };

  test.each<readonly [schema: unknown, problem: string]>([
    [5, "schema-malformed: the JSON Schema One is malformed: # at # must be an object or a boolean"],
    [null, "schema-malformed: the JSON Schema One is malformed: # at # must be an object or a boolean"],
    [[], "schema-malformed: the JSON Schema One is malformed: # at # must be an object or a boolean"],
    [
      { type: "text" },
      "schema-malformed: the JSON Schema One is malformed: type at # must be one or more of array, boolean, integer, null, number, object, string",
    ],
    [
      { properties: { "a/b": { minLength: -1 } } },
      "schema-malformed: the JSON Schema One is malformed: minLength at #/properties/a~1b must be a non-negative integer",
    ],
    [
      { exclusiveMinimum: true },
      "schema-malformed: the JSON Schema One is malformed: exclusiveMinimum at # must be a number",
    ],
    [{ multipleOf: 0 }, "schema-malformed: the JSON Schema One is malformed: multipleOf at # must be greater than 0"],
    [{ required: "a" }, "schema-malformed: the JSON Schema One is malformed: required at # must be a list of strings"],
    [{ anyOf: [] }, "schema-malformed: the JSON Schema One is malformed: anyOf at # must be a non-empty list"],
    [
      { pattern: "(" },
      "schema-malformed: the JSON Schema One is malformed: pattern at # is not a regular expression of ECMAScript with the flag u",
    ],
    [
      { patternProperties: { "(": true } },
      "schema-malformed: the JSON Schema One is malformed: patternProperties at # has a name that is not a regular expression",
    ],
    [{ uniqueItems: 1 }, "schema-malformed: the JSON Schema One is malformed: uniqueItems at # must be true or false"],
    [{ properties: [] }, "schema-malformed: the JSON Schema One is malformed: properties at # must be an object"],
    [{ not: 1 }, "schema-malformed: the JSON Schema One is malformed: not at #/not must be an object or a boolean"],
    [
      { $ref: "#/$defs/none" },
      "schema-unresolved: the JSON Schema One has a reference that does not resolve: $ref at # is #/$defs/none",
    ],
    [
      { $ref: "https://example.com/x" },
      "schema-unresolved: the JSON Schema One has a reference that does not resolve: $ref at # is https://example.com/x",
    ],
    [
      { $ref: "#/constructor/prototype" },
      "schema-unresolved: the JSON Schema One has a reference that does not resolve: $ref at # is #/constructor/prototype",
    ],
    [
      { $ref: "file:///etc/passwd" },
      "schema-unresolved: the JSON Schema One has a reference that does not resolve: $ref at # is file:///etc/passwd",
    ],
    [
      { items: { $dynamicRef: "#x" } },
      "schema-unsupported: the JSON Schema One cannot be compiled: $dynamicRef at #/items is not supported",
    ],
    [
      { items: { $id: "http://x/y" } },
      "schema-unsupported: the JSON Schema One cannot be compiled: $id at #/items in a nested schema is not supported",
    ],
    [
      { $ref: "#" },
      "schema-circular: the JSON Schema One cannot be checked: $ref at # refers back to itself without going into the value",
    ],
    [
      { $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
      "schema-circular: the JSON Schema One cannot be checked: $ref at #/$defs/a refers back to itself without going into the value",
    ],
    [deep(200), "schema-too-large: the JSON Schema One is too large: it has more than 64 levels"],
    [circle, "schema-too-large: the JSON Schema One is too large: it has more than 64 levels"],
    [wide, "schema-too-large: the JSON Schema One is too large: it has more than 5000 subschemas"],
  ])("case %#", (schema, problem) => {
    expect(problems(() => printValidators(one(schema)))).toEqual([problem]);
  });

  test("reports all malformed keywords at once", () => {
    const schema = { minLength: "a", items: { type: 1 }, $ref: "x" };
    expect(problems(() => printValidators(one(schema)))).toHaveLength(3);
  });

  test.each(["a b", "class", "ValidationIssue", "", "__proto__ "])("the name %j", (name) => {
    expect(problems(() => printValidators([{ name, schema: {} }]))).toHaveLength(1);
  });

  test("two schemas with the same name", () => {
    expect(problems(() => printValidators([...one({}), ...one({})]))).toHaveLength(1);
  });
});

describe("hostile values", () => {
  const nested = (levels: number, inner: unknown): unknown => {
    let value = inner;
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  };

  test("checks nesting up to a limit, and rejects deeper values without a stack overflow", async () => {
    const { One } = await load(one({ type: "object", properties: { a: { $ref: "#" } } }));
    expect(One?.is(nested(400, {}))).toBe(true);
    expect(One?.is(nested(100_000, {}))).toBe(false);
    expect(One?.check(nested(100_000, {})).map(({ message }) => message)).toEqual([
      "cannot be checked; it may be nested too deeply",
    ]);
  });

  test("rejects an excluded value that is too deep to check", async () => {
    const { One } = await load(
      one({ $defs: { a: { properties: { a: { $ref: "#/$defs/a" } } } }, not: { $ref: "#/$defs/a" } }),
    );
    expect([One?.is(nested(10, 1)), One?.is(nested(100_000, 1))]).toEqual([false, false]);
  });

  test("a schema that branches at each level terminates", async () => {
    const branch = { properties: { a: { $ref: "#/$defs/n" } }, required: ["a"] };
    const schema = { $defs: { n: { anyOf: [branch, { ...branch, maxProperties: 1 }] } }, $ref: "#/$defs/n" };
    const { One } = await load(one(schema));
    expect(One?.is(nested(60, 1))).toBe(true);
    expect(One?.is(nested(60, {}))).toBe(false);
    expect(One?.check(nested(60, {}))).not.toEqual([]);
  });

  test("many references to one another terminate", async () => {
    const levels = Array.from({ length: 40 }, (_, at): [string, unknown] => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]);
    const schema = { $defs: { ...Object.fromEntries(levels), d40: { type: "string" } }, $ref: "#/$defs/d0" };
    const { One } = await load(one(schema));
    expect(One?.is(1)).toBe(false);
    expect(One?.is("a")).toBe(false); // 2 ** 40 checks are too many
  });

  test.each([
    [
      "a getter that throws",
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      }),
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
  ])("%s", async (_what, value) => {
    const { One } = await load(
      one({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
    );
    expect(One?.is(value)).toBe(false);
    expect(One?.check(value)).toHaveLength(1);
  });

  test("a polluted prototype changes nothing", async () => {
    const { One } = await load(
      one({
        properties: { constructor: { type: "string" } },
        additionalProperties: { type: "string" },
        minProperties: 1,
      }),
    );
    const inherited: unknown = Object.assign(Object.create({ polluted: 1, constructor: 5 }) as object, { a: "" });
    expect([One?.is(inherited), One?.is(Object.create({ a: "" }))]).toEqual([true, false]);
  });
});

describe("options", () => {
  test("does not execute untrusted patterns", async () => {
    const schema = {
      properties: { a: { pattern: "^(a+)+$" } },
      patternProperties: { "^(b+)+$": { type: "string" } },
      additionalProperties: false,
    };
    const { One } = await load(one(schema), { patterns: "ignore" });
    expect(One?.is({ a: `${"a".repeat(100)}!`, [`${"b".repeat(100)}!`]: 1 })).toBe(true);
    expect(await source(one(schema), { patterns: "ignore" })).not.toContain("RegExp");
  });

  test("does not use taken names", async () => {
    const text = await source(one({ anyOf: [{ required: ["a", "b", "c", "d", "e", "f", "g"] }] }), {
      taken: ["fitsOne", "fitsOneAnyOf0"],
    });
    expect(text).not.toMatch(/\bfitsOne\(|\bfitsOneAnyOf0\(/);
    expect(complaints(text)).toEqual([]);
  });

  test("prints nothing for no schemas", () => {
    expect(printValidators([])).toEqual({ text: "\n\n\n", exports: [] });
  });

  test("prints the same text for the same schemas", async () => {
    const schemas = [...one({ enum: [..."abcdefghijklm".split("")] }), { name: "Two", schema: { pattern: "a" } }];
    expect(await source(schemas)).toBe(await source(structuredClone(schemas)));
  });
});
