import { findDeclaration } from "../model/find-declaration.js";
import type { Heritage, InterfaceDeclaration, Member, SourceModule, TypeExpression } from "../model/source.js";

/** The members of an interface, with copies of those that it inherits. */
export function flatMembers(
  declaration: InterfaceDeclaration,
  module: SourceModule,
  open: readonly string[] = [],
): readonly Member[] {
  return unique([
    ...declaration.heritage.flatMap((base) => inheritedMembers(base, module, [...open, declaration.name])),
    ...declaration.members,
  ]);
}

function inheritedMembers(
  { name, omit, type }: Heritage,
  module: SourceModule,
  open: readonly string[],
): readonly Member[] {
  const members = type ? membersOf(type, module, open) : membersOfName(name, module, open);
  return members.filter((member) => !omit.includes(member.name));
}

/** @param open names whose members are being listed; one that leads back to itself has no others */
function membersOfName(name: string, module: SourceModule, open: readonly string[]): readonly Member[] {
  if (open.includes(name)) return [];
  const found = findDeclaration(module, name);
  if (found?.kind === "interface") return flatMembers(found, module, open);
  return found?.kind === "alias" ? membersOf(found.type, module, [...open, name]) : [];
}

/** The members of an object type that TypeScript accepts as a base. */
function membersOf(type: TypeExpression, module: SourceModule, open: readonly string[]): readonly Member[] {
  switch (type.kind) {
    case "reference":
      return membersOfName(type.name, module, open);
    case "object":
      return type.members;
    case "omit":
      return membersOfName(type.name, module, open).filter(({ name }) => !type.keys.includes(name));
    case "intersection":
      return unique(type.members.flatMap((member) => membersOf(member, module, open)));
    case "utility": {
      const members = membersOf(type.of, module, open);
      if (type.name === "Partial" || type.name === "Required")
        return members.map((member) => ({ ...member, optional: type.name === "Partial" }));
      const keys = type.keys ? textsOf(type.keys, module, open) : [];
      return members.filter(({ name }) => keys.includes(name) === (type.name === "Pick"));
    }
    case "record": {
      const { keys, values, isOptional, span } = type;
      if (!keys || !span) return [];
      const names = textsOf(keys, module, open);
      return names.map((name) => ({ name, optional: isOptional === true, type: values, tags: {}, span }));
    }
    default:
      return [];
  }
}

/** The texts of a union of literals. */
function textsOf(type: TypeExpression, module: SourceModule, open: readonly string[]): readonly string[] {
  switch (type.kind) {
    case "literal":
      return [String(type.value)];
    case "union":
      return type.members.flatMap((member) => textsOf(member, module, open));
    case "keyof":
      return membersOf(type.of, module, open).map(({ name }) => name);
    case "reference": {
      const found = findDeclaration(module, type.name);
      return found?.kind === "alias" && !open.includes(type.name)
        ? textsOf(found.type, module, [...open, type.name])
        : [];
    }
    default:
      return [];
  }
}

/** Of several members of a name, the last, which is that of the interface itself. */
function unique(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.name, member])).values()];
}
