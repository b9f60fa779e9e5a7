import type { Definition, MemberModel, TypeModel, UnionChoice } from "../../shared/model/protocol.js";
import { arePairwiseDisjoint } from "./disjoint.js";
import { literalValues, possibleJsonTypes } from "./possible-values.js";
import { unionOf } from "./union-of.js";
import { resolveAliases, definitionsByName, mapDefinition, type Definitions } from "../../shared/model/definitions.js";

/** UNIONS: decides how to distinguish the alternatives of every union. */
export function chooseUnions(definitions: readonly Definition[]): Definition[] {
  const names = definitionsByName(definitions);
  return definitions.map((definition) =>
    mapDefinition(definition, (type) => (type.kind === "union" ? chosen(type, names) : type)),
  );
}

/** A union of which exactly one alternative must fit is like any other when no value fits two of them. */
function chosen(type: Extract<TypeModel, { kind: "union" }>, names: Definitions): TypeModel {
  if (!type.exclusive) return { ...type, choice: choose(type.members, names) };
  if (!arePairwiseDisjoint(type.members, names)) return type;
  const simplified = unionOf(type.members);
  return simplified.kind === "union" ? { ...simplified, choice: choose(simplified.members, names) } : simplified;
}

function choose(members: readonly TypeModel[], names: Definitions): UnionChoice {
  return byTag(members, names) ?? byJsonType(members, names) ?? byPresence(members, names) ?? { kind: "ordered" };
}

function byTag(members: readonly TypeModel[], names: Definitions): UnionChoice | undefined {
  const structs = members.map((member) => requiredMembers(member, names));
  const [first] = structs;
  if (!first || structs.some((struct) => !struct)) return undefined;
  for (const candidate of first) {
    const cases = structs.map((struct) =>
      literalValues(struct?.find(({ name }) => name === candidate.name)?.type, names),
    );
    if (cases.every((values) => values.length > 0) && disjoint(cases))
      return { kind: "tag", member: candidate.name, cases };
  }
  return undefined;
}

function byJsonType(members: readonly TypeModel[], names: Definitions): UnionChoice | undefined {
  const cases = members.map((member) => possibleJsonTypes(member, names));
  return cases.every((types) => types !== undefined) && disjoint(cases) ? { kind: "jsonType", cases } : undefined;
}

function byPresence(members: readonly TypeModel[], names: Definitions): UnionChoice | undefined {
  const known = members.map((member) => allMembers(member, names));
  if (known.some((list) => !list)) return undefined;
  const own = known.map((list, at) => {
    const others = known.filter((_, other) => other !== at);
    return (
      list?.find(
        ({ name, optional }) => !optional && others.every((other) => !other?.some((member) => member.name === name)),
      )?.name ?? null
    );
  });
  const unmarked = own.filter((member) => member === null).length;
  return unmarked <= 1 && own.length > 1 ? { kind: "presence", members: own } : undefined;
}

function disjoint(cases: readonly (readonly unknown[])[]): boolean {
  const all = cases.flat();
  return new Set(all).size === all.length;
}

/**
 * Required members of an object alternative. For a nested union: the members that all its alternatives require, with
 * their values joined.
 */
function requiredMembers(type: TypeModel, names: Definitions): readonly MemberModel[] | undefined {
  const target = resolveAliases(type, names);
  if (target.kind === "struct") return target.members.filter((member) => !member.optional);
  if (target.kind === "all") {
    const all = target.members.flatMap((member) => requiredMembers(member, names) ?? []);
    const isTag = (member: MemberModel): boolean => literalValues(member.type, names).length > 0;
    return all.length === 0 ? undefined : [...all.filter(isTag), ...all.filter((member) => !isTag(member))];
  }
  if (target.kind !== "union") return undefined;
  const lists = target.members.map((member) => requiredMembers(member, names));
  if (lists.some((list) => !list)) return undefined;
  return (lists[0] ?? []).flatMap((member) => {
    const values = lists.map((list) => literalValues(list?.find(({ name }) => name === member.name)?.type, names));
    if (values.some((list) => list.length === 0)) return [];
    const literals = values.flat().map((value): TypeModel => ({ kind: "literal", value }));
    return [{ ...member, type: { kind: "union", members: literals, choice: { kind: "ordered" } } satisfies TypeModel }];
  });
}

function allMembers(type: TypeModel, names: Definitions): readonly MemberModel[] | undefined {
  const target = resolveAliases(type, names);
  // A member that must be absent marks no alternative.
  return target.kind === "struct" && !target.index
    ? target.members.filter((member) => member.type.kind !== "never")
    : undefined;
}
