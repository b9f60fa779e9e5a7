import { isObject } from "../../shared/is-object.js";
import { resolveReference } from "./local-reference.js";
import { UnusableSchema } from "../../shared/schema-code/unusable-schema.js";
import type { Placeholders } from "./placeholders.js";

type Schema = Readonly<Record<string, unknown>>;

/** Limits for the schema of a peer. */
const maxDepth = 48;
const maxSchemas = 2_000;
const maxEnum = 300;

export interface CopiedSchema {
  /** Contains only known keywords and no string of the server. */
  readonly schema: Schema;
  /** The names of the referenced schemas. */
  readonly definitions: readonly string[];
}

/**
 * Copies the keywords of a peer's schema that describe types. Omits constraints, titles, ids, and all keywords that only
 * the type printer knows. References are renamed.
 * @param nameOf reserves a name for a referenced schema
 * @throws UnusableSchema
 */
export function copySchema(root: unknown, words: Placeholders, nameOf: (reference: string) => string): CopiedSchema {
  const names = new Map<unknown, string>();
  const open: [target: unknown, name: string][] = [];
  let count = 0;

  const visit = (schema: unknown, depth: number): Schema => {
    if (++count > maxSchemas) throw new UnusableSchema(`it has more than ${maxSchemas} subschemas`);
    if (depth > maxDepth) throw new UnusableSchema(`it is more than ${maxDepth} levels deep`);
    if (typeof schema === "boolean") return {};
    if (!isObject(schema)) throw new UnusableSchema("a subschema is neither an object nor a boolean");
    const inner = (one: unknown): Schema => visit(one, depth + 1);
    const parts = partsOf(schema, inner);
    const [only] = parts;
    const core = parts.length === 1 && only ? only : parts.length === 0 ? {} : { allOf: parts };
    if ("$ref" in core) return core;
    const { description, deprecated } = schema;
    return {
      ...core,
      ...(typeof description === "string" && description.trim() !== "" && { description: words.comment(description) }),
      ...(deprecated === true && { deprecated }),
    };
  };

  const partsOf = (schema: Schema, inner: (one: unknown) => Schema): readonly Schema[] => {
    const { $ref, anyOf, oneOf, allOf } = schema;
    return [
      ...($ref === undefined ? [] : [referTo($ref)]),
      ...shapesOf(schema, inner),
      ...[anyOf, oneOf].flatMap((branches) => (branches === undefined ? [] : [unionOf(listOf(branches).map(inner))])),
      ...(allOf === undefined ? [] : listOf(allOf).map(inner)),
    ].filter((part) => Object.keys(part).length > 0);
  };

  const referTo = (reference: unknown): Schema => {
    if (typeof reference !== "string") throw new UnusableSchema("a $ref is not a string");
    const target = resolveReference(reference, root);
    if (target === root) return { $ref: "#" };
    if (!isObject(target)) return {};
    const known = names.get(target);
    const name = known ?? nameOf(reference);
    if (known === undefined) {
      names.set(target, name);
      open.push([target, name]);
    }
    return { $ref: `#/$defs/${name}` };
  };

  /** The shape of a schema without its combinators: one shape, or one of several. */
  const shapesOf = (schema: Schema, inner: (one: unknown) => Schema): readonly Schema[] => {
    const values = "const" in schema ? [schema["const"]] : schema["enum"];
    if (values !== undefined) {
      const literals = literalsOf(listOf(values), words);
      if (literals) return [{ enum: literals }];
    }
    const types = typesOf(schema);
    const shapes = types.map((type): Schema => {
      if (type === "object") return objectShape(schema, inner, words);
      return type === "array" ? arrayShape(schema, inner) : { type };
    });
    return shapes.length === 0 ? [] : [shapes.length === 1 ? (shapes[0] ?? {}) : unionOf(shapes)];
  };

  const copy = visit(root, 0);
  const definitions: [string, Schema][] = [];
  for (let next = open.shift(); next; next = open.shift()) definitions.push([next[1], visit(next[0], 0)]);
  return {
    schema: { ...copy, ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }) },
    definitions: definitions.map(([name]) => name),
  };
}

function unionOf(branches: readonly Schema[]): Schema {
  // A branch without keywords allows everything.
  return branches.some((branch) => Object.keys(branch).length === 0) ? {} : { anyOf: branches };
}

const typeNames = ["object", "array", "string", "number", "integer", "boolean", "null"];

function typesOf({ type, ...schema }: Schema): readonly string[] {
  if (type === undefined) {
    if ("properties" in schema || "required" in schema || "additionalProperties" in schema) return ["object"];
    return "items" in schema || "prefixItems" in schema ? ["array"] : [];
  }
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  const unknown = types.find((one) => !typeNames.includes(one as string));
  if (unknown !== undefined) throw new UnusableSchema(`${JSON.stringify(unknown).slice(0, 40)} is not a type`);
  return [...new Set(types as string[])];
}

function objectShape(schema: Schema, inner: (one: unknown) => Schema, words: Placeholders): Schema {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  if (!isObject(properties)) throw new UnusableSchema("its properties are not an object");
  const wanted = listOf(required).filter((name): name is string => typeof name === "string");
  const declared = Object.entries(properties).filter(([, member]) => member !== false);
  const bare = [...new Set(wanted)]
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => [name, true] as const);
  const members = [...declared, ...bare].map(([name, member]) => [words.member(name), inner(member)] as const);
  // Objects without declared members may have any member.
  const isOpen = patternProperties !== undefined || (additionalProperties === undefined && members.length === 0);
  const rest = isOpen ? true : additionalProperties;
  return {
    type: "object",
    properties: Object.fromEntries(members),
    required: wanted.filter((name) => properties[name] !== false).map((name) => words.member(name)),
    ...(rest !== undefined && { additionalProperties: typeof rest === "boolean" ? rest : inner(rest) }),
  };
}

function arrayShape(schema: Schema, inner: (one: unknown) => Schema): Schema {
  const { items, prefixItems, additionalItems, minItems } = schema;
  const first = prefixItems ?? (Array.isArray(items) ? items : undefined);
  const rest = prefixItems === undefined && Array.isArray(items) ? additionalItems : items;
  if (first === undefined) return { type: "array", items: rest === undefined ? {} : inner(rest) };
  const heads = listOf(first).map(inner);
  if (rest === false && typeof minItems === "number" && minItems >= heads.length)
    return { type: "array", items: heads, minItems: heads.length, maxItems: heads.length };
  const tails = rest === undefined ? [{}] : rest === false ? [] : [inner(rest)];
  return { type: "array", items: unionOf([...heads, ...tails]) };
}

/** The values of an enumeration; undefined if they cannot be printed as types. */
function literalsOf(values: readonly unknown[], words: Placeholders): readonly unknown[] | undefined {
  const isPlain = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);
  if (values.length === 0 || values.length > maxEnum || !values.every(isPlain)) return undefined;
  return [...new Set(values)].map((value) => (typeof value === "string" ? words.text(value) : value));
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnusableSchema("a keyword that requires an array has another value");
  return value as unknown[];
}
