import { assertNever } from "../../shared/assert-never.js";
import { safeLine } from "../../shared/model/print-type-expression.js";
import type { Definition, MemberModel, TypeModel } from "../../shared/model/protocol.js";

/** How an overlay names a place, under `conversions`. */
export function overlayKey(at: string): string {
  return at.replaceAll("[key]", ".*");
}

/** A type on one line, as TypeScript writes it; `integer` and bounds as JSON Schema has them. */
export function printType(type: TypeModel): string {
  switch (type.kind) {
    case "string":
      return type.format === undefined ? "string" : `string (${safeLine(type.format)})`;
    case "number":
    case "integer":
      return type.kind + bounds(type, ["minimum", "maximum"]);
    case "boolean":
    case "null":
    case "unknown":
    case "object":
      return type.kind;
    case "literal":
      return safeLine(JSON.stringify(type.value));
    case "enum":
      return [...type.values.map((value) => safeLine(JSON.stringify(value))), ...(type.open ? ["string"] : [])].join(
        " | ",
      );
    case "reference":
      return safeLine(type.name);
    case "array":
      return `${isCompound(type.items) ? `(${printType(type.items)})` : printType(type.items)}[]${bounds(type, ["minItems", "maxItems"])}`;
    case "map":
      return `Record<string, ${printType(type.values)}>`;
    case "struct":
      return printBody(type);
    case "union":
      return type.members.map(printType).join(" | ");
    default:
      return assertNever(type);
  }
}

export function printMember({ name, optional, type }: MemberModel): string {
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : safeLine(JSON.stringify(name))}${optional ? "?" : ""}: ${printType(type)}`;
}

export function printDefinition(definition: Definition): string {
  return definition.kind === "alias" ? printType(definition.type) : printBody(definition);
}

function printBody({
  members,
  index,
}: {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
}): string {
  const parts = [...members.map(printMember), ...(index ? [`[key: string]: ${printType(index)}`] : [])];
  return parts.length === 0 ? "{}" : `{ ${parts.join("; ")} }`;
}

function isCompound({ kind }: TypeModel): boolean {
  return kind === "union" || kind === "enum";
}

function bounds<K extends string>(type: Readonly<Partial<Record<K, number>>>, names: readonly K[]): string {
  const stated = names.flatMap((name) => (type[name] === undefined ? [] : [`${name} ${type[name]}`]));
  return stated.length === 0 ? "" : ` (${stated.join(", ")})`;
}
