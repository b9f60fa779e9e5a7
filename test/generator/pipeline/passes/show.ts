import { assertNever } from "../../../../generator/shared/assert-never.js";
import type { Definition, MemberModel, TypeModel } from "../../../../generator/shared/model/protocol.js";

/**
 * Prints a type on one line, close to TypeScript: `integer(0..1)`, `string(uri)`, `T[1..2]`, `"a" | ...` for an open
 * enumeration, `{ Base#a: string }` for a member inherited from Base, `a = 1` for a default.
 */
export function show(type: TypeModel): string {
  switch (type.kind) {
    case "string":
      return type.format === undefined ? `string${facts(type)}` : `string(${type.format})${facts(type)}`;
    case "number":
    case "integer": {
      const { minimum, maximum, ...more } = type;
      return type.kind + range(minimum, maximum) + facts(more);
    }
    case "boolean":
    case "null":
    case "unknown":
    case "never":
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
          : `[${type.minItems ?? ""}..${type.maxItems ?? ""}]${type.uniqueItems ? "unique" : ""}`;
      const items = show(type.items);
      return (items.includes(" | ") && !items.startsWith("{") ? `(${items})` : items) + bounds;
    }
    case "map":
      return `{ [key]: ${show(type.values)} }`;
    case "struct":
      return showMembers(type.members, type.index);
    case "union":
      return type.exclusive ? `oneOf(${type.members.map(show).join(", ")})` : type.members.map(show).join(" | ");
    case "all":
      return `allOf(${type.members.map(show).join(", ")})`;
    case "not":
      return `not(${show(type.type)})`;
    case "entries": {
      const { patterns, rest, listed, names, ...bounds } = type;
      const parts = [
        ...patterns.map((found) => `/${found.pattern}/: ${show(found.type)}`),
        ...(rest ? [`[others${listed.length > 0 ? ` but ${listed.join(" ")}` : ""}]: ${show(rest)}`] : []),
        ...(names ? [`names: ${show(names)}`] : []),
      ];
      return `entries(${parts.join("; ")})${facts(bounds)}`;
    }
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

function facts(bounds: object): string {
  const parts = Object.entries(bounds)
    .filter(([name]) => name !== "kind" && name !== "format")
    .map(([name, value]: [string, unknown]) => `${name} ${String(value)}`);
  return parts.length === 0 ? "" : `<${parts.join(", ")}>`;
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  return minimum === undefined && maximum === undefined ? "" : `(${minimum ?? ""}..${maximum ?? ""})`;
}
