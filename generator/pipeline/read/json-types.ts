import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Tags, TypeExpression } from "../../shared/model/source.js";
import { readDependencies } from "./json-dependencies.js";
import {
  allTypes,
  boundsOf,
  hasTypedKeywords,
  isSimple,
  refuseUnknown,
  siblingOf,
  typeNames,
  type TypeName,
} from "./json-keywords.js";
import { readObject, type Place, type TypeSource } from "./json-objects.js";
import { show, type JsonReader, type Pointer, type Schema } from "./json-reader.js";

const maxDepth = 64;

/** Converts schemas to type expressions with the same meaning. */
export class TypeReader implements TypeSource {
  constructor(readonly reader: JsonReader) {}

  boundsBeside(schema: Schema, pointer: Pointer): Tags {
    const types = isSimple(schema) ? this.stated(schema, pointer) : undefined;
    return types && hasOneTag(types) ? boundsOf(schema, types, pointer, this.reader) : {};
  }

  type(schema: Schema, pointer: Pointer, place: Place = {}): TypeExpression {
    const { reader } = this;
    if (pointer.length > maxDepth)
      return fail("json-too-deep", { limit: maxDepth, pointer: show(pointer) }, reader.span(pointer));
    refuseUnknown(schema, pointer, reader);
    const stated = this.stated(schema, pointer);
    const inner: Place = { types: stated ?? place.types ?? allTypes };
    const listed = this.listed(schema, stated, pointer);
    const parts = [
      ...this.reference(schema, pointer),
      ...listed,
      ...(hasTypedKeywords(schema) || (stated && listed.length === 0)
        ? [this.ofTypes(schema, inner.types ?? allTypes, pointer, place)]
        : []),
      ...this.combinations(schema, pointer, inner),
      ...readDependencies(schema, pointer, reader, (value, at) => this.nested(value, at, inner)),
    ];
    const [only, ...more] = parts;
    if (!only) return { kind: "primitive", name: "unknown" };
    return more.length === 0 ? only : { kind: "intersection", members: parts, exact: true };
  }

  /** A schema at a keyword that takes any schema. */
  nested(value: unknown, pointer: Pointer, place: Place = {}): TypeExpression {
    return this.type(this.reader.schema(value, pointer), pointer, place);
  }

  private stated(schema: Schema, pointer: Pointer): readonly TypeName[] | undefined {
    const { type } = schema;
    const at = [...pointer, "type"];
    const names = type === undefined ? undefined : Array.isArray(type) ? this.reader.list(type, at) : [type];
    if (names?.some((name) => !typeNames.has(name))) return this.reader.invalid("a JSON Schema type name", at);
    const found = names as readonly TypeName[] | undefined;
    const { nullable } = schema;
    if (nullable === undefined) return found;
    const isNullable = this.reader.flag(nullable, [...pointer, "nullable"]);
    if (!found) return this.reader.invalid("beside `type`", [...pointer, "nullable"]);
    return isNullable && !found.includes("null") ? [...found, "null"] : found;
  }

  private reference(schema: Schema, pointer: Pointer): readonly TypeExpression[] {
    if (!("$ref" in schema)) return [];
    const keyword = siblingOf(schema);
    if (keyword !== undefined && this.reader.ignoresSiblings) {
      const at = [...pointer, keyword];
      return fail("json-ignored-sibling", { keyword, pointer: show(pointer) }, this.reader.span(at));
    }
    return [{ kind: "reference", ...this.reader.reference(schema["$ref"], [...pointer, "$ref"]) }];
  }

  /** The values of `const` and `enum`; the type only selects some of them. */
  private listed(schema: Schema, types: readonly TypeName[] | undefined, pointer: Pointer): readonly TypeExpression[] {
    const fits = (value: unknown): boolean => !types || types.some((type) => isOfType(value, type));
    const found: TypeExpression[] = [];
    if ("const" in schema) {
      const type = this.literal(schema["const"], [...pointer, "const"]);
      found.push(fits(schema["const"]) ? type : never);
    }
    if ("enum" in schema) {
      const values = this.reader.list(schema["enum"], [...pointer, "enum"]);
      const members = values.map(
        (value, at) => [value, this.literal(value, [...pointer, "enum", String(at)])] as const,
      );
      found.push(union(members.filter(([value]) => fits(value)).map(([, type]) => type)));
    }
    return found;
  }

  private literal(value: unknown, pointer: Pointer): TypeExpression {
    if (value === null) return { kind: "primitive", name: "null" };
    if (typeof value === "string" || Number.isFinite(value) || typeof value === "boolean")
      return { kind: "literal", value: value as string | number | boolean };
    return this.reader.invalid("a string, number, boolean or null", pointer);
  }

  private ofTypes(schema: Schema, types: readonly TypeName[], pointer: Pointer, place: Place): TypeExpression {
    const isBeside = place.bounds === "beside" && isSimple(schema) && hasOneTag(types);
    // The bounds of a list of scalar types are the same for each.
    const shared = hasOneTag(types) && isSimple(schema) ? types : undefined;
    const members = types.map((type): TypeExpression => {
      if (type === "object") return readObject(schema, pointer, this);
      const tags = isBeside ? {} : boundsOf(schema, shared ?? [type], pointer, this.reader);
      const bounds = Object.keys(tags).length > 0 ? { tags } : {};
      if (type !== "array") return { kind: "primitive", name: type, ...bounds };
      return { kind: "array", items: this.items(schema, pointer), ...bounds };
    });
    return union(members);
  }

  private items(schema: Schema, pointer: Pointer): TypeExpression {
    const { items } = schema;
    return items === undefined ? { kind: "primitive", name: "unknown" } : this.nested(items, [...pointer, "items"]);
  }

  private combinations(schema: Schema, pointer: Pointer, place: Place): readonly TypeExpression[] {
    const all = (keyword: string): readonly TypeExpression[] =>
      keyword in schema
        ? this.reader
            .list(schema[keyword], [...pointer, keyword])
            .map((value, at) => this.nested(value, [...pointer, keyword, String(at)], place))
        : [];
    const one = (keyword: string): TypeExpression | undefined =>
      keyword in schema ? this.nested(schema[keyword], [...pointer, keyword], place) : undefined;
    const [anyOf, oneOf, excluded, condition] = [all("anyOf"), all("oneOf"), one("not"), one("if")];
    return [
      ...all("allOf"),
      ...(anyOf.length > 0 ? [union(anyOf)] : []),
      ...(oneOf.length > 1 ? [{ kind: "union", members: oneOf, exclusive: true } as const] : oneOf),
      ...(excluded ? [not(excluded)] : []),
      ...(condition ? [conditional(condition, one("then"), one("else"))] : []),
    ];
  }
}

const never: TypeExpression = { kind: "primitive", name: "never" };

function union(members: readonly TypeExpression[]): TypeExpression {
  const [first, ...rest] = members;
  if (!first) return never;
  return rest.length === 0 ? first : { kind: "union", members };
}

export function not(type: TypeExpression): TypeExpression {
  const isUnknown = type.kind === "primitive" && type.name === "unknown";
  return isUnknown ? never : { kind: "not", type };
}

/** Values that fit the condition fit `then`, and all others fit `otherwise`. */
function conditional(
  condition: TypeExpression,
  then: TypeExpression | undefined,
  otherwise: TypeExpression | undefined,
): TypeExpression {
  const both = (one: TypeExpression, other: TypeExpression | undefined): TypeExpression =>
    other ? { kind: "intersection", members: [one, other], exact: true } : one;
  return union([both(condition, then), both(not(condition), otherwise)]);
}

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
    case "object":
      return false;
    default:
      return typeof value === type;
  }
}

/** Whether the bounds of these types can stand beside them. */
function hasOneTag(types: readonly TypeName[]): boolean {
  return types.length === 1 ? types[0] !== "object" : !types.includes("array") && !types.includes("object");
}
