import { describe, expect, test } from "vitest";
import { defaultInputs, fillForm } from "../../../../../generator/commands/dev/page/form/fill-form.js";
import { type FieldInput, type FormField, keyOf } from "../../../../../generator/commands/dev/page/form/form-field.js";
import { planForm } from "../../../../../generator/commands/dev/page/form/plan-form.js";
import { readForm } from "../../../../../generator/commands/dev/page/form/read-form.js";

function fieldsOf(properties: object, others: object = {}): readonly FormField[] {
  return planForm({ type: "object", properties, ...others }) ?? [];
}

/** Reads a form whose inputs are given by the path of the field, joined with slashes. */
function read(fields: readonly FormField[], inputs: Readonly<Record<string, FieldInput>>) {
  const { value, problems } = readForm(
    fields,
    new Map(Object.entries(inputs).map(([path, input]) => [keyOf({ path: path.split("/") }), input])),
  );
  return { value, problems: [...problems] };
}

const choices = (...values: readonly unknown[]) => values.map((value) => ({ value, label: String(value) }));

test.each([
  ["a string", { type: "string" }, { kind: "text", isLong: true }],
  ["a short string", { type: "string", maxLength: 20 }, { kind: "text", isLong: false }],
  ["a string with a format", { type: "string", format: "email" }, { kind: "text", isLong: false, hint: "email" }],
  ["a number", { type: "number", minimum: 0 }, { kind: "number", isInteger: false, minimum: 0 }],
  ["an integer", { type: "integer", maximum: 9 }, { kind: "number", isInteger: true, maximum: 9 }],
  ["a boolean", { type: "boolean" }, { kind: "choice", choices: choices(true, false) }],
  ["an enum", { enum: ["a", 1, null] }, { kind: "choice", choices: choices("a", 1, null) }],
  ["a constant", { const: "a" }, { kind: "choice", choices: choices("a") }],
  [
    "choices with titles",
    { type: "string", oneOf: [{ const: "a", title: "First" }, { const: "b" }] },
    {
      kind: "choice",
      choices: [
        { value: "a", label: "First (a)" },
        { value: "b", label: "b" },
      ],
    },
  ],
  [
    "names of an enum",
    { type: "string", enum: ["a"], enumNames: ["First"] },
    { kind: "choice", choices: [{ value: "a", label: "First (a)" }] },
  ],
  ["a list of choices", { type: "array", items: { enum: ["a"] } }, { kind: "choices", choices: choices("a") }],
  ["another list", { type: "array", items: { type: "string" } }, { kind: "json", hint: "[…]" }],
  ["an object without members", { type: "object" }, { kind: "json", hint: "{…}" }],
  ["any value", {}, { kind: "json", hint: "a JSON value" }],
  ["several types", { type: ["string", "number"] }, { kind: "json", hint: "a JSON value" }],
  ["a boolean schema", true, { kind: "json", hint: "a JSON value" }],
  ["a string or null", { type: ["string", "null"] }, { kind: "text", isLong: true, isNullable: true }],
  ["null in a union", { anyOf: [{ type: "integer" }, { type: "null" }] }, { kind: "number", isNullable: true }],
  ["a reference", { $ref: "#/$defs/Age" }, { kind: "number", isInteger: true, description: "In years" }],
  ["a reference to nothing", { $ref: "#/$defs/None" }, { kind: "json" }],
])("the field of %s", (_, schema, expected) => {
  const $defs = { Age: { type: "integer", description: "In years" } };
  const [field] = fieldsOf({ one: schema }, { $defs });
  expect(field).toMatchObject({ path: ["one"], title: "one", isRequired: false, isNullable: false, ...expected });
});

test("fields have the title, description and default of their schema, and required ones are marked", () => {
  const fields = fieldsOf(
    { a: { type: "string", title: "First", description: "About", default: "x" }, b: { type: "string" } },
    { required: ["a"] },
  );
  expect(fields).toEqual([
    {
      path: ["a"],
      title: "First",
      description: "About",
      default: "x",
      isRequired: true,
      isNullable: false,
      kind: "text",
      isLong: true,
    },
    { path: ["b"], title: "b", isRequired: false, isNullable: false, kind: "text", isLong: true },
  ]);
});

test("objects in objects get fields of their own, and recursive ones end as JSON", () => {
  const [node] = fieldsOf(
    { node: { $ref: "#/$defs/Node" } },
    { $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } } },
  );
  const inner = node?.kind === "object" ? node.fields[0] : undefined;
  expect(inner).toMatchObject({ kind: "object", path: ["node", "next"] });
  const last = inner?.kind === "object" ? inner.fields[0] : undefined;
  expect(last).toMatchObject({ kind: "json", path: ["node", "next", "next"] });
});

describe("a schema", () => {
  test.each([
    ["without members has no fields", { type: "object" }, 0],
    ["with an empty list of members has no fields", { type: "object", properties: {} }, 0],
    ["that allows other members is for JSON", { type: "object", additionalProperties: true }, undefined],
    ["that is a union is for JSON", { anyOf: [{ type: "object" }] }, undefined],
    ["that is not an object is for JSON", "schema", undefined],
  ])("%s", (_, schema, count) => expect(planForm(schema)?.length).toBe(count));
});

const fields = fieldsOf(
  {
    name: { type: "string" },
    age: { type: "integer" },
    size: { type: "number" },
    tone: { enum: ["kind", "formal"] },
    tags: { type: "array", items: { enum: ["a", "b"] } },
    more: {},
    place: {
      type: "object",
      properties: { city: { type: "string" }, floor: { type: "integer" } },
      required: ["city", "floor"],
    },
    note: { type: ["string", "null"] },
  },
  { required: ["name", "note"] },
);

test.each([
  ["nothing", {}, { name: "", note: null }],
  ["texts", { name: " Ada ", note: "x" }, { name: " Ada ", note: "x" }],
  ["numbers", { age: "-3", size: "1.5e2" }, { name: "", age: -3, size: 150, note: null }],
  ["choices", { tone: [1], tags: [0, 1] }, { name: "", tone: "formal", tags: ["a", "b"], note: null }],
  ["JSON", { more: '{"a": [1]}' }, { name: "", more: { a: [1] }, note: null }],
  [
    "an object",
    { "place/city": "Rome", "place/floor": "2" },
    { name: "", place: { city: "Rome", floor: 2 }, note: null },
  ],
])("reads %s", (_, inputs, value) => expect(read(fields, inputs)).toEqual({ value, problems: [] }));

test.each([
  ["a word as a number", { size: "many" }, "size", "Enter a number."],
  ["blanks as a number", { size: " " }, "size", "Enter a number."],
  ["a fraction as an integer", { age: "1.5" }, "age", "Enter a whole number."],
  ["invalid JSON", { more: "{" }, "more", "This is not JSON"],
  ["a used object without a required member", { "place/city": "Rome" }, "place/floor", "This is required."],
])("does not read %s", (_, inputs, path, problem) => {
  const { problems } = read(fields, inputs);
  expect(problems).toEqual([[keyOf({ path: path.split("/") }), expect.stringContaining(problem)]]);
});

test("members keep names that objects have anyway", () => {
  const [field] = fieldsOf(JSON.parse('{"__proto__": {"type": "string"}}') as object);
  expect(JSON.stringify(readForm(field ? [field] : [], new Map([['["__proto__"]', "x"]])).value)).toBe(
    '{"__proto__":"x"}',
  );
});

test.each([
  [
    "all kinds",
    {
      name: "Ada",
      age: 3,
      size: 1.5,
      tone: "kind",
      tags: ["b"],
      more: [1],
      place: { city: "Rome", floor: 1 },
      note: null,
    },
    true,
  ],
  ["members that have no field", { name: "Ada", other: 1 }, false],
  ["a value of another type", { name: 1 }, false],
  ["another choice", { tone: "rude" }, false],
  ["no object", [], false],
])("JSON with %s", (_, value, isShown) => {
  const inputs = fillForm(fields, value);
  expect(inputs !== undefined).toBe(isShown);
  if (inputs) expect(readForm(fields, inputs).value).toEqual(value);
});

test("the defaults of a schema fill its form", () => {
  const planned = fieldsOf({
    times: { type: "integer", default: 2 },
    loud: { type: "boolean", default: false },
    place: { type: "object", properties: { city: { type: "string", default: "Rome" } } },
  });
  expect(readForm(planned, defaultInputs(planned)).value).toEqual({ times: 2, loud: false, place: { city: "Rome" } });
});
