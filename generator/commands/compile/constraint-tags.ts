import { isPattern } from "../../shared/schema-code/keywords.js";
import type { DocTag } from "./doc-tag.js";
import type { JsonSchema } from "./tool-model.js";

type JsonKind = "string" | "number" | "array" | "object";

/** How to read a tag's text, and the kind of values it applies to. */
interface Rule {
  readonly kind?: JsonKind;
  readonly read: (text: string, schema: JsonSchema) => JsonSchema | string;
}

const number =
  (keyword: string, fits: (value: number) => boolean, what: string): Rule["read"] =>
  (text) => {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
    return Number.isFinite(value) && fits(value) ? { [keyword]: value } : `needs ${what}`;
  };
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
const any = (keyword: string): Rule["read"] => number(keyword, () => true, "a number");
const count = (keyword: string): Rule["read"] => number(keyword, isCount, "a whole number that is not negative");

const rules: Readonly<Record<string, Rule>> = {
  minimum: { kind: "number", read: any("minimum") },
  maximum: { kind: "number", read: any("maximum") },
  exclusiveMinimum: { kind: "number", read: any("exclusiveMinimum") },
  exclusiveMaximum: { kind: "number", read: any("exclusiveMaximum") },
  multipleOf: { kind: "number", read: number("multipleOf", (value) => value > 0, "a number greater than 0") },
  integer: { kind: "number", read: (text, schema) => (text === "" ? asInteger(schema) : "takes no value") },
  minLength: { kind: "string", read: count("minLength") },
  maxLength: { kind: "string", read: count("maxLength") },
  pattern: {
    kind: "string",
    read: (text) =>
      text !== "" && isPattern(text) ? { pattern: text } : "needs a regular expression that compiles with the flag u",
  },
  format: { kind: "string", read: (text) => (/^[\w-]+$/.test(text) ? { format: text } : "needs the name of a format") },
  minItems: { kind: "array", read: count("minItems") },
  maxItems: { kind: "array", read: count("maxItems") },
  uniqueItems: {
    kind: "array",
    read: (text) => (text === "" || text === "true" ? { uniqueItems: true } : "takes no value"),
  },
  minProperties: { kind: "object", read: count("minProperties") },
  maxProperties: { kind: "object", read: count("maxProperties") },
  additionalProperties: {
    kind: "object",
    read: (text) => (text === "false" ? { additionalProperties: false } : "accepts only the value false"),
  },
  title: { read: (text) => (text === "" ? "needs text" : { title: text }) },
  deprecated: { read: () => ({ deprecated: true }) },
  default: { read: (text, schema) => example("default", text, schema) },
  example: { read: (text, schema) => example("examples", text, schema) },
};

/** The tags that constrain values. */
export const memberTags: readonly string[] = Object.keys(rules);

const byLowerCase = new Map(Object.keys(rules).map((name) => [name.toLowerCase(), name]));

/**
 * Adds the constraints of tags to a schema. Ignores other tags.
 * @param refuse called for each invalid tag
 */
export function applyConstraintTags(
  schema: JsonSchema,
  tags: readonly DocTag[],
  refuse: (tag: string, problem: string) => void,
): JsonSchema {
  let result = schema;
  // `@integer` is applied first: it changes the type, which determines which other tags are valid.
  const ordered = [...tags].sort((a, b) => Number(b.name === "integer") - Number(a.name === "integer"));
  for (const { name, text } of ordered) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const meant = byLowerCase.get(name.toLowerCase());
    if (!rule) {
      if (meant !== undefined) refuse(name, `must be spelled @${meant}`);
      continue;
    }
    if (rule.kind && !accepts(result, rule.kind)) {
      refuse(name, `applies only to ${plural[rule.kind]}, but this type does not allow ${plural[rule.kind]}`);
      continue;
    }
    const found = rule.read(text, result);
    if (typeof found === "string") refuse(name, found);
    else result = { ...result, ...found, ...examples(result, found) };
  }
  return result;
}

const plural: Readonly<Record<JsonKind, string>> = {
  string: "strings",
  number: "numbers",
  array: "arrays",
  object: "objects",
};

function examples(before: JsonSchema, found: JsonSchema): JsonSchema {
  const [old, added] = [before["examples"], found["examples"]];
  return Array.isArray(old) && Array.isArray(added)
    ? { examples: [...(old as unknown[]), ...(added as unknown[])] }
    : {};
}

/** Whether the schema accepts values of a kind. */
function accepts(schema: JsonSchema, kind: JsonKind): boolean {
  const { type, anyOf, $ref } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((one) => accepts(one as JsonSchema, kind));
  if ($ref !== undefined) return kind === "object" || kind === "array";
  if (type === undefined) return true;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((one) => one === kind || (one === "integer" && kind === "number"));
}

function asInteger(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const change = (one: unknown): unknown => (one === "number" ? "integer" : one);
  return { type: Array.isArray(type) ? type.map(change) : change(type) };
}

/** Reads the text as JSON or, where strings are accepted, as a string. */
function example(keyword: "default" | "examples", text: string, schema: JsonSchema): JsonSchema | string {
  const value = parsed(text);
  const chosen = value !== undefined && fits(value, schema) ? value : fits(text, schema) ? text : undefined;
  if (text === "" || chosen === undefined) return "needs a value of the member's type, as JSON";
  return { [keyword]: keyword === "examples" ? [chosen] : chosen };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the schema accepts the type of a value. Does not check nested values. */
function fits(value: unknown, schema: JsonSchema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(value);
  if (schema["const"] !== undefined) return schema["const"] === value;
  if (Array.isArray(anyOf)) return anyOf.some((one) => fits(value, one as JsonSchema));
  if (type === undefined) return true;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const actual = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.some((one) => one === actual || (one === "integer" && Number.isInteger(value)));
}
