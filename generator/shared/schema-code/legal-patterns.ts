import { isObject } from "../is-object.js";
import { isPattern } from "./keywords.js";

type Schema = Readonly<Record<string, unknown>>;

const one = new Set(
  "additionalProperties unevaluatedProperties propertyNames items additionalItems unevaluatedItems contains not if then else".split(
    " ",
  ),
);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const maps = new Set(["properties", "$defs", "definitions", "dependentSchemas", "dependencies"]);

/**
 * The schema without patterns that are invalid in ECMAScript: servers use the patterns of their own languages. Where
 * patterns are not executed, nothing is lost.
 */
export function withLegalPatterns(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
    if (keyword === "pattern" && typeof value === "string" && !isPattern(value)) return [];
    if (keyword === "patternProperties" && isObject(value)) return [[keyword, renamed(value)]];
    if (lists.has(keyword) && Array.isArray(value)) return [[keyword, value.map(withLegalPatterns)]];
    if (maps.has(keyword) && isObject(value)) return [[keyword, mapped(value)]];
    return [[keyword, one.has(keyword) ? withLegalPatterns(value) : value]];
  });
  return Object.fromEntries(entries);
}

function mapped(schemas: Schema): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, withLegalPatterns(value)]));
}

/** The members that an invalid pattern matches are unknown; the schema for them is kept. */
function renamed(patterns: Schema): Schema {
  return Object.fromEntries(
    Object.entries(patterns).map(([pattern, value], index) => [
      isPattern(pattern) ? pattern : `^unknown pattern ${index}$`,
      withLegalPatterns(value),
    ]),
  );
}
