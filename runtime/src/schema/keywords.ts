import { isObject, ownMember } from "../jsonrpc/guards.js";

/** The dialect of a schema; draft-06 is read as draft-07, which only adds to it. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

const dialects: Readonly<Record<string, Dialect>> = {
  "json-schema.org/draft-06/schema": "draft-07",
  "json-schema.org/draft-07/schema": "draft-07",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft/2020-12/schema": "2020-12",
};

/** The dialect that a `$schema` identifies, if it is supported. */
export function dialectOf($schema: unknown): Dialect | undefined {
  const key = typeof $schema === "string" ? $schema.replace(/^https?:\/\//, "").replace(/#$/, "") : "";
  return ownMember(dialects, key);
}

/** The value of a keyword: subschemas in some form, or a plain value that passes the test. */
export type KeywordKind = "schema" | "list" | "map" | "schema or list" | "dependencies" | ((value: unknown) => boolean);

const isString = (value: unknown): boolean => typeof value === "string";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const areStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;
const typeNames = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isType = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && areStrings(value) && value.every((name) => typeNames.has(name as string))
    : typeNames.has(value as string);
const isPositive = (value: unknown): boolean => isNumber(value) && (value as number) > 0;
const areNames = (value: unknown): boolean => isObject(value) && Object.values(value).every(areStrings);
const isAnything = (): boolean => true;

const until2019: readonly Dialect[] = ["draft-07", "2019-09"];
const since2019: readonly Dialect[] = ["2019-09", "2020-12"];

/** Keywords, their kind, and the dialects that have them, unless all do. */
const table: readonly (readonly [names: readonly string[], kind: KeywordKind, only?: readonly Dialect[]])[] = [
  [["additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"], "schema"],
  [["contentSchema", "unevaluatedItems", "unevaluatedProperties"], "schema", since2019],
  [["allOf", "anyOf", "oneOf"], "list"],
  [["$defs", "definitions", "patternProperties", "properties"], "map"],
  [["dependentSchemas"], "map", since2019],
  [["dependencies"], "dependencies"],
  [["items"], "schema or list", until2019],
  [["items"], "schema", ["2020-12"]],
  [["prefixItems"], "list", ["2020-12"]],
  [["additionalItems"], "schema", until2019],
  [["$comment", "$id", "$ref", "$schema", "description", "format", "pattern", "title"], isString],
  [["$anchor"], isString, since2019],
  [["$recursiveRef"], isString, ["2019-09"]],
  [["$recursiveAnchor"], isBoolean, ["2019-09"]],
  [["$dynamicRef", "$dynamicAnchor"], isString, ["2020-12"]],
  [["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"], isNumber],
  [["multipleOf"], isPositive],
  [["maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"], isCount],
  [["maxContains", "minContains"], isCount, since2019],
  [["uniqueItems"], isBoolean],
  [["required"], areStrings],
  [["dependentRequired"], areNames, since2019],
  [["type"], isType],
  [["enum"], (value) => Array.isArray(value) && value.length > 0],
  [["const", "default"], isAnything],
  [["examples"], (value) => Array.isArray(value)],
];

/** The keywords of a dialect; all others are annotations. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, KeywordKind> {
  const own = table.filter(([, , only]) => only?.includes(dialect) ?? true);
  return new Map(own.flatMap(([names, kind]) => names.map((name) => [name, kind])));
}

/** The keywords of all dialects: an engine may apply one even if it is an annotation in the dialect. */
export const everyKeyword: ReadonlySet<string> = new Set(table.flatMap(([names]) => names));
