import { assertNever } from "../../shared/assert-never.js";
import type { Deprecation, MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { code, docComment, join, key, literal, nothing, typeName, type Code } from "../../shared/code/code.js";

/** Prints a type of the model as TypeScript. `rename` maps the name of a type to its local name in the file. */
export function printType(type: TypeModel, rename: (name: string) => Code = typeName): Code {
  const inner = (nested: TypeModel): Code => printType(nested, rename);
  switch (type.kind) {
    case "string":
    case "boolean":
    case "null":
    case "unknown":
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
      return type.items.kind === "union" || type.items.kind === "enum" ? code`(${items})[]` : code`${items}[]`;
    }
    case "map":
      return code`{ [key: string]: ${inner(type.values)} }`;
    case "struct":
      return code`{\n${printMembers(type, rename)}}`;
    case "union":
      return join(
        type.members.map((member) => (member.kind === "enum" ? code`(${inner(member)})` : inner(member))),
        " | ",
      );
    default:
      return assertNever(type);
  }
}

/** The members of an object type, one per line, each with its doc comment. */
export function printMembers(
  body: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
  rename: (name: string) => Code = typeName,
): Code {
  const members = body.members.map((member) => printMember(member, rename));
  // TypeScript requires listed members to fit the index signature, so a restricted index signature is printed wider.
  const index = !body.index
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
      return type.format === undefined ? [] : [`format ${type.format}`];
    case "number":
    case "integer":
      return [
        ...(type.kind === "integer" ? ["integer"] : []),
        ...(type.minimum === undefined ? [] : [`minimum ${type.minimum}`]),
        ...(type.maximum === undefined ? [] : [`maximum ${type.maximum}`]),
      ];
    case "array":
      return [
        ...(type.minItems === undefined ? [] : [`minItems ${type.minItems}`]),
        ...(type.maxItems === undefined ? [] : [`maxItems ${type.maxItems}`]),
      ];
    default:
      return [];
  }
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
