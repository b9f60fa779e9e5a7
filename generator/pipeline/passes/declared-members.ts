import type { Declaration, Heritage, Member, TypeExpression } from "../../shared/model/source.js";
import type { Scope } from "./scope.js";

/** The members that a declaration lists itself, as an interface, as an object, or in an intersection. */
export function listedMembers(declaration: Declaration): readonly Member[] {
  if (declaration.kind === "interface") return declaration.members;
  return declaration.kind === "alias" ? objectsIn(declaration.type).flatMap(({ members }) => members) : [];
}

/** Whether a declaration is an object type that can have members of its own. */
export function isObjectDeclaration(declaration: Declaration): boolean {
  if (declaration.kind === "interface") return true;
  return (
    declaration.kind === "alias" && (declaration.type.kind === "object" || declaration.type.kind === "intersection")
  );
}

/** A copy in which each listed member is replaced. */
export function mapListedMembers<T extends Declaration>(declaration: T, change: (member: Member) => Member): T;
export function mapListedMembers(declaration: Declaration, change: (member: Member) => Member): Declaration {
  if (declaration.kind === "interface") return { ...declaration, members: declaration.members.map(change) };
  if (declaration.kind !== "alias") return declaration;
  const inside = (type: TypeExpression): TypeExpression => {
    if (type.kind === "object") return { ...type, members: type.members.map(change) };
    return type.kind === "intersection" ? { ...type, members: type.members.map(inside) } : type;
  };
  return { ...declaration, type: inside(declaration.type) };
}

/** The named types whose members a declaration has, too. */
export function basesOf(declaration: Declaration): readonly Pick<Heritage, "name" | "omit">[] {
  if (declaration.kind === "interface") return declaration.heritage.filter(({ type }) => !type);
  return declaration.kind === "alias" ? namesIn(declaration.type) : [];
}

/** Finds a member, also an inherited one. */
export function findMember(
  declaration: Declaration,
  name: string,
  scope: Scope,
  seen: readonly string[] = [],
): Member | undefined {
  const own = listedMembers(declaration).find((member) => member.name === name);
  if (own) return own;
  for (const base of basesOf(declaration)) {
    const target = scope.get(base.name);
    if (!target || base.omit.includes(name) || seen.includes(base.name)) continue;
    const inherited = findMember(target, name, scope, [...seen, base.name]);
    if (inherited) return inherited;
  }
  return undefined;
}

function objectsIn(type: TypeExpression): readonly Extract<TypeExpression, { kind: "object" }>[] {
  if (type.kind === "object") return [type];
  return type.kind === "intersection" ? type.members.flatMap(objectsIn) : [];
}

function namesIn(type: TypeExpression): readonly Pick<Heritage, "name" | "omit">[] {
  switch (type.kind) {
    case "reference":
      return [{ name: type.name, omit: [] }];
    case "omit":
      return [{ name: type.name, omit: type.keys }];
    case "intersection":
      return type.members.flatMap(namesIn);
    default:
      return [];
  }
}
