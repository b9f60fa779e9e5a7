import { isObject, ownMember } from "../engine/json-rpc.js";

/** What a schema is written in; draft-06 is read as draft-07, which only adds to it. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

const dialects: Readonly<Record<string, Dialect>> = {
  "json-schema.org/draft-06/schema": "draft-07",
  "json-schema.org/draft-07/schema": "draft-07",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft/2020-12/schema": "2020-12",
};

/** The dialect that a `$schema` names, if it is one of ours. */
export function dialectOf($schema: unknown): Dialect | undefined {
  const key = typeof $schema === "string" ? $schema.replace(/^https?:\/\//, "").replace(/#$/, "") : "";
  return ownMember(dialects, key);
}

/** Where a keyword has its subschemas. */
export type Holder = "schema" | "list" | "map" | "schema or list" | "dependencies";

/** What a keyword may hold: subschemas somewhere, or a plain value that passes the test. */
export type KeywordKind = Holder | ((value: unknown) => boolean);

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

/** Keyword, what it holds, and the dialects that have it when not all do. */
const table: readonly (readonly [string, KeywordKind, (readonly Dialect[])?])[] = [
  ...["additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"].map(
    (name) => [name, "schema"] as const,
  ),
  ...["contentSchema", "unevaluatedItems", "unevaluatedProperties"].map(
    (name) => [name, "schema", ["2019-09", "2020-12"]] as const,
  ),
  ...["allOf", "anyOf", "oneOf"].map((name) => [name, "list"] as const),
  ...["$defs", "definitions", "patternProperties", "properties"].map((name) => [name, "map"] as const),
  ["dependentSchemas", "map", ["2019-09", "2020-12"]],
  ["dependencies", "dependencies"],
  ["items", "schema or list", ["draft-07", "2019-09"]],
  ["items", "schema", ["2020-12"]],
  ["prefixItems", "list", ["2020-12"]],
  ["additionalItems", "schema", ["draft-07", "2019-09"]],
  ...["$comment", "$id", "$ref", "$schema", "description", "format", "pattern", "title"].map(
    (name) => [name, isString] as const,
  ),
  ["$anchor", isString, ["2019-09", "2020-12"]],
  ["$recursiveRef", isString, ["2019-09"]],
  ["$recursiveAnchor", isBoolean, ["2019-09"]],
  ["$dynamicRef", isString, ["2020-12"]],
  ["$dynamicAnchor", isString, ["2020-12"]],
  ...["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"].map((name) => [name, isNumber] as const),
  ["multipleOf", isPositive],
  ...["maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"].map(
    (name) => [name, isCount] as const,
  ),
  ...["maxContains", "minContains"].map((name) => [name, isCount, ["2019-09", "2020-12"]] as const),
  ["uniqueItems", isBoolean],
  ["required", areStrings],
  ["dependentRequired", areNames, ["2019-09", "2020-12"]],
  ["type", isType],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ...["const", "default"].map((name) => [name, isAnything] as const),
  ["examples", (value) => Array.isArray(value)],
];

const byDialect = new Map<Dialect, ReadonlyMap<string, KeywordKind>>(
  (["draft-07", "2019-09", "2020-12"] as const).map((dialect) => [
    dialect,
    new Map(table.filter(([, , only]) => only?.includes(dialect) ?? true).map(([name, kind]) => [name, kind])),
  ]),
);

/** The keywords of a dialect; any other is an annotation. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, KeywordKind> {
  return byDialect.get(dialect) ?? new Map<string, KeywordKind>();
}

const everyKeyword: ReadonlySet<string> = new Set(table.map(([name]) => name));

/** Whether some dialect has this keyword, so that an engine may act on it where it is an annotation. */
export function isKeywordSomewhere(name: string): boolean {
  return everyKeyword.has(name);
}
