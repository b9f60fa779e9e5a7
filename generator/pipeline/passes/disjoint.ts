import { accepts } from "../../shared/model/accepts.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";
import type { TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";
import { bodyOf, typeIn, type Body } from "./body.js";
import { literalValues, possibleJsonTypes } from "./possible-values.js";

/** How deep types are compared; deeper ones count as overlapping. */
const maxDepth = 6;

/** Whether no value fits two of the types, as far as the types show. */
export function arePairwiseDisjoint(types: readonly TypeModel[], names: Definitions): boolean {
  return types.every((one, at) => types.slice(at + 1).every((other) => areDisjoint(one, other, names, 0)));
}

function areDisjoint(first: TypeModel, second: TypeModel, names: Definitions, depth: number): boolean {
  if (depth > maxDepth) return false;
  const [one, other] = [resolveAliases(first, names), resolveAliases(second, names)];
  if (one.kind === "never" || other.kind === "never") return true;
  const [these, those] = [possibleJsonTypes(one, names), possibleJsonTypes(other, names)];
  if (these && those && !these.some((type) => those.includes(type))) return true;
  const [values, others] = [literalValues(one, names), literalValues(other, names)];
  if (values.length > 0) return !values.some((value) => accepts(other, value, names));
  if (others.length > 0) return !others.some((value) => accepts(one, value, names));
  const inner = (a: TypeModel, b: TypeModel): boolean => areDisjoint(a, b, names, depth + 1);
  if (one.kind === "union") return one.members.every((member) => inner(member, other));
  if (other.kind === "union") return other.members.every((member) => inner(one, member));
  if (one.kind === "all") return one.members.some((member) => inner(member, other));
  if (other.kind === "all") return other.members.some((member) => inner(one, member));
  if (one.kind === "not" && isSame(one.type, second)) return true;
  if (other.kind === "not" && isSame(other.type, first)) return true;
  const [left, right] = [bodyOf(one), bodyOf(other)];
  return left !== undefined && right !== undefined && areObjectsDisjoint(left, right, names, depth);
}

function isSame(one: TypeModel, other: TypeModel): boolean {
  return structureKey(one) === structureKey(other);
}

/** Objects are disjoint when one requires a member that cannot have the type that the other demands of it. */
function areObjectsDisjoint(left: Body, right: Body, names: Definitions, depth: number): boolean {
  const required = [...left.members, ...right.members].filter(({ optional }) => !optional);
  return required.some(({ name }) => {
    const [one, other] = [typeIn(left, name), typeIn(right, name)];
    return one !== undefined && other !== undefined && areDisjoint(one, other, names, depth + 1);
  });
}
