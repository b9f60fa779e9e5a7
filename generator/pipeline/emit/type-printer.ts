import { assertNever } from "../../shared/assert-never.js";
import { entryTypes } from "../../shared/model/definitions.js";
import type { Deprecation, EntriesModel, MemberModel, TypeModel } from "../../shared/model/protocol.js";
import {
  code,
  docComment,
  join,
  key,
  literal,
  nothing,
  templateType,
  typeName,
  type Code,
} from "../../shared/code/code.js";

/** Prints a type of the model as TypeScript. `rename` maps the name of a type to its local name in the file. */
export function printType(type: TypeModel, rename: (name: string) => Code = typeName): Code {
  const inner = (nested: TypeModel): Code => printType(nested, rename);
  switch (type.kind) {
    case "string":
      return type.template ? templateType(type.template) : ("string" as Code);
    case "boolean":
    case "null":
    case "unknown":
    case "never":
      return type.kind as string as Code;
    case "number":
    case "integer":
      return "number" as Code;
    case "object":
      return code`{ [key: string]: unknown }`;
    case "literal":
      return literal(type.value);
    case "enum": {
      const values = type.values.map((value) => literal(value));
      return join(type.open ? [...values, code`(string & {})`] : values, " | ");
    }
    case "reference":
      return rename(type.name);
    case "array": {
      const items = inner(type.items);
      return isCompound(type.items) ? code`(${items})[]` : code`${items}[]`;
    }
    case "map":
      return code`{ [key: string]: ${inner(type.values)} }`;
    case "struct":
      return code`{\n${printMembers(type, rename)}}`;
    case "union":
      return printUnion(type.members, inner);
    case "all":
      return printAll(type.members, inner);
    case "not":
      return unknown;
    case "entries":
      return code`{ [key: string]: ${printEntries(type, inner)} }`;
    default:
      return assertNever(type);
  }
}

function printUnion(members: readonly TypeModel[], inner: (type: TypeModel) => Code): Code {
  const printed = new Set(members.map((member) => (member.kind === "enum" ? code`(${inner(member)})` : inner(member))));
  return printed.has(unknown) ? unknown : join([...printed], " | ");
}

const unknown = "unknown" as Code;

function isCompound({ kind }: TypeModel): boolean {
  return kind === "union" || kind === "enum" || kind === "all";
}

/**
 * An intersection of what TypeScript can express. Listed members would have to fit an index signature beside them, so
 * an `entries` type beside a type with members only adds that there may be more.
 */
function printAll(members: readonly TypeModel[], inner: (type: TypeModel) => Code): Code {
  const others = members.filter(({ kind }) => kind !== "entries" && kind !== "object");
  const printed = new Set(
    others.map((member) => {
      const type = inner(member);
      return isCompound(member) && type !== unknown ? code`(${type})` : type;
    }),
  );
  printed.delete(unknown);
  const more = members.find(allowsMore) ?? members.find(({ kind }) => kind === "entries" || kind === "object");
  if (printed.size === 0) return more ? inner(more) : unknown;
  if (members.some(allowsMore)) printed.add(code`{ [key: string]: unknown }`);
  return join([...printed], " & ");
}

function allowsMore(type: TypeModel): boolean {
  return type.kind === "entries" && entryTypes(type).some(({ kind }) => kind !== "never");
}

/** The type of a member whose name may match any of the patterns, or none. */
function printEntries(type: EntriesModel, inner: (type: TypeModel) => Code): Code {
  const types = entryTypes(type).filter(({ kind }) => kind !== "never");
  if (!type.rest || types.length === 0) return "unknown" as Code;
  return join([...new Set(types.map((one) => (one.kind === "enum" ? code`(${inner(one)})` : inner(one))))], " | ");
}

/** The members of an object type, one per line, each with its doc comment. */
export function printMembers(
  body: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
  rename: (name: string) => Code = typeName,
): Code {
  const members = body.members.map((member) => printMember(member, rename));
  // TypeScript requires listed members to fit the index signature, so a restricted index signature is printed wider.
  const index =
    !body.index || (body.index.kind === "never" && body.members.length > 0)
      ? nothing
      : body.members.length > 0
        ? code`[key: string]: unknown;\n`
        : code`[key: string]: ${printType(body.index, rename)};\n`;
  return code`${join(members, "")}${index}`;
}

function printMember(
  { name, optional, type, text, deprecated, default: value }: MemberModel,
  rename: (name: string) => Code,
): Code {
  const tags = [
    ...constraintTags(type),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
    ...deprecationTags(deprecated),
  ];
  return code`${docComment({ text, tags })}${key(name)}${(optional ? "?" : "") as Code}: ${printType(type, rename)};\n`;
}

function constraintTags(type: TypeModel): readonly string[] {
  switch (type.kind) {
    case "string":
      return stated(type, ["format", "minLength", "maxLength", ...(type.template ? [] : (["pattern"] as const))]);
    case "number":
    case "integer":
      return [
        ...(type.kind === "integer" ? ["integer"] : []),
        ...stated(type, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
      ];
    case "array":
      return stated(type, ["minItems", "maxItems", "uniqueItems"]);
    case "entries":
      return stated(type, ["minProperties", "maxProperties"]);
    default:
      return [];
  }
}

function stated<K extends string>(
  type: Readonly<Partial<Record<K, string | number | true>>>,
  names: readonly K[],
): readonly string[] {
  return names.flatMap((name) => {
    const value = type[name];
    return value === undefined ? [] : [value === true ? name : `${name} ${value}`];
  });
}

export function deprecationTags(deprecated: Deprecation | undefined): readonly string[] {
  if (!deprecated) return [];
  const { text, since, removalNotBefore } = deprecated;
  const dates = [
    ...(since === undefined ? [] : [`Since ${since}.`]),
    ...(removalNotBefore === undefined ? [] : [`Not removed before ${removalNotBefore}.`]),
  ];
  return [["deprecated", text.replaceAll("\n", " "), ...dates].join(" ")];
}
