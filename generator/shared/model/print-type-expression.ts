import { assertNever } from "../assert-never.js";
import type { EntriesExpression, Heritage, Member, Tags, TypeExpression } from "./source.js";

/** A type on one line, in the syntax of TypeScript; `integer` and bounds are written as in JSON Schema. */
export function printType(type: TypeExpression): string {
  switch (type.kind) {
    case "primitive":
      return type.name + bounds(type.tags);
    case "literal":
      return quote(type.value);
    case "constant":
      return `typeof ${type.name}`;
    case "reference":
      return type.name + (type.arguments ? `<${type.arguments.map(printType).join(", ")}>` : "");
    case "parameter":
      return type.name;
    case "template":
      return printTemplate(type.texts);
    case "omit":
      return `Omit<${type.name}, ${type.keys.map(quote).join(" | ")}>`;
    case "array":
      return (
        (isCompound(type.items) ? `(${printType(type.items)})[]` : `${printType(type.items)}[]`) + bounds(type.tags)
      );
    case "record":
      return `Record<${type.keys ? printType(type.keys) : "string"}, ${printType(type.values)}${type.isOptional ? " | undefined" : ""}>`;
    case "utility":
      return `${type.name}<${[type.of, ...(type.keys ? [type.keys] : [])].map(printType).join(", ")}>`;
    case "indexed":
      return `${printOperand(type.of)}[${printType(type.key)}]`;
    case "keyof":
      return `keyof ${printOperand(type.of)}`;
    case "object":
      return printBody(type);
    case "union":
      return type.exclusive
        ? `oneOf<${type.members.map(printType).join(", ")}>`
        : type.members.map(printType).join(" | ");
    case "intersection":
      return type.members
        .map((member) => (isCompound(member) ? `(${printType(member)})` : printType(member)))
        .join(" & ");
    case "not":
      return `not<${printType(type.type)}>`;
    case "entries":
      return printEntries(type);
    default:
      return assertNever(type);
  }
}

function printEntries({ patterns, rest, names, minProperties, maxProperties }: EntriesExpression): string {
  const parts = [
    ...patterns.map(({ pattern, type }) => `[${quote(pattern)}]: ${printType(type)}`),
    ...(rest ? [`[others]: ${printType(rest)}`] : []),
    ...(names ? [`names: ${printType(names)}`] : []),
    ...(minProperties === undefined ? [] : [`minProperties: ${minProperties}`]),
    ...(maxProperties === undefined ? [] : [`maxProperties: ${maxProperties}`]),
  ];
  return `{ ${parts.join("; ")} }`;
}

function isCompound({ kind }: TypeExpression): boolean {
  return kind === "union" || kind === "intersection" || kind === "keyof";
}

function printOperand(type: TypeExpression): string {
  return isCompound(type) ? `(${printType(type)})` : printType(type);
}

/** A template literal type. */
export function printTemplate(texts: readonly string[]): string {
  return safeLine(`\`${texts.map((text) => text.replace(/[\\`]|\$(?=\{)/g, "\\$&")).join("${string}")}\``);
}

export function printBody({
  members,
  index,
}: {
  readonly members: readonly Member[];
  readonly index?: TypeExpression;
}): string {
  const parts = members.map(printMember);
  if (index) parts.push(`[key: string]: ${printType(index)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join("; ")} }`;
}

export function printMember({ name, optional, type }: Pick<Member, "name" | "optional" | "type">): string {
  return `${isPlain(name) ? name : quote(name)}${optional ? "?" : ""}: ${printType(type)}`;
}

export function printHeritage(heritage: readonly Heritage[]): string {
  if (heritage.length === 0) return "no extends";
  const bases = heritage.map(({ name, omit }) =>
    omit.length > 0 ? `Omit<${name}, ${omit.map(quote).join(" | ")}>` : name,
  );
  return `extends ${bases.join(", ")}`;
}

/** A fact of a doc comment, as schema.ts writes it. */
export function printTag(tag: keyof Tags, value: string | number | true): string {
  switch (tag) {
    case "jsonType":
      return `@TJS-type ${value}`;
    case "nullable":
    case "internal":
    case "deprecated":
      return `@${tag}`;
    case "format":
    case "pattern":
    case "minLength":
    case "maxLength":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf":
    case "uniqueItems":
    case "minimum":
    case "maximum":
    case "minItems":
    case "maxItems":
      return `@${tag} ${value}`;
    default:
      return assertNever(tag);
  }
}

/** The position of a member inside a type. */
export function memberPath(path: string, name: string): string {
  if (!isPlain(name)) return `${path}[${quote(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** A value as JSON on one line. */
export function quote(value: unknown): string {
  return safeLine(JSON.stringify(value));
}

/** A string on one line, without characters that a terminal would interpret or not show. */
export function safeLine(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function bounds(tags: Tags | undefined): string {
  const entries = Object.entries(tags ?? {}) as [keyof Tags, string | number | true][];
  return entries.length === 0 ? "" : ` (${entries.map(([tag, value]) => printTag(tag, value)).join(", ")})`;
}
