import type { Tags } from "../../shared/model/source.js";
import type { JsonReader, Pointer, Schema } from "./json-reader.js";

/** A type name of JSON Schema. */
export type TypeName = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** What a schema without `type` allows. */
export const allTypes: readonly TypeName[] = ["string", "number", "boolean", "null", "array", "object"];

export const typeNames: ReadonlySet<unknown> = new Set<TypeName>([...allTypes, "integer"]);

/** Keywords that say nothing about which values are valid. */
const prose: ReadonlySet<string> = new Set([
  ..."$schema $comment title description examples default deprecated readOnly writeOnly".split(" "),
  ..."contentEncoding contentMediaType contentSchema".split(" "),
  // Those of editors.
  ..."markdownDescription enumDescriptions markdownEnumDescriptions enumItemLabels defaultSnippets".split(" "),
  ..."deprecationMessage errorMessage patternErrorMessage doNotSuggest suggestSortText allowComments allowTrailingCommas tsType tsEnumNames tsAdditionalProperties".split(
    " ",
  ),
]);

/** Keywords about values of one type. */
const ofType = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern", "format"],
  array: ["items", "minItems", "maxItems", "uniqueItems"],
  object: [
    ..."properties required additionalProperties patternProperties propertyNames minProperties maxProperties".split(
      " ",
    ),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const typed: ReadonlySet<string> = new Set(Object.values(ofType).flat());

/** Keywords that combine the schemas inside them. */
const combining = ["$ref", "const", "enum", "anyOf", "oneOf", "allOf", "not", "if"] as const;
const dependent = ["dependentRequired", "dependentSchemas", "dependencies"] as const;

const known: ReadonlySet<string> = new Set(["type", "nullable", ...typed, ...combining, ...dependent]);

/** Whether a schema has keywords about values of one type; `format` alone has no effect. */
export function hasTypedKeywords(schema: Schema): boolean {
  return Object.keys(schema).some((keyword) => typed.has(keyword) && keyword !== "format");
}

/** Whether a schema consists of a type and of what holds for values of that type. */
export function isSimple(schema: Schema): boolean {
  return "type" in schema && ![...combining, ...dependent].some((keyword) => keyword in schema);
}

/** Rejects keywords outside the grammar; `x-…` and prose are part of it. */
export function refuseUnknown(schema: Schema, pointer: Pointer, reader: JsonReader): void {
  for (const keyword of Object.keys(schema)) {
    if (isInner(keyword, pointer) || known.has(keyword) || prose.has(keyword) || keyword.startsWith("x-")) continue;
    if ((keyword === "then" || keyword === "else") && "if" in schema) continue;
    reader.unsupported([...pointer, keyword]);
  }
  if ("if" in schema && !("then" in schema) && !("else" in schema)) reader.unsupported([...pointer, "if"]);
}

/** Definitions inside a definition are declarations of their own. */
function isInner(keyword: string, pointer: Pointer): boolean {
  return (keyword === "$defs" || keyword === "definitions") && pointer.length === 2;
}

/** The keyword beside a reference that has an effect in later dialects only. */
export function siblingOf(schema: Schema): string | undefined {
  return Object.keys(schema).find((keyword) => keyword !== "$ref" && known.has(keyword));
}

/** The bounds of values of the given types. */
export function boundsOf(schema: Schema, types: readonly TypeName[], pointer: Pointer, reader: JsonReader): Tags {
  const tags: Record<string, unknown> = {};
  const groups = new Set(types.map((type) => (type === "integer" ? "number" : type)));
  const isScalar = !types.includes("array") && !types.includes("object");
  const wanted = (keyword: string, group: keyof typeof ofType): boolean =>
    (groups.has(group) || (keyword === "format" && isScalar)) && schema[keyword] !== undefined;
  for (const keyword of ofType.number)
    if (wanted(keyword, "number")) tags[keyword] = reader.number(schema[keyword], [...pointer, keyword]);
  if (typeof tags["multipleOf"] === "number" && tags["multipleOf"] <= 0)
    reader.invalid("greater than 0", [...pointer, "multipleOf"]);
  for (const keyword of ["minLength", "maxLength"])
    if (wanted(keyword, "string")) tags[keyword] = reader.count(schema[keyword], [...pointer, keyword]);
  if (wanted("pattern", "string")) tags["pattern"] = reader.pattern(schema["pattern"], [...pointer, "pattern"]);
  if (wanted("format", "string")) tags["format"] = reader.text(schema["format"], [...pointer, "format"]);
  for (const keyword of ["minItems", "maxItems"])
    if (wanted(keyword, "array")) tags[keyword] = reader.count(schema[keyword], [...pointer, keyword]);
  const isUnique = wanted("uniqueItems", "array") && reader.flag(schema["uniqueItems"], [...pointer, "uniqueItems"]);
  return { ...tags, ...(isUnique && { uniqueItems: true }) };
}
