import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";

/**
 * The simplest type that accepts what all of `types` accept. Objects without a restriction of their further members
 * become one object when their common members have equal types, or types of which one is plainly narrower.
 * @param bodyOf the object that a type stands for, if it can be merged
 */
export function allOf(types: readonly TypeModel[], bodyOf: (type: TypeModel) => Body | undefined): TypeModel {
  const parts: TypeModel[] = [];
  for (const type of types.flatMap((one) => (one.kind === "all" ? one.members : [one]))) {
    if (type.kind === "never") return type;
    if (type.kind === "unknown" || parts.some((part) => structureKey(part) === structureKey(type))) continue;
    const [own, at] = [bodyOf(type), parts.findIndex((part) => bodyOf(part) !== undefined)];
    const other = parts[at];
    const merged = own && other ? merge(bodyOf(other), own) : undefined;
    if (merged) parts[at] = merged;
    else parts.push(type);
  }
  const [only, ...more] = parts;
  if (!only) return { kind: "unknown" };
  return more.length === 0 ? only : { kind: "all", members: parts };
}

export interface Body {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
}

function merge(left: Body | undefined, right: Body): TypeModel | undefined {
  if (!left) return undefined;
  const members = new Map(left.members.map((member) => [member.name, member]));
  for (const member of right.members) {
    const other = members.get(member.name);
    const type = other ? narrower(other.type, member.type) : member.type;
    if (!type) return undefined;
    const { inheritedFrom, ...both } = { ...other, ...member };
    members.set(member.name, {
      ...both,
      optional: member.optional && (other?.optional ?? true),
      type,
      ...(inheritedFrom !== undefined && (!other || other.inheritedFrom === inheritedFrom) && { inheritedFrom }),
    });
  }
  const index = left.index ?? right.index;
  if (members.size === 0) return index ? { kind: "map", values: index } : { kind: "object" };
  return { kind: "struct", members: [...members.values()], ...(index && { index }) };
}

/** The one of two types that accepts only values that the other one accepts, too. */
function narrower(one: TypeModel, other: TypeModel): TypeModel | undefined {
  if (includes(one, other)) return other;
  return includes(other, one) ? one : undefined;
}

function includes(wide: TypeModel, narrow: TypeModel): boolean {
  if (structureKey(wide) === structureKey(narrow) || wide.kind === "unknown") return true;
  const isPlain = Object.keys(wide).length === 1;
  switch (narrow.kind) {
    case "literal":
      return (
        isPlain && (wide.kind === typeof narrow.value || (wide.kind === "integer" && Number.isInteger(narrow.value)))
      );
    case "integer":
      return isPlain && wide.kind === "number";
    case "string":
    case "number":
    case "boolean":
      return isPlain && wide.kind === narrow.kind;
    case "enum":
      return isPlain && wide.kind === "string";
    case "struct":
    case "map":
      return wide.kind === "object";
    default:
      return false;
  }
}
