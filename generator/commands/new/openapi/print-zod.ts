import { isObject } from "../../../shared/is-object.js";
import { code, type Code, data, entryKey, inherits, join, literal } from "../../../shared/code/code.js";
import { type BoundedSchemas, type Direction, referenceOf } from "./bounded-schemas.js";
import { mergeAllOf } from "./merge-all-of.js";
import type { JsonObject } from "./openapi-document.js";
import type { Schema } from "./schema-table.js";
import { TypeDepths } from "./type-depths.js";

/** Prints JSON Schemas as zod schemas. Keywords without a counterpart in zod are left out, so that the printed schema accepts more. */
export class ZodPrinter {
  readonly #schemas: BoundedSchemas;
  readonly #direction: Direction;
  /** How to name a schema of the table. */
  readonly #reference: (name: string) => Code;
  readonly #depths: TypeDepths;

  constructor(schemas: BoundedSchemas, direction: Direction, reference: (name: string) => Code) {
    this.#schemas = schemas;
    this.#direction = direction;
    this.#reference = reference;
    this.#depths = new TypeDepths(schemas);
  }

  print(schema: Schema): Code {
    if (typeof schema === "boolean") return schema ? code`z.unknown()` : code`z.never()`;
    return this.#annotate(this.#value(schema), schema);
  }

  /** The schema as an object schema; undefined if it is none that zod can print as one. */
  printObject(schema: Schema): Code | undefined {
    const name = referenceOf(schema);
    const followed = this.#schemas.follow(schema);
    const merged = isObject(followed) ? this.#merged(followed) : undefined;
    if (merged && referenceOf(merged) !== undefined && referenceOf(merged) !== name) return this.printObject(merged);
    if (merged?.["type"] !== "object" || merged["anyOf"] !== undefined || merged["oneOf"] !== undefined)
      return undefined;
    return name === undefined ? this.print(schema) : this.#reference(name);
  }

  #value(schema: JsonObject): Code {
    const name = referenceOf(schema);
    if (name !== undefined) return this.#reference(name);
    if ("const" in schema) return literals([schema["const"]]);
    if (Array.isArray(schema["enum"])) return literals(schema["enum"]);
    const { allOf, anyOf, oneOf } = schema;
    if (Array.isArray(allOf)) return this.#all(schema, allOf as readonly Schema[]);
    const alternatives = anyOf ?? oneOf;
    if (Array.isArray(alternatives)) return this.#any(schema, alternatives as readonly Schema[]);
    return this.#ofType(schema);
  }

  #all(schema: JsonObject, allOf: readonly Schema[]): Code {
    const merged = this.#merged(schema);
    if (merged) return this.#value(merged);
    const { allOf: _, ...rest } = schema;
    const parts = [...allOf, ...(hasType(rest) ? [rest] : [])]
      .filter((part) => !isOpen(part))
      .map((one) => this.print(one));
    return parts.length === 0
      ? code`z.unknown()`
      : parts.reduce((left, right) => code`z.intersection(${left}, ${right})`);
  }

  #merged(schema: JsonObject): JsonObject | undefined {
    return mergeAllOf(schema, (one) => this.#schemas.follow(one));
  }

  #any(schema: JsonObject, alternatives: readonly Schema[]): Code {
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    const isNull = (one: Schema): boolean => isObject(one) && one["type"] === "null";
    const others = alternatives.filter((one) => !isNull(one));
    // Without `type`, what stands beside concerns only the alternatives that are objects.
    const isOfType =
      rest["type"] !== undefined || (isObject(rest["properties"]) && others.every((one) => this.#mayBeObject(one)));
    const own = isOfType ? this.#ofType(rest) : undefined;
    // Alternatives that only require other members say nothing that zod can say.
    if (others.some(isOpen)) return own ?? code`z.unknown()`;
    const printed = [...new Set(others.map((one) => this.print(one)))];
    const [only] = printed;
    const union =
      printed.length === 1 && only
        ? only
        : printed.length === 0
          ? code`z.null()`
          : code`z.union([${join(printed, ", ")}])`;
    const nullable = others.length < alternatives.length && printed.length > 0 ? code`${union}.nullable()` : union;
    return own ? code`z.intersection(${own}, ${nullable})` : nullable;
  }

  #mayBeObject(schema: Schema): boolean {
    const followed = this.#schemas.follow(schema);
    return isObject(followed) && (followed["type"] === undefined || followed["type"] === "object");
  }

  #ofType(schema: JsonObject): Code {
    const { type } = schema;
    if (Array.isArray(type)) {
      const types = type.filter((one) => one !== "null");
      const printed = types.map((one) => this.#ofOneType({ ...schema, type: one as unknown }));
      const [only] = printed;
      if (!only) return code`z.null()`;
      const union = printed.length === 1 ? only : code`z.union([${join(printed, ", ")}])`;
      return types.length < type.length ? code`${union}.nullable()` : union;
    }
    return this.#ofOneType(schema);
  }

  #ofOneType(schema: JsonObject): Code {
    switch (schema["type"] ?? impliedType(schema)) {
      case "string":
        return this.#string(schema);
      case "integer":
        return withLimits(code`z.int()`, schema);
      case "number":
        return withLimits(code`z.number()`, schema);
      case "boolean":
        return code`z.boolean()`;
      case "null":
        return code`z.null()`;
      case "array":
        return this.#stated(schema, this.#array(schema), code`unknown[]`);
      case "object":
        return this.#stated(schema, this.#object(schema), code`Record<string, unknown>`);
      default:
        return code`z.unknown()`;
    }
  }

  #stated(schema: JsonObject, printed: Code, type: Code): Code {
    return this.#depths.isTooDeep(schema) ? code`(${printed} as z.ZodType<${type}>)` : printed;
  }

  #string({ minLength, maxLength, pattern }: JsonObject): Code {
    const parts = [code`z.string()`];
    if (isCount(minLength) && minLength > 0) parts.push(code`.min(${literal(minLength)})`);
    if (isCount(maxLength)) parts.push(code`.max(${literal(maxLength)})`);
    // Responses are not matched, because a slow pattern would let the API stop the server.
    if (typeof pattern === "string" && this.#direction === "request" && isPattern(pattern))
      parts.push(code`.regex(new RegExp(${literal(pattern)}, "u"))`);
    return join(parts, "");
  }

  #array({ items, minItems, maxItems }: JsonObject): Code {
    const item = items === undefined || Array.isArray(items) ? code`z.unknown()` : this.print(items as Schema);
    const parts = [code`z.array(${item})`];
    if (isCount(minItems) && minItems > 0) parts.push(code`.min(${literal(minItems)})`);
    if (isCount(maxItems)) parts.push(code`.max(${literal(maxItems)})`);
    return join(parts, "");
  }

  #object(schema: JsonObject): Code {
    const { properties, additionalProperties } = schema;
    const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
    const declared = isObject(properties) ? properties : {};
    // zod reads members that every object inherits, such as `constructor`, as given.
    const usable = Object.entries(declared).filter(([name]) => required.has(name) || !inherits(name));
    const members = usable.map(([name, one]) => {
      const printed = this.print(one as Schema);
      return code`${entryKey(name)}: ${required.has(name) ? printed : code`${printed}.optional()`}`;
    });
    // Required members that the schema does not describe.
    for (const name of required)
      if (typeof name === "string" && !Object.hasOwn(declared, name))
        members.push(code`${entryKey(name)}: z.unknown()`);
    const others = isObject(additionalProperties) && !isOpen(additionalProperties) ? additionalProperties : undefined;
    if (members.length === 0 && others) return code`z.record(z.string(), ${this.print(others)})`;
    const body = code`{ ${join(members, ", ")} }`;
    if (others) return code`z.object(${body}).catchall(${this.print(others)})`;
    return additionalProperties === false ? code`z.strictObject(${body})` : code`z.looseObject(${body})`;
  }

  /** Descriptions and formats, which the validation does not use. */
  #annotate(printed: Code, schema: JsonObject): Code {
    const { description, format, uniqueItems } = schema;
    const fallback = schema["default"];
    const text = typeof description === "string" ? shorten(description) : "";
    const isRequest = this.#direction === "request";
    const facts = {
      ...(text !== "" && { description: text }),
      ...(isRequest && typeof format === "string" && informative.has(format) && { format }),
      ...(isRequest && fallback !== undefined && referenceOf(schema) === undefined && { default: fallback }),
      ...(isRequest && uniqueItems === true && { uniqueItems }),
    };
    const keys = Object.keys(facts);
    if (keys.length === 0) return printed;
    return text !== "" && keys.length === 1
      ? code`${printed}.describe(${literal(text)})`
      : code`${printed}.meta(${data(facts)})`;
  }
}

const informative = new Set(
  "date date-time time duration email uri url uuid hostname ipv4 ipv6 byte binary password".split(" "),
);
const maxDescription = 600;

function shorten(description: string): string {
  const text = description.trim();
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription - 1).trimEnd()}…`;
}

function literals(values: readonly unknown[]): Code {
  const scalars = [...new Set(values.filter((value) => value === null || typeof value !== "object"))];
  if (scalars.length < new Set(values).size || scalars.length === 0) return code`z.unknown()`;
  const texts = scalars.filter((value) => typeof value === "string");
  const rest = scalars.filter((value) => value !== null);
  const nullable = rest.length < scalars.length ? code`.nullable()` : code``;
  if (rest.length === 0) return code`z.null()`;
  if (texts.length === rest.length && rest.length > 1) return code`z.enum(${data(texts)})${nullable}`;
  return code`z.literal(${rest.length === 1 ? data(rest[0]) : data(rest)})${nullable}`;
}

function withLimits(start: Code, schema: JsonObject): Code {
  const limits = [
    ["minimum", "min"],
    ["maximum", "max"],
    ["exclusiveMinimum", "gt"],
    ["exclusiveMaximum", "lt"],
    ["multipleOf", "multipleOf"],
  ] as const;
  return limits.reduce((printed, [keyword, method]) => {
    const value = schema[keyword];
    if (typeof value !== "number" || (keyword === "multipleOf" && value <= 0)) return printed;
    // Limits of 64 bits are beyond the numbers of JSON in JavaScript.
    if (!Number.isSafeInteger(Math.trunc(value))) return printed;
    return code`${printed}.${method as Code}(${literal(value)})`;
  }, start);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Whether a pattern is valid with the flag `u`, as JSON Schema demands. */
export function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function hasType(schema: JsonObject): boolean {
  return schema["type"] !== undefined || impliedType(schema) !== undefined;
}

function impliedType(schema: JsonObject): string | undefined {
  if (isObject(schema["properties"]) || isObject(schema["additionalProperties"])) return "object";
  return schema["items"] !== undefined ? "array" : undefined;
}

/** Whether zod has nothing to say about a schema. */
export function isOpen(schema: Schema): boolean {
  if (typeof schema === "boolean") return schema;
  return !["$ref", "const", "enum", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in schema) && !hasType(schema);
}
