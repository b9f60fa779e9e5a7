import { assertNever } from "../assert-never.js";
import { isObject } from "../is-object.js";
import type { MemberModel, TypeModel } from "./protocol.js";
import { resolveAliases, type Definitions } from "./definitions.js";

/** Whether a small JSON value is an instance of a type. */
export function accepts(type: TypeModel, value: unknown, names: Definitions): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string";
    case "number":
    case "integer":
      return (
        typeof value === "number" &&
        (type.kind === "number" || Number.isInteger(value)) &&
        value >= (type.minimum ?? -Infinity) &&
        value <= (type.maximum ?? Infinity)
      );
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "unknown":
      return true;
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
        value.every((item) => accepts(type.items, item, names))
      );
    case "map":
      return isObject(value) && Object.values(value).every((item) => accepts(type.values, item, names));
    case "struct":
      return isObject(value) && acceptsMembers(type, value, names);
    case "union":
      return type.members.some((member) => accepts(member, value, names));
    default:
      return assertNever(type);
  }
}

function acceptsMembers(
  { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
  value: Readonly<Record<string, unknown>>,
  names: Definitions,
): boolean {
  const known = new Set(members.map(({ name }) => name));
  return (
    members.every(({ name, optional, type }) =>
      Object.hasOwn(value, name) ? accepts(type, value[name], names) : optional,
    ) &&
    (!index || Object.entries(value).every(([name, item]) => known.has(name) || accepts(index, item, names)))
  );
}
