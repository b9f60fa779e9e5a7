import { accepts } from "../../shared/model/accepts.js";
import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { structureKey } from "../../shared/model/structure.js";
import { bodyOf, objectType, typeIn, type Body } from "./body.js";
import { unionOf } from "./union-of.js";

/**
 * The values of two types, or why there is no such type: `apart` when no value has both, `unclear` when the model
 * cannot say what they have in common.
 */
export type Intersection = TypeModel | "apart" | "unclear";

/** Nested types that are intersected; recursive ones would be endlessly. */
const maxDepth = 16;

/** Why two objects have no intersection; `member` names the place, undefined the index signature. */
interface Clash {
  readonly clash: "apart" | "unclear";
  readonly member: string | undefined;
}

type TypeOf<K extends TypeModel["kind"]> = Extract<TypeModel, { kind: K }>;

/** Intersects types; `resolve` follows references. */
export class Intersector {
  constructor(private readonly resolve: (type: TypeModel) => TypeModel) {}

  /** A type that the other one includes is returned as it is, so that it keeps its name. */
  types(left: TypeModel, right: TypeModel, depth = 0): Intersection {
    if (same(left, right)) return right;
    if (depth > maxDepth) return "unclear";
    const [one, other] = [this.resolve(left), this.resolve(right)];
    if (one.kind === "never" || other.kind === "never") return { kind: "never" };
    if (one.kind === "unknown" || (isAnyObject(one) && this.isObject(other))) return right;
    if (other.kind === "unknown" || (isAnyObject(other) && this.isObject(one))) return left;
    if (one.kind === "union") return this.alternatives(left, one.members, right, depth);
    if (other.kind === "union") return this.alternatives(right, other.members, left, depth);
    if (isFurther(one) || isFurther(other)) return "unclear";
    if (one.kind === "literal") return accepts(other, one.value, noNames) ? left : "apart";
    if (other.kind === "literal") return accepts(one, other.value, noNames) ? right : "apart";
    if (one.kind === "enum" && !one.open) return values(left, one.values, other);
    if (other.kind === "enum" && !other.open) return values(right, other.values, one);
    if (isText(one) && isText(other)) return texts(left, one, right, other);
    if (isNumber(one) && isNumber(other)) return numbers(left, one, right, other);
    if (one.kind === "array" && other.kind === "array") return this.arrays(one, other, depth);
    const [body, further] = [bodyOf(one), bodyOf(other)];
    if (body && further) {
      const found = this.bodies(body, further, depth);
      return "clash" in found ? found.clash : objectType(found);
    }
    return "apart";
  }

  /** The members of both objects, or why there are none. An index signature holds for the other object's members. */
  bodies(left: Body, right: Body, depth = 0): Body | Clash {
    const names = new Set([...left.members, ...right.members].map(({ name }) => name));
    const members: MemberModel[] = [];
    for (const name of names) {
      const found = [left, right].flatMap((body) => body.members.find((member) => member.name === name) ?? []);
      const member = found.reduce(both);
      const type = this.both(typeIn(left, name), typeIn(right, name), depth) ?? member.type;
      if (type === "unclear") return { clash: type, member: name };
      const isEmpty = type === "apart" || type.kind === "never";
      if (isEmpty && !member.optional) return { clash: "apart", member: name };
      members.push({ ...member, type: isEmpty ? { kind: "never" } : type });
    }
    const index = this.both(left.index, right.index, depth);
    if (typeof index === "string") return { clash: "unclear", member: undefined };
    return { members, ...(index && { index }) };
  }

  private both(left: TypeModel | undefined, right: TypeModel | undefined, depth: number): Intersection | undefined {
    return left && right ? this.types(left, right, depth + 1) : (left ?? right);
  }

  private alternatives(whole: TypeModel, members: readonly TypeModel[], other: TypeModel, depth: number): Intersection {
    const found = members.map((member) => this.types(member, other, depth + 1));
    if (found.includes("unclear")) return "unclear";
    const kept = found.filter((type): type is TypeModel => typeof type !== "string");
    if (kept.length === 0) return "apart";
    return kept.length === members.length && kept.every((type, at) => same(type, members[at])) ? whole : unionOf(kept);
  }

  private arrays(one: TypeOf<"array">, other: TypeOf<"array">, depth: number): Intersection {
    const items = this.types(one.items, other.items, depth + 1);
    if (items === "unclear") return "unclear";
    const least = Math.max(one.minItems ?? 0, other.minItems ?? 0);
    const most = Math.min(one.maxItems ?? Infinity, other.maxItems ?? Infinity);
    if (least > most || (items === "apart" && least > 0)) return "apart";
    return {
      ...one,
      ...other,
      items: items === "apart" ? { kind: "never" } : items,
      ...(least > 0 && { minItems: least }),
      ...(most < Infinity && { maxItems: most }),
    };
  }

  private isObject(type: TypeModel): boolean {
    const target = this.resolve(type);
    return target.kind === "union"
      ? target.members.every((member) => this.isObject(member))
      : bodyOf(target) !== undefined || target.kind === "entries";
  }
}

const noNames = new Map<string, never>();

/** A member that two sides of an intersection have; it is inherited only when both inherit it from one type. */
function both(left: MemberModel, right: MemberModel): MemberModel {
  const { inheritedFrom, ...member } = { ...left, ...right };
  return {
    ...member,
    optional: left.optional && right.optional,
    ...(inheritedFrom !== undefined && left.inheritedFrom === right.inheritedFrom && { inheritedFrom }),
  };
}

function values(whole: TypeModel, all: readonly string[], other: TypeModel): Intersection {
  const common = all.filter((value) => accepts(other, value, noNames));
  if (common.length === all.length) return whole;
  return common.length === 0 ? "apart" : unionOf(common.map((value) => ({ kind: "literal", value })));
}

type Text = TypeOf<"string" | "enum">;

function isText(type: TypeModel): type is Text {
  return type.kind === "string" || type.kind === "enum";
}

/** Open enumerations accept every string; of their values and a format, only the former are known. */
function texts(left: TypeModel, one: Text, right: TypeModel, other: Text): Intersection {
  if (one.kind === "enum") return other.kind === "enum" || isPlain(other) ? left : right;
  if (other.kind === "enum") return isPlain(one) ? right : left;
  if (isPlain(one)) return right;
  return isPlain(other) ? left : "unclear";
}

function isPlain(type: TypeModel): boolean {
  return Object.keys(type).length === 1;
}

type Numeric = TypeOf<"number" | "integer">;

function isNumber(type: TypeModel): type is Numeric {
  return type.kind === "number" || type.kind === "integer";
}

function numbers(left: TypeModel, one: Numeric, right: TypeModel, other: Numeric): Intersection {
  if (isPlain(one) && (one.kind === "number" || other.kind === "integer")) return right;
  if (isPlain(other) && (other.kind === "number" || one.kind === "integer")) return left;
  const isBounded = ({ kind: _kind, minimum: _minimum, maximum: _maximum, ...rest }: Numeric): boolean =>
    Object.keys(rest).length === 0;
  if (!isBounded(one) || !isBounded(other)) return "unclear";
  const minimum = Math.max(one.minimum ?? -Infinity, other.minimum ?? -Infinity);
  const maximum = Math.min(one.maximum ?? Infinity, other.maximum ?? Infinity);
  if (minimum > maximum) return "apart";
  return {
    kind: one.kind === "integer" ? "integer" : other.kind,
    ...(minimum > -Infinity && { minimum }),
    ...(maximum < Infinity && { maximum }),
  };
}

/** An object type that every object has. */
function isAnyObject(type: TypeModel): boolean {
  const body = bodyOf(type);
  return body?.members.length === 0 && (!body.index || body.index.kind === "unknown");
}

/** Types of which the model does not show the values. */
function isFurther({ kind }: TypeModel): boolean {
  return kind === "all" || kind === "not" || kind === "entries" || kind === "reference";
}

function same(one: unknown, other: unknown): boolean {
  return structureKey(one) === structureKey(other);
}
