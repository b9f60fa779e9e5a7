import type { MemberModel, TypeModel } from "../../../shared/model/protocol.js";
import { structureKey } from "../../../shared/model/structure.js";
import { resolveAliases, type Definitions } from "../../../shared/model/definitions.js";

/**
 * The alternatives of a union that decide what it accepts. An alternative that requires everything that another one
 * requires, and more, accepts no further values, because objects are open.
 */
export function decisiveAlternatives(members: readonly TypeModel[], definitions: Definitions): readonly TypeModel[] {
  const needed = members.map((member) => requirements(member, definitions));
  return members.filter((_, at) => {
    const own = needed[at];
    return !needed.some((other, index) => {
      if (!own || !other || index === at || !asksForAllOf(own, other)) return false;
      return !asksForAllOf(other, own) || index < at; // of two with equal requirements, the first stays
    });
  });
}

function requirements(type: TypeModel, definitions: Definitions): readonly MemberModel[] | undefined {
  const target = resolveAliases(type, definitions);
  if (target.kind !== "struct") return undefined;
  return target.index && target.index.kind !== "unknown" ? undefined : target.members;
}

function asksForAllOf(own: readonly MemberModel[], other: readonly MemberModel[]): boolean {
  return other.every(({ name, optional, type }) => {
    const same = own.find((member) => member.name === name);
    return same !== undefined && (optional || !same.optional) && structureKey(same.type) === structureKey(type);
  });
}
