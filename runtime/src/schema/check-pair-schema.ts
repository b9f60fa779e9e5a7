import { isObject } from "../jsonrpc/guards.js";

/** Keywords with one subschema, with a list of subschemas, and with subschemas by name. */
const single = /^(items|contains|not|if|then|else|propertyNames|(additional|unevaluated)(Items|Properties))$/;
const list = /^(allOf|anyOf|oneOf|prefixItems)$/;
const named = /^(properties|patternProperties|\$defs|definitions|dependentSchemas)$/;
const dialect = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-0[67])\/schema#?$/;

/**
 * Checks a JSON Schema that the runtime only passes on: its structure, depth, dialect and references. The limits are those of
 * `checkSchema`, which a validator uses and which is larger.
 * @throws Error with the problem and its place
 */
export function checkPairSchema(schema: unknown): void {
  let values = 0;
  const fail = (problem: string, at: string): never => {
    throw new Error(`this JSON Schema cannot be used: ${problem}${at && ` at #${at.slice(0, 200)}`}`);
  };
  const measure = (value: unknown, level: number): void => {
    if (++values > 50_000) fail("it has more than 50000 values", "");
    if (typeof value !== "object" || value === null) return;
    if (level === 64) fail("it is more than 64 levels deep", "");
    for (const part of Object.values(value)) measure(part, level + 1);
  };
  const visit = (part: unknown, at: string): void => {
    if (typeof part === "boolean") return;
    if (!isObject(part)) return fail("a subschema is neither an object nor a boolean", at);
    for (const [keyword, value] of Object.entries(part)) {
      const here = `${at}/${keyword}`;
      const isList = list.test(keyword) || (keyword === "items" && Array.isArray(value));
      if (keyword === "$schema" && !dialect.test(String(value))) fail("its $schema is not a supported dialect", here);
      if (keyword === "$ref" && !String(value).startsWith("#"))
        fail("it references another document, and references are never fetched", here);
      if (isList && !(Array.isArray(value) && value.length > 0))
        fail("the keyword must be a non-empty array of schemas", here);
      if (named.test(keyword) && !isObject(value)) fail("the keyword must be an object", here);
      if (isList || named.test(keyword))
        for (const [name, inner] of Object.entries(value as object)) visit(inner, `${here}/${name}`);
      else if (single.test(keyword)) visit(value, here);
    }
  };
  measure(schema, 0);
  visit(schema, "");
}
