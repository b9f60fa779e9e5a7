import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkFormContent, checkFormSchema, withDefaults, type FormLevel } from "../../../runtime/src/rules/form.js";

const first: FormLevel = { multiSelect: false };
const later: FormLevel = { multiSelect: true };
const titled = [
  { const: "#f00", title: "Red" },
  { const: "#0f0", title: "Green" },
];

function form(field: unknown, required?: unknown): object {
  return { type: "object", properties: { field }, ...(required === undefined ? {} : { required }) };
}

describe("every revision accepts these fields", () => {
  const fields: readonly [string, object][] = [
    ["a string", { type: "string", title: "Name", description: "Yours", minLength: 3, maxLength: 50 }],
    ["a string with a pattern", { type: "string", pattern: "^(a+)+$" }],
    ["email", { type: "string", format: "email" }],
    ["uri", { type: "string", format: "uri" }],
    ["date", { type: "string", format: "date" }],
    ["date-time", { type: "string", format: "date-time" }],
    ["a number", { type: "number", minimum: -0.5, maximum: 100 }],
    ["an integer", { type: "integer", minimum: 0 }],
    ["a boolean with a default", { type: "boolean", default: false }],
    ["a choice", { type: "string", enum: ["red", "green"] }],
    ["a choice with names", { type: "string", enum: ["red", "green"], enumNames: ["Red", "Green"] }],
    ["a titled choice", { type: "string", oneOf: titled }],
    ["a string's default", { type: "string", default: "a" }],
    ["a number's default", { type: "number", default: 1.5 }],
    ["a choice's default", { type: "string", oneOf: titled, default: "#f00" }],
    ["an annotation", { type: "string", examples: [{ a: 1 }], $comment: "x", "x-order": 2 }],
  ];
  test.each(fields)("%s", (_, field) => {
    expect(checkFormSchema(form(field, ["field"]), first)).toBeUndefined();
    expect(checkFormSchema(form(field), later)).toBeUndefined();
  });
});

describe("only later revisions accept these fields", () => {
  const fields: readonly [string, object, string][] = [
    [
      "choices",
      { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1, maxItems: 2 },
      "forms do not support its type",
    ],
    [
      "titled choices",
      { type: "array", items: { anyOf: titled }, default: ["#0f0", "#f00"] },
      "forms do not support its type",
    ],
  ];
  test.each(fields)("%s", (_, field, fault) => {
    expect(checkFormSchema(form(field), first)).toBe(`Form field "field": ${fault}`);
    expect(checkFormSchema(form(field), later)).toBeUndefined();
  });
});

describe("no revision accepts these fields", () => {
  const fields: readonly [string, unknown, string][] = [
    ["a boolean", true, "forms do not support its type"],
    ["no type", { enum: ["a"] }, "forms do not support its type"],
    ["an inherited name as type", { type: "constructor" }, "forms do not support its type"],
    ["two types", { type: ["string", "null"] }, "forms do not support its type"],
    ["an object", { type: "object", properties: {} }, "forms do not support its type"],
    ["a reference", { type: "string", $ref: "#/a" }, "forms do not support $ref"],
    ["alternatives", { type: "string", anyOf: [{ minLength: 1 }] }, "forms do not support anyOf"],
    ["a bound that is not checked", { type: "number", exclusiveMinimum: 0 }, "forms do not support exclusiveMinimum"],
    ["a constant", { type: "string", const: "a" }, "forms do not support const"],
    ["an unknown format", { type: "string", format: "hostname" }, "format must be one of the choices"],
    ["an inherited name as format", { type: "string", format: "constructor" }, "format must be one of the choices"],
    ["a length that is not a number", { type: "string", minLength: "3" }, "minLength must be an integer"],
    ["a negative length", { type: "string", maxLength: -1 }, "maxLength must be at least 0"],
    ["a bound that is not a number", { type: "integer", minimum: null }, "minimum must be a number"],
    ["half a choice", { type: "array", items: { anyOf: titled }, minItems: 0.5 }, "minItems must be an integer"],
    ["an empty list of choices", { type: "string", enum: [] }, "choices must be at least 1 items"],
    ["choices that are not a list", { type: "string", enum: "a" }, "choices must be a list"],
    ["a choice of numbers", { type: "number", enum: [1, 2] }, "choices must be strings"],
    ["a number to choose", { type: "string", enum: ["a", 1] }, "choices.1 must be a string"],
    ["a title without value", { type: "string", oneOf: [...titled, { title: "Blue" }] }, "choices.2 must be a string"],
    ["a list of anything", { type: "array" }, "choices is required"],
    ["a list of free strings", { type: "array", items: { type: "string" } }, "choices is required"],
    ["a list of numbers", { type: "array", items: { type: "number", enum: [1] } }, "choices must be strings"],
    ["a list of objects", { type: "array", items: { type: "object", properties: {} } }, "choices is required"],
    ["a list with the titles of one choice", { type: "array", items: { oneOf: titled } }, "choices is required"],
    ["a default of another type", { type: "boolean", default: "yes" }, "default must be a boolean"],
    [
      "a default that is not a choice",
      { type: "string", enum: ["a"], default: "b" },
      "default must be one of the choices",
    ],
    ["a fractional default", { type: "integer", default: 1.5 }, "default must be an integer"],
    [
      "a default with an invalid choice",
      { type: "array", items: { type: "string", enum: ["a"] }, default: ["a", "b"] },
      "default.1 must be one of the choices",
    ],
  ];
  test.each(fields)("%s", (_, field, fault) =>
    expect(checkFormSchema(form(field), later)).toBe(`Form field "field": ${fault}`),
  );

  const forms: readonly [string, unknown, string][] = [
    ["nothing", undefined, 'A form needs type "object" and properties'],
    ["a string", { type: "string" }, 'A form needs type "object" and properties'],
    ["no properties", { type: "object" }, 'A form needs type "object" and properties'],
    ["a reference", { ...form({ type: "string" }), $ref: "#/a" }, "Forms do not support $ref"],
    ["a condition", { ...form({ type: "string" }), if: {} }, "Forms do not support if"],
    ["required that is not a list", form({ type: "string" }, "field"), "The form requires a name that is not a field"],
    ["a missing field", form({ type: "string" }, ["other"]), "The form requires a name that is not a field"],
    ["an inherited name", form({ type: "string" }, ["toString"]), "The form requires a name that is not a field"],
  ];
  test.each(forms)("form: %s", (_, schema, fault) => expect(checkFormSchema(schema, later)).toBe(fault));
});

describe("content", () => {
  const text = { type: "string", minLength: 2, maxLength: 3 };
  const number = { type: "number", minimum: 0, maximum: 1 };
  const colours = { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["red", "green"] } };
  const stamp = { type: "string", format: "date-time" };
  const rows: readonly [string, object, unknown, ...(readonly [string[], string] | [])][] = [
    ["as long as it may be", text, "abc"],
    ["counted in code points", text, "😀😀😀"],
    ["too short by code points", text, "😀", ["field"], "must be at least 2 characters"],
    ["too long", text, "abcd", ["field"], "must be at most 3 characters"],
    ["a number for a string", text, 12, ["field"], "must be a string"],
    ["null", text, null, ["field"], "must be a string"],
    ["the least number", number, 0],
    ["a fraction", number, 0.5],
    ["too small", number, -0.1, ["field"], "must be at least 0"],
    ["too large", number, 1.1, ["field"], "must be at most 1"],
    ["a numeric string", number, "1", ["field"], "must be a number"],
    ["not a number", number, Number.NaN, ["field"], "must be a number"],
    ["an integer written with a fraction", { type: "integer" }, 3.0],
    ["a fraction for an integer", { type: "integer" }, 3.5, ["field"], "must be an integer"],
    ["false", { type: "boolean" }, false],
    ["a word for a boolean", { type: "boolean" }, "true", ["field"], "must be a boolean"],
    ["one of the choices", { type: "string", enum: ["red"] }, "red"],
    ["none of the choices", { type: "string", enum: ["red"] }, "Red", ["field"], "must be one of the choices"],
    [
      "a name instead of the choice",
      { type: "string", enum: ["r"], enumNames: ["Red"] },
      "Red",
      ["field"],
      "must be one of the choices",
    ],
    ["a titled choice", { type: "string", oneOf: titled }, "#f00"],
    [
      "a title instead of the choice",
      { type: "string", oneOf: titled },
      "Red",
      ["field"],
      "must be one of the choices",
    ],
    ["several choices", colours, ["red", "green"]],
    ["a choice made twice", colours, ["red", "red"]],
    ["a string instead of a list", colours, "red", ["field"], "must be a list"],
    ["too few", colours, [], ["field"], "must be at least 1 items"],
    ["too many", colours, ["red", "red", "red"], ["field"], "must be at most 2 items"],
    ["an invalid choice", colours, ["red", "blue"], ["field", "1"], "must be one of the choices"],
    ["a choice that is not a string", colours, [1], ["field", "0"], "must be a string"],
    ["titled choices", { type: "array", items: { anyOf: titled } }, ["#0f0"]],
    [
      "titles instead",
      { type: "array", items: { anyOf: titled } },
      ["Green"],
      ["field", "0"],
      "must be one of the choices",
    ],
    ["an address", { type: "string", format: "email" }, "a.b+c@example.org"],
    ["an invalid address", { type: "string", format: "email" }, "a@b@c", ["field"], "must be a valid email"],
    ["a URI", { type: "string", format: "uri" }, "urn:isbn:1"],
    ["an invalid URI", { type: "string", format: "uri" }, "example.org/a b", ["field"], "must be a valid uri"],
    ["a leap day", { type: "string", format: "date" }, "2024-02-29"],
    [
      "February 29 of a common year",
      { type: "string", format: "date" },
      "2023-02-29",
      ["field"],
      "must be a valid date",
    ],
    ["an invalid month", { type: "string", format: "date" }, "2023-13-01", ["field"], "must be a valid date"],
    [
      "a time for a date",
      { type: "string", format: "date" },
      "2023-01-01T00:00:00Z",
      ["field"],
      "must be a valid date",
    ],
    ["a time", stamp, "2023-12-31T23:59:60.25+14:00"],
    ["a time on an invalid day", stamp, "2023-04-31T10:00:00Z", ["field"], "must be a valid date-time"],
    ["a time without zone", stamp, "2023-04-30T10:00:00", ["field"], "must be a valid date-time"],
    ["an invalid hour", stamp, "2023-04-30T24:00:00Z", ["field"], "must be a valid date-time"],
    ["a value on which a pattern would hang", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(50)}!`],
  ];
  test.each(rows)("%s", (_, field, value, path?, message?) => {
    const expected = message === undefined ? [] : [{ path, message }];
    expect(checkFormContent(form(field, ["field"]), { field: value })).toEqual(expected);
  });

  const two = { type: "object", properties: { a: { type: "string" }, b: { type: "boolean" } }, required: ["a"] };
  const whole: readonly [string, unknown, unknown, unknown][] = [
    ["without a required member", two, { b: true }, [{ path: ["a"], message: "is required" }]],
    ["with undefined for a required member", two, { a: undefined }, [{ path: ["a"], message: "is required" }]],
    ["without an optional member", two, { a: "" }, []],
    ["with an unknown member", two, { a: "", c: 1 }, []],
    [
      "with two issues",
      two,
      { b: 1 },
      [
        { path: ["a"], message: "is required" },
        { path: ["b"], message: "must be a boolean" },
      ],
    ],
    ["that is missing, with a required member", two, undefined, [{ path: ["a"], message: "is required" }]],
    ["that is missing, without required members", form({ type: "string" }), undefined, []],
    ["that is null", two, null, [{ path: [], message: "must be an object" }]],
    ["that is a list", two, [], [{ path: [], message: "must be an object" }]],
    ["with a required name that objects inherit", form({ type: "string" }, ["toString"]), {}, []],
    [
      "to a field that objects inherit",
      { type: "object", properties: { toString: { type: "string" } }, required: ["toString"] },
      {},
      [{ path: ["toString"], message: "is required" }],
    ],
  ];
  test.each(whole)("%s", (_, schema, content, expected) => expect(checkFormContent(schema, content)).toEqual(expected));
});

describe("defaults", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"boolean","default":false},"c":{"type":"string"},"__proto__":{"type":"string","default":"own"}}}',
  ) as object;
  const rows: readonly [string, Record<string, unknown> | undefined, string][] = [
    ["fill missing members", undefined, '{"a":"x","b":false,"__proto__":"own"}'],
    ["keep given members", { b: true, a: "", d: 1 }, '{"b":true,"a":"","d":1,"__proto__":"own"}'],
    ["fill undefined members", { a: undefined }, '{"a":"x","b":false,"__proto__":"own"}'],
  ];
  test.each(rows)("%s", (_, content, expected) => expect(JSON.stringify(withDefaults(schema, content))).toBe(expected));

  test("do not change the given content", () => {
    const content = Object.freeze({ c: "y" });
    expect(withDefaults(schema, content)).toMatchObject({ a: "x", c: "y" });
  });
});

const bounds = (least: string, most: string, arbitrary: fc.Arbitrary<number>): fc.Arbitrary<object> =>
  fc.record({ [least]: arbitrary, [most]: arbitrary }, { requiredKeys: [] });
const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 });
const titles = names.map((all) => all.map((value) => ({ const: value, title: value })));
const lengths = fc.nat(5);
const fields = fc.oneof(
  bounds("minLength", "maxLength", lengths).map((more) => ({ type: "string", ...more })),
  fc.constantFrom("email", "uri", "date", "date-time").map((format) => ({ type: "string", format })),
  bounds("minimum", "maximum", fc.double({ noNaN: true, noDefaultInfinity: true })).map((more) => ({
    type: "number",
    ...more,
  })),
  bounds("minimum", "maximum", fc.integer()).map((more) => ({ type: "integer", ...more })),
  fc.constant({ type: "boolean" }),
  names.map((all) => ({ type: "string", enum: all })),
  titles.map((all) => ({ type: "string", oneOf: all })),
  fc
    .tuple(names, bounds("minItems", "maxItems", lengths))
    .map(([all, more]) => ({ type: "array", items: { type: "string", enum: all }, ...more })),
  titles.map((all) => ({ type: "array", items: { anyOf: all } })),
);
const schemas = fc
  .dictionary(fc.string(), fields, { maxKeys: 4 })
  .map((properties) => ({ type: "object", properties, required: Object.keys(properties).slice(1) }));

describe("for any value", () => {
  test("valid forms are accepted, and checking them never throws", () => {
    fc.assert(
      fc.property(schemas, fc.anything(), fc.anything(), (schema, content, value) => {
        expect(checkFormSchema(schema, later)).toBeUndefined();
        expect(Array.isArray(checkFormContent(schema, content))).toBe(true);
        const answers = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, value]));
        expect(Array.isArray(checkFormContent(schema, answers))).toBe(true);
      }),
    );
  });

  test("no schema makes a check throw", () => {
    const keywords = fc.constantFrom(
      "type",
      "items",
      "enum",
      "oneOf",
      "anyOf",
      "minLength",
      "minimum",
      "minItems",
      "format",
      "default",
    );
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom("string", "number", "array", "date", "constructor"));
    const wild = fc.dictionary(keywords, values);
    fc.assert(
      fc.property(wild, fc.jsonValue(), fc.jsonValue(), (field, required, field2) => {
        const schema = { type: "object", properties: { field, field2 }, required };
        expect(["string", "undefined"]).toContain(typeof checkFormSchema(schema, later));
        for (const value of [required, "text", 1, ["text"]]) checkFormContent(schema, { field: value, field2: value });
        withDefaults(schema);
      }),
      { numRuns: 500 },
    );
  });

  test("valid defaults make valid content", () => {
    const complete = names.chain((all) =>
      fc.constantFrom(...all).map((preset) => form({ type: "string", enum: all, default: preset }, ["field"])),
    );
    fc.assert(fc.property(complete, (schema) => checkFormContent(schema, withDefaults(schema)).length === 0));
  });
});
