import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";

/** What an object type consists of. */
export interface Body {
  readonly members: readonly MemberModel[];
  /** Type of members not listed. Absent: they are not restricted. */
  readonly index?: TypeModel;
}

/** The body of an object type; undefined for other types, and for names. */
export function bodyOf(type: TypeModel): Body | undefined {
  switch (type.kind) {
    case "struct":
      return type;
    case "map":
      return { members: [], index: type.values };
    case "object":
      return { members: [] };
    default:
      return undefined;
  }
}

/** The simplest type with a body. */
export function objectType({ members, index }: Body): TypeModel {
  if (members.length > 0) return { kind: "struct", members, ...(index && { index }) };
  return index ? { kind: "map", values: index } : { kind: "object" };
}

/** The type that a body demands of the member with a name, if any. */
export function typeIn({ members, index }: Body, name: string): TypeModel | undefined {
  return members.find((member) => member.name === name)?.type ?? index;
}
