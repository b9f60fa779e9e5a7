import { assertNever } from "../assert-never.js";
import { isObject } from "../is-object.js";
import type { EntriesModel, MemberModel, NumberBounds, TextBounds, TypeModel } from "./protocol.js";
import { resolveAliases, type Definitions } from "./definitions.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a small JSON value is an instance of a type. */
export function accepts(type: TypeModel, value: unknown, names: Definitions): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string" && acceptsText(type, value);
    case "number":
    case "integer":
      return (
        typeof value === "number" && (type.kind === "number" || Number.isInteger(value)) && acceptsNumber(type, value)
      );
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "unknown":
      return true;
    case "never":
      return false;
    case "object":
      return isObject(value);
    case "literal":
      return value === type.value;
    case "enum":
      return typeof value === "string" && (type.open || type.values.includes(value));
    case "reference": {
      const target = resolveAliases(type, names);
      return target.kind !== "reference" && accepts(target, value, names);
    }
    case "array":
      return (
        Array.isArray(value) &&
        value.length >= (type.minItems ?? 0) &&
        value.length <= (type.maxItems ?? Infinity) &&
        value.every((item) => accepts(type.items, item, names)) &&
        (!type.uniqueItems || new Set(value.map(canonicalText)).size === value.length)
      );
    case "map":
      return isObject(value) && Object.values(value).every((item) => accepts(type.values, item, names));
    case "struct":
      return isObject(value) && acceptsMembers(type, value, names);
    case "union": {
      if (!type.exclusive) return type.members.some((member) => accepts(member, value, names));
      return type.members.filter((member) => accepts(member, value, names)).length === 1;
    }
    case "all":
      return type.members.every((member) => accepts(member, value, names));
    case "not":
      return !accepts(type.type, value, names);
    case "entries":
      return isObject(value) && acceptsEntries(type, value, names);
    default:
      return assertNever(type);
  }
}

function acceptsText({ minLength = 0, maxLength = Infinity, pattern }: TextBounds, value: string): boolean {
  if (minLength === 0 && maxLength === Infinity) return pattern === undefined || new RegExp(pattern, "u").test(value);
  const length = Array.from(value).length;
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, "u").test(value));
}

function acceptsNumber(bounds: NumberBounds, value: number): boolean {
  return (
    value >= (bounds.minimum ?? -Infinity) &&
    value <= (bounds.maximum ?? Infinity) &&
    (bounds.exclusiveMinimum === undefined || value > bounds.exclusiveMinimum) &&
    (bounds.exclusiveMaximum === undefined || value < bounds.exclusiveMaximum) &&
    (bounds.multipleOf === undefined || Number.isInteger(value / bounds.multipleOf))
  );
}

function acceptsMembers(
  { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
  value: JsonObject,
  names: Definitions,
): boolean {
  const fits = members.every(({ name, optional, type }) =>
    Object.hasOwn(value, name) ? accepts(type, value[name], names) : optional,
  );
  if (!fits || !index) return fits;
  const known = new Set(members.map(({ name }) => name));
  return Object.entries(value).every(([name, item]) => known.has(name) || accepts(index, item, names));
}

function acceptsEntries(type: EntriesModel, value: JsonObject, names: Definitions): boolean {
  const entries = Object.entries(value);
  const { rest, listed } = type;
  return (
    entries.length >= (type.minProperties ?? 0) &&
    entries.length <= (type.maxProperties ?? Infinity) &&
    entries.every(([name, item]) => {
      if (type.names && !accepts(type.names, name, names)) return false;
      const found = type.patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name));
      if (!found.every((one) => accepts(one.type, item, names))) return false;
      return !rest || found.length > 0 || listed.includes(name) || accepts(rest, item, names);
    })
  );
}

/** Equal for equal JSON values: members are sorted by name. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
