import type { MemberModel, TypeModel } from "../../../shared/model/protocol.js";
import { structureKey } from "../../../shared/model/structure.js";
import { structNamed, type Definitions } from "../../../shared/model/definitions.js";
import { literalValues } from "../../passes/possible-values.js";
import { decisiveAlternatives } from "./decisive-alternatives.js";

export type Union = Extract<TypeModel, { kind: "union" }>;

/** How a predicate checks whether a value fits one of the alternatives of a union. */
export type UnionPlan =
  /** The value of a member selects a few alternatives, or none. */
  | { readonly kind: "cases"; readonly member: string; readonly cases: readonly Case[] }
  /** The members that all alternatives share are checked once, then the others of each. */
  | { readonly kind: "similar"; readonly alternatives: readonly Alternative[] }
  /** Each alternative in turn. */
  | { readonly kind: "each"; readonly types: readonly TypeModel[] };

/** The members of one alternative of a union. */
export type Alternative = readonly MemberModel[];

/** The alternatives that remain when the value of a member is known. */
export interface Case {
  readonly values: readonly (string | number | boolean)[];
  readonly types: readonly TypeModel[];
}

export function planUnion({ members, choice }: Union, definitions: Definitions): UnionPlan {
  if (choice.kind === "jsonType") return { kind: "each", types: members };
  if (choice.kind === "tag") {
    const cases = members.map((type, at): Case => ({ values: choice.cases[at] ?? [], types: [type] }));
    return { kind: "cases", member: choice.member, cases };
  }
  const types = decisiveAlternatives(flatAlternatives(members, definitions), definitions);
  return casesOf(types, definitions) ?? similarObjects(types, definitions) ?? { kind: "each", types };
}

/** The alternatives of a union. Those of a union that it refers to replace the reference. */
function flatAlternatives(types: readonly TypeModel[], definitions: Definitions): readonly TypeModel[] {
  return types.flatMap((type) => {
    const target = type.kind === "reference" ? definitions.get(type.name) : undefined;
    if (target?.kind !== "alias" || target.recursive || target.type.kind !== "union" || target.type.exclusive)
      return [type];
    const { members, choice } = target.type;
    return choice.kind === "presence" || choice.kind === "ordered" ? flatAlternatives(members, definitions) : [type];
  });
}

/** Groups objects by a member that all require with literal values, when each value selects fewer of them. */
function casesOf(types: readonly TypeModel[], definitions: Definitions): UnionPlan | undefined {
  const structs = types.map((type) => plainMembers(type, definitions) ?? []);
  for (const { name } of structs[0] ?? []) {
    const values = structs.map((members) => {
      const found = members.find((member) => member.name === name && !member.optional);
      return literalValues(found?.type, definitions);
    });
    if (values.every((list) => list.length > 0) && new Set(values.flat()).size > 1)
      return { kind: "cases", member: name, cases: grouped(types, values) };
  }
  return undefined;
}

/** Values that select the same types share a case. */
function grouped(types: readonly TypeModel[], values: readonly Case["values"][]): readonly Case[] {
  const cases = new Map<string, Case>();
  for (const value of new Set(values.flat())) {
    const left = types.flatMap((type, at) => (values[at]?.includes(value) ? [{ type, at }] : []));
    const id = left.map(({ at }) => at).join();
    const same = cases.get(id)?.values ?? [];
    cases.set(id, { values: [...same, value], types: left.map(({ type }) => type) });
  }
  return [...cases.values()];
}

/** Objects that have at least half of their members in common. */
function similarObjects(types: readonly TypeModel[], definitions: Definitions): UnionPlan | undefined {
  const found = types.flatMap((type) => {
    const members = plainMembers(type, definitions);
    return members ? [members] : [];
  });
  if (found.length < 2 || found.length < types.length) return undefined;
  const shared = factorOut(found).common.length;
  return found.every((members) => shared * 2 >= members.length) ? { kind: "similar", alternatives: found } : undefined;
}

/** Separates the members that all alternatives require from the rest of each. */
export function factorOut(alternatives: readonly Alternative[]): {
  readonly common: Alternative;
  readonly rests: readonly Alternative[];
} {
  const keys = alternatives.map((alternative) => new Set(alternative.map(keyOf)));
  const inAll = (own: MemberModel): boolean => keys.every((found) => found.has(keyOf(own)));
  const rests = alternatives.map((alternative) => alternative.filter((own) => !inAll(own)));
  const enough = rests.some((rest) => rest.length === 0);
  return { common: (alternatives[0] ?? []).filter(inAll), rests: enough ? [] : rests };
}

function keyOf({ name, optional, type }: MemberModel): string {
  return structureKey([name, optional, type]);
}

/** The members of an object whose check consists of nothing but members, at any depth. */
function plainMembers(type: TypeModel, definitions: Definitions): Alternative | undefined {
  const struct = type.kind === "reference" ? structNamed(type.name, definitions) : type;
  if (struct?.kind !== "struct" || ("recursive" in struct && struct.recursive)) return undefined;
  return struct.index && struct.index.kind !== "unknown" ? undefined : struct.members;
}
