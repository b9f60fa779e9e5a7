import { assertNever } from "../../shared/assert-never.js";
import { printTemplate, safeLine } from "../../shared/model/print-type-expression.js";
import type { Definition, EntriesModel, MemberModel, TypeModel } from "../../shared/model/protocol.js";

/** How an overlay names a place, under `conversions`. */
export function overlayKey(at: string): string {
  return at.replaceAll("[key]", ".*");
}

/** A type on one line, as TypeScript writes it; `integer` and bounds as JSON Schema has them. */
export function printType(type: TypeModel): string {
  switch (type.kind) {
    case "string":
      return type.template
        ? printTemplate(type.template)
        : `string${type.format === undefined ? "" : ` (${safeLine(type.format)})`}${bounds(type, ["minLength", "maxLength", "pattern"])}`;
    case "number":
    case "integer":
      return type.kind + bounds(type, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]);
    case "boolean":
    case "null":
    case "unknown":
    case "never":
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
      return `${isCompound(type.items) ? `(${printType(type.items)})` : printType(type.items)}[]${bounds(type, ["minItems", "maxItems", "uniqueItems"])}`;
    case "map":
      return `Record<string, ${printType(type.values)}>`;
    case "struct":
      return printBody(type);
    case "union":
      return type.members.map(printType).join(" | ") + (type.exclusive ? " (exactly one)" : "");
    case "all":
      return type.members
        .map((member) => (isCompound(member) ? `(${printType(member)})` : printType(member)))
        .join(" & ");
    case "not":
      return `not (${printType(type.type)})`;
    case "entries":
      return printEntries(type);
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

function printEntries(type: EntriesModel): string {
  const { patterns, rest, names } = type;
  const parts = [
    ...patterns.map((found) => `[${safeLine(JSON.stringify(found.pattern))}]: ${printType(found.type)}`),
    ...(rest ? [`[others]: ${printType(rest)}`] : []),
    ...(names ? [`names: ${printType(names)}`] : []),
  ];
  return `{ ${parts.join("; ")} }${bounds(type, ["minProperties", "maxProperties"])}`;
}

function isCompound({ kind }: TypeModel): boolean {
  return kind === "union" || kind === "enum" || kind === "all";
}

function bounds<K extends string>(
  type: Readonly<Partial<Record<K, number | string | true>>>,
  names: readonly K[],
): string {
  const stated = names.flatMap((name) => {
    const value = type[name];
    if (value === undefined) return [];
    return [value === true ? name : `${name} ${typeof value === "string" ? safeLine(value) : value}`];
  });
  return stated.length === 0 ? "" : ` (${stated.join(", ")})`;
}
