import { isObject } from "../../../shared/is-object.js";
import { sampleOf } from "../../../shared/schema-code/pattern-sample.js";
import type { BoundedSchemas } from "./bounded-schemas.js";
import { mergeAllOf } from "./merge-all-of.js";
import type { JsonObject } from "./openapi-document.js";
import { isOpen, isPattern } from "./print-zod.js";
import type { Schema } from "./schema-table.js";

/** Thrown when no value of a schema is found, such as one for a pattern that is too complex. */
export class NoSample extends Error {}

/** How deep optional members are filled. */
const maxDepth = 4;
const maxRequiredDepth = 40;

/** A value of a schema: with all members, or only with the required ones. @throws NoSample */
export function sampleValue(schema: Schema, schemas: BoundedSchemas, members: "all" | "required"): unknown {
  const follow = (one: Schema): Schema => schemas.follow(one);

  const sample = (schema: Schema, depth: number): unknown => {
    if (depth > maxRequiredDepth) throw new NoSample("the schema requires itself");
    const followed = follow(schema);
    if (!isObject(followed)) {
      if (!followed) throw new NoSample("no value is valid");
      return "text";
    }
    if ("const" in followed) return followed["const"];
    if (Array.isArray(followed["enum"])) return sampleEnum(followed["enum"], followed);
    if (Array.isArray(followed["allOf"])) return sampleAll(followed, depth);
    const { anyOf, oneOf, ...rest } = followed;
    const alternatives = anyOf ?? oneOf;
    if (!Array.isArray(alternatives) || alternatives.length === 0) return sampleType(followed, depth);
    return sampleAny(alternatives as readonly Schema[], rest, depth);
  };

  const sampleAll = (schema: JsonObject, depth: number): unknown => {
    const merged = mergeAllOf(schema, follow);
    if (merged) return sample(merged, depth + 1);
    const { allOf, ...rest } = schema;
    const parts = [...(allOf as readonly Schema[]), rest].filter((one) => !isOpen(one));
    const values = parts.map((one) => sample(one, depth + 1));
    if (new Set(values.map(typeOf)).size > 1) throw new NoSample("no value has all types of allOf");
    const objects = values.filter(isObject);
    return objects.length === 0 ? values[0] : (Object.assign({}, ...objects) as unknown);
  };

  /** The first alternative that has a value; those that only require members are joined with what stands beside them. */
  const sampleAny = (alternatives: readonly Schema[], rest: JsonObject, depth: number): unknown => {
    const beside = Object.keys(rest).some((key) => key === "type" || key === "properties");
    const ranked = [...alternatives].sort((a, b) => Number(isNull(a)) - Number(isNull(b)));
    let failure: unknown;
    for (const one of ranked) {
      try {
        if (!beside) return sample(one, depth + 1);
        const joined = isObject(one) && one["$ref"] === undefined ? joinRequired(rest, one) : undefined;
        if (joined) return sample(joined, depth + 1);
        const [own, other] = [sample(rest, depth + 1), sample(one, depth + 1)];
        if (!isObject(own) || !isObject(other)) return other;
        refuseOthers(rest, other);
        return { ...own, ...other };
      } catch (error) {
        if (!(error instanceof NoSample)) throw error;
        failure = error;
      }
    }
    throw failure;
  };

  const sampleType = (schema: JsonObject, depth: number): unknown => {
    const type = Array.isArray(schema["type"])
      ? (schema["type"] as unknown[]).find((one) => one !== "null")
      : schema["type"];
    switch (type) {
      case "string":
        return sampleString(schema);
      case "integer":
      case "number":
        return sampleNumber(schema, type === "integer");
      case "boolean":
        return true;
      case "array":
        return sampleArray(schema, depth);
      case "object":
        return sampleObject(schema, depth);
      case undefined:
        if (isObject(schema["properties"]) || isObject(schema["additionalProperties"]))
          return sampleObject(schema, depth);
        return schema["items"] === undefined ? "text" : sampleArray(schema, depth);
      default:
        return null;
    }
  };

  const sampleArray = ({ items, minItems }: JsonObject, depth: number): unknown => {
    const least = typeof minItems === "number" ? minItems : 0;
    // A required parameter without items is written like an absent one.
    if (least === 0 && depth > 0 && (depth >= maxDepth || members === "required")) return [];
    const count = Math.max(1, least);
    const first = sample((items ?? true) as Schema, depth + 1);
    return Array.from({ length: count }, (_, index) => differentFrom(first, index));
  };

  const sampleObject = (schema: JsonObject, depth: number): unknown => {
    const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const result: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(properties)) {
      if (name === "__proto__") continue;
      if (required.has(name)) result[name] = sample(one as Schema, depth + 1);
      else if (members === "all" && depth < maxDepth) {
        try {
          result[name] = sample(one as Schema, depth + 1);
        } catch (error) {
          if (!(error instanceof NoSample)) throw error;
        }
      }
    }
    const further = schema["additionalProperties"];
    for (const name of required)
      if (!Object.hasOwn(result, name)) result[name] = sample(isObject(further) ? further : true, depth + 1);
    const names = schema["propertyNames"];
    const least = typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
    const isMap = isObject(further) && Object.keys(properties).length === 0 && members === "all" && depth < maxDepth;
    for (let number = 1; Object.keys(result).length < Math.max(least, isMap ? 1 : 0); number++) {
      const optional = Object.keys(properties).find((name) => !Object.hasOwn(result, name));
      if (number > 100) throw new NoSample("too many members");
      if (optional !== undefined) result[optional] = sample(properties[optional] as Schema, depth + 1);
      else
        result[isObject(names) ? String(sample(names, depth + 1)) : `key${number}`] = sample(
          isObject(further) ? further : true,
          depth + 1,
        );
    }
    return result;
  };

  return sample(schema, 0);
}

/** Members that a schema does not describe must have the type of its `additionalProperties`. */
function refuseOthers({ properties, additionalProperties }: JsonObject, value: JsonObject): void {
  const type = isObject(additionalProperties) ? additionalProperties["type"] : undefined;
  if (typeof type !== "string" && additionalProperties !== false) return;
  for (const [name, member] of Object.entries(value)) {
    if (isObject(properties) && Object.hasOwn(properties, name)) continue;
    const fits = typeOf(member) === type || (type === "number" && typeof member === "number");
    if (additionalProperties === false || !fits) throw new NoSample(`the schema beside it does not allow ${name}`);
  }
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && schema["type"] === "null";
}

/** An object schema with the members that an alternative requires; undefined if the alternative says more. */
function joinRequired(schema: JsonObject, alternative: JsonObject): JsonObject | undefined {
  if (!Object.keys(alternative).every((key) => key === "required" || key === "description")) return undefined;
  const required = [schema, alternative].flatMap((one) => (one["required"] ?? []) as readonly unknown[]);
  return { ...schema, required };
}

function sampleEnum(values: readonly unknown[], { type }: JsonObject): unknown {
  const fits = (value: unknown): boolean =>
    type === undefined ||
    Array.isArray(type) ||
    typeOf(value) === type ||
    (type === "number" && typeof value === "number");
  const found = values.find((value) => value !== null && value !== "" && fits(value)) ?? values.find(fits);
  if (found === undefined) throw new NoSample("no value of the enum has the type");
  return found;
}

function typeOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

const ofFormat: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "user@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "2f1b8c4e-5d3a-4b7c-9e6f-0a1b2c3d4e5f",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "dGV4dA==",
  binary: "dGV4dA==",
};

function sampleString({ pattern, minLength, maxLength, format }: JsonObject): string {
  const least = typeof minLength === "number" ? minLength : 0;
  const most = typeof maxLength === "number" ? maxLength : Infinity;
  const fits = (value: string): boolean => value.length >= least && value.length <= most;
  const matches = typeof pattern === "string" && isPattern(pattern) ? new RegExp(pattern, "u") : undefined;
  const usual = (typeof format === "string" ? ofFormat[format] : undefined) ?? "text";
  for (const value of [usual, "text", "a", "1", "A1"])
    if (fits(value) && (!matches || matches.test(value))) return value;
  if (typeof pattern === "string" && matches) {
    let sample: string | undefined;
    try {
      sample = sampleOf(pattern, least);
    } catch {
      throw new NoSample(`no text is found for the pattern ${pattern}`);
    }
    if (sample === undefined || !fits(sample)) throw new NoSample(`no text is found for the pattern ${pattern}`);
    return sample;
  }
  if (least > 10_000 || least > most) throw new NoSample("the text is too long");
  return "text".repeat(Math.ceil(least / 4) + 1).slice(0, Math.max(least, Math.min(most, 4)));
}

function sampleNumber(schema: JsonObject, isInteger: boolean): number {
  const limit = (key: string): number | undefined => (typeof schema[key] === "number" ? schema[key] : undefined);
  const step = limit("multipleOf") ?? (isInteger ? 1 : 0);
  const [above, below] = [limit("exclusiveMinimum"), limit("exclusiveMaximum")];
  const [least, most] = [limit("minimum"), limit("maximum")];
  const fits = (value: number): boolean =>
    (least === undefined || value >= least) &&
    (most === undefined || value <= most) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below) &&
    (!isInteger || Number.isInteger(value)) &&
    (step === 0 || Number.isInteger(value / step));
  const start = least ?? above ?? most ?? below ?? 1;
  const candidates = [
    1,
    2,
    start,
    start + (step || 0.5),
    start - (step || 0.5),
    start + 1,
    start - 1,
    Math.ceil(start),
    Math.floor(start),
    0,
    step,
    step > 0 ? Math.ceil(start / step) * step : 0,
  ];
  const found = candidates.find(fits);
  if (found === undefined) throw new NoSample("no number is within the limits");
  return found;
}

/** Items of a list must be different if `uniqueItems` is set. */
function differentFrom(value: unknown, index: number): unknown {
  if (index === 0) return value;
  if (typeof value === "number") return value + index;
  return value;
}
