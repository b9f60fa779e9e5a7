import type { Annotations, EntriesExpression, Member, Tags, TypeExpression } from "../../shared/model/source.js";
import type { TypeName } from "./json-keywords.js";
import type { JsonReader, Pointer, Schema } from "./json-reader.js";

/** How a schema is read in its place. */
export interface Place {
  /** Whether the bounds of a simple schema are stated beside it, as those of a member. */
  readonly bounds?: "beside";
  /** The types that the schema around it allows for the same value. */
  readonly types?: readonly TypeName[];
}

/** Reads the schemas inside an object. */
export interface TypeSource {
  readonly reader: JsonReader;
  type(schema: Schema, pointer: Pointer, place?: Place): TypeExpression;
  nested(value: unknown, pointer: Pointer, place?: Place): TypeExpression;
  /** The bounds that a declaration or member states beside its type. */
  boundsBeside(schema: Schema, pointer: Pointer): Tags;
}

const unknown: TypeExpression = { kind: "primitive", name: "unknown" };
const never: TypeExpression = { kind: "primitive", name: "never" };

/** An object, by its listed members; keywords about all members are an `entries` expression beside it. */
export function readObject(schema: Schema, pointer: Pointer, types: TypeSource): TypeExpression {
  const properties = types.reader.map(schema, "properties", pointer);
  const patterns = readPatterns(schema, pointer, types);
  const additional = readAdditional(schema, pointer, types);
  const required = new Set(
    "required" in schema ? types.reader.names(schema["required"], [...pointer, "required"]) : [],
  );
  const members = Object.entries(properties).map(([name, value]): Member => {
    const at = [...pointer, "properties", name];
    return { name, optional: !required.delete(name), ...readMember(value, at, types), span: types.reader.span(at) };
  });
  for (const name of required) {
    // A required member that is not listed has the type of the patterns or of additional members.
    const type = patterns.some(({ pattern }) => new RegExp(pattern, "u").test(name))
      ? unknown
      : (additional ?? unknown);
    members.push({ name, optional: false, type, tags: {}, span: types.reader.span([...pointer, "required"]) });
  }
  const entries = readEntries(schema, pointer, types, patterns, additional);
  // The official printer writes `object` in this way.
  const isAny = members.length === 0 && "properties" in schema && schema["additionalProperties"] === true;
  const index = patterns.length > 0 ? undefined : additional;
  const object: TypeExpression = isAny
    ? { kind: "primitive", name: "object" }
    : { kind: "object", members, ...(index && { index }) };
  if (!entries) return object;
  const isListed = members.length > 0 || index !== undefined;
  return isListed ? { kind: "intersection", members: [object, entries], exact: true } : entries;
}

function readAdditional(schema: Schema, pointer: Pointer, types: TypeSource): TypeExpression | undefined {
  const extra = schema["additionalProperties"];
  if (extra === undefined || typeof extra === "boolean")
    return extra === undefined ? undefined : extra ? unknown : never;
  return types.nested(extra, [...pointer, "additionalProperties"]);
}

function readPatterns(schema: Schema, pointer: Pointer, types: TypeSource): EntriesExpression["patterns"] {
  const patterns = types.reader.map(schema, "patternProperties", pointer);
  return Object.entries(patterns).map(([pattern, value]) => {
    const at = [...pointer, "patternProperties", pattern];
    return { pattern: types.reader.pattern(pattern, at), type: types.nested(value, at) };
  });
}

function readEntries(
  schema: Schema,
  pointer: Pointer,
  types: TypeSource,
  patterns: EntriesExpression["patterns"],
  additional: TypeExpression | undefined,
): EntriesExpression | undefined {
  const { reader } = types;
  const count = (keyword: "minProperties" | "maxProperties"): Readonly<Record<string, number>> =>
    schema[keyword] === undefined ? {} : { [keyword]: reader.count(schema[keyword], [...pointer, keyword]) };
  const limits = { ...count("minProperties"), ...count("maxProperties") };
  const at = [...pointer, "propertyNames"];
  const names =
    schema["propertyNames"] === undefined
      ? undefined
      : types.nested(schema["propertyNames"], at, { types: ["string"] });
  const isRestricted =
    names && !(names.kind === "primitive" && !names.tags && ["string", "unknown"].includes(names.name));
  if (patterns.length === 0 && !isRestricted && Object.keys(limits).length === 0) return undefined;
  const rest = patterns.length > 0 ? additional : undefined;
  return {
    kind: "entries",
    patterns,
    listed: rest ? Object.keys(reader.map(schema, "properties", pointer)) : [],
    ...(rest && { rest }),
    ...(isRestricted && { names }),
    ...limits,
  };
}

function readMember(value: unknown, pointer: Pointer, types: TypeSource): Omit<Member, "name" | "optional" | "span"> {
  const schema = types.reader.schema(value, pointer);
  const type = types.type(schema, pointer, { bounds: "beside" });
  return {
    type,
    ...readFacts(schema, pointer, types),
    ...(schema["default"] !== undefined && { default: schema["default"] }),
  };
}

/** What a declaration or member states beside its type. */
export function readFacts(
  schema: Schema,
  pointer: Pointer,
  types: TypeSource,
): { readonly text?: string; readonly tags: Tags; readonly annotations?: Annotations } {
  const tags = types.boundsBeside(schema, pointer);
  const text = schema["description"];
  const annotations = Object.entries(schema).filter(([keyword]) => keyword.startsWith("x-"));
  return {
    ...(typeof text === "string" && text.trim() !== "" && { text: text.trim() }),
    tags: { ...tags, ...(schema["deprecated"] === true && { deprecated: "" }) },
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}
