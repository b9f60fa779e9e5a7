import { assertNever } from "../../../../generator/shared/assert-never.js";
import type { Definition, MemberModel, TypeModel } from "../../../../generator/shared/model/protocol.js";

/**
 * Prints a type on one line, close to TypeScript: `integer(0..1)`, `string(uri)`, `T[1..2]`, `"a" | ...` for an open
 * enumeration, `{ Base#a: string }` for a member inherited from Base, `a = 1` for a default.
 */
export function show(type: TypeModel): string {
  switch (type.kind) {
    case "string":
      return type.format === undefined ? "string" : `string(${type.format})`;
    case "number":
    case "integer":
      return type.kind + range(type.minimum, type.maximum);
    case "boolean":
    case "null":
    case "unknown":
    case "object":
      return type.kind;
    case "literal":
      return JSON.stringify(type.value);
    case "enum":
      return [...type.values.map((value) => JSON.stringify(value)), ...(type.open ? ["..."] : [])].join(" | ");
    case "reference":
      return type.name;
    case "array": {
      const bounds =
        type.minItems === undefined && type.maxItems === undefined
          ? "[]"
          : `[${type.minItems ?? ""}..${type.maxItems ?? ""}]`;
      const items = show(type.items);
      return (items.includes(" | ") && !items.startsWith("{") ? `(${items})` : items) + bounds;
    }
    case "map":
      return `{ [key]: ${show(type.values)} }`;
    case "struct":
      return showMembers(type.members, type.index);
    case "union":
      return type.members.map(show).join(" | ");
    default:
      return assertNever(type);
  }
}

export function showDefinition(definition: Definition): string {
  return definition.kind === "alias" ? show(definition.type) : showMembers(definition.members, definition.index);
}

function showMembers(members: readonly MemberModel[], index: TypeModel | undefined): string {
  const parts = members.map(({ name, optional, type, inheritedFrom, default: value }) => {
    const origin = inheritedFrom === undefined ? "" : `${inheritedFrom}#`;
    return `${origin}${name}${optional ? "?" : ""}: ${show(type)}${value === undefined ? "" : ` = ${JSON.stringify(value)}`}`;
  });
  return `{ ${[...parts, ...(index ? [`[key]: ${show(index)}`] : [])].join("; ")} }`;
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  return minimum === undefined && maximum === undefined ? "" : `(${minimum ?? ""}..${maximum ?? ""})`;
}
