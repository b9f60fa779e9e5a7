import type { TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";
import { objectType, type Body } from "./body.js";

/**
 * The simplest type that accepts what all of `types` accept. Objects without a restriction of their further members
 * become one object when their common members have equal types, or types of which one is plainly narrower.
 */
export function allOf(types: readonly TypeModel[], objects: Objects): TypeModel {
  const { bodyOf } = objects;
  const parts: TypeModel[] = [];
  for (const type of types.flatMap((one) => (one.kind === "all" ? one.members : [one]))) {
    if (type.kind === "never") return type;
    if (type.kind === "unknown" || parts.some((part) => structureKey(part) === structureKey(type))) continue;
    const [own, at] = [bodyOf(type), parts.findIndex((part) => bodyOf(part) !== undefined)];
    const other = parts[at];
    const merged = own && other ? merge(bodyOf(other), own, objects) : undefined;
    if (merged) parts[at] = merged;
    else parts.push(type);
  }
  const [only, ...more] = parts;
  if (!only) return { kind: "unknown" };
  return more.length === 0 ? only : { kind: "all", members: parts };
}

/** The questions about types that depend on others. */
export interface Objects {
  /** The object that a type stands for, if it can be merged. */
  readonly bodyOf: (type: TypeModel) => Body | undefined;
  /** Whether a type accepts only objects. */
  readonly isObject: (type: TypeModel) => boolean;
}

function merge(left: Body | undefined, right: Body, objects: Objects): TypeModel | undefined {
  if (!left) return undefined;
  const members = new Map(left.members.map((member) => [member.name, member]));
  for (const member of right.members) {
    const other = members.get(member.name);
    const type = other ? narrower(other.type, member.type, objects) : member.type;
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
  return objectType({ members: [...members.values()], ...(index && { index }) });
}

/** The one of two types that accepts only values that the other one accepts, too. */
function narrower(one: TypeModel, other: TypeModel, objects: Objects): TypeModel | undefined {
  if (includes(one, other, objects)) return other;
  return includes(other, one, objects) ? one : undefined;
}

function includes(wide: TypeModel, narrow: TypeModel, { bodyOf, isObject }: Objects): boolean {
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
    case "reference":
      return bodyOf(wide)?.members.length === 0 && isObject(narrow);
    default:
      return false;
  }
}
