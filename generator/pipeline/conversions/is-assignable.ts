import { assertNever } from "../../shared/assert-never.js";
import { accepts } from "../../shared/model/accepts.js";
import type { MemberModel, NumberBounds, TextBounds, TypeModel } from "../../shared/model/protocol.js";
import { isUnchanged } from "./is-unchanged.js";
import { structureKey } from "../../shared/model/structure.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";

/** Two revisions and the direction of the conversion. */
export interface ConversionPair {
  readonly source: Definitions;
  readonly target: Definitions;
  /** `up`: from the older revision to the newer one. */
  readonly direction: "up" | "down";
}

interface Body {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
}

const anything: TypeModel = { kind: "unknown" };
const anyObject: TypeModel = { kind: "map", values: anything };

/** The types of JSON; messages contain no other values. */
const jsonTypes: readonly TypeModel[] = [
  { kind: "string" },
  { kind: "number" },
  { kind: "boolean" },
  { kind: "null" },
  { kind: "array", items: anything },
  anyObject,
];

/**
 * Whether `target` accepts every value that `source` accepts, as far as the types show.
 *
 * Members that a type does not list count as absent, with one exception: on the way down, an index signature of the
 * newer type allows values that the older type restricts. A name that the newer revision introduces has no meaning in
 * older messages; a name that it no longer declares may still be in use.
 */
export function isAssignable(
  source: TypeModel,
  target: TypeModel,
  pair: ConversionPair,
  open: ReadonlySet<string> = new Set(),
): boolean {
  const [from, to] = [resolveAliases(source, pair.source), resolveAliases(target, pair.target)];
  if (to.kind === "unknown" || from.kind === "never") return true;
  const id = `${nameOf(source, from)} ${nameOf(target, to)}`;
  if (open.has(id)) return true;
  const inside = id.includes("?") ? open : new Set([...open, id]);
  const check = (one: TypeModel, other: TypeModel): boolean => isAssignable(one, other, pair, inside);
  if (isCombination(to) && isUnchanged(from, to, pair.source, pair.target)) return true;
  const alternatives = alternativesOf(from);
  if (alternatives) return alternatives.every((one) => check(one, target));
  if (to.kind === "union" && !to.exclusive) return to.members.some((one) => check(source, one));
  const combined = combinationFits(from, to, check);
  if (combined !== undefined) return combined;
  switch (from.kind) {
    case "string":
      return to.kind === "string" ? withinText(from, to) : to.kind === "enum" && to.open;
    case "number":
    case "integer":
      return (to.kind === "number" || to.kind === from.kind) && withinRange(from, to);
    case "boolean":
    case "null":
      return to.kind === from.kind;
    case "literal":
      return literalFits(from.value, to);
    case "array":
      return to.kind === "array" && check(from.items, to.items) && withinLength(from, to);
    case "map":
      return bodyFits({ members: [], index: from.values }, to, pair, check);
    case "struct":
      return bodyFits(from, to, pair, check);
    case "reference":
    case "all":
    case "entries":
      return false;
    case "unknown":
    case "not":
    case "object":
    case "enum":
    case "union":
      return true; // unreachable: these types have alternatives
    default:
      return assertNever(from);
  }
}

/** The alternatives of a type that is not a single one; undefined for all others. */
function alternativesOf(type: TypeModel): readonly TypeModel[] | undefined {
  switch (type.kind) {
    case "union":
      return type.members;
    case "unknown":
    case "not":
      return jsonTypes;
    case "object":
      return [anyObject];
    case "enum":
      return type.open ? [{ kind: "string" }] : type.values.map((value) => ({ kind: "literal", value }));
    default:
      return undefined;
  }
}

/** Whether a type fits one that combines others, or the other way around; undefined when neither does. */
function combinationFits(
  from: TypeModel,
  to: TypeModel,
  check: (one: TypeModel, other: TypeModel) => boolean,
): boolean | undefined {
  if (to.kind === "all") return to.members.every((one) => check(from, one));
  if (from.kind === "all") return from.members.some((one) => check(one, to));
  if (from.kind === "entries" && (to.kind === "object" || isOpenObject(to))) return true;
  return isCombination(to) ? to.kind === "union" && isAlternative(from, to) : undefined;
}

/** Types of which the parts do not show which values fit. */
function isCombination(type: TypeModel): boolean {
  return type.kind === "not" || type.kind === "entries" || (type.kind === "union" && type.exclusive === true);
}

function isOpenObject(type: TypeModel): boolean {
  if (type.kind === "map") return type.values.kind === "unknown";
  return type.kind === "struct" && type.members.length === 0 && !type.index;
}

/** Of the alternatives of `oneOf`, only literals are certain to fit no other one. */
function isAlternative(from: TypeModel, { members }: Extract<TypeModel, { kind: "union" }>): boolean {
  return (
    members.every(({ kind }) => kind === "literal") && members.some((one) => structureKey(one) === structureKey(from))
  );
}

function bodyFits(
  from: Body,
  to: TypeModel,
  { direction }: ConversionPair,
  check: (one: TypeModel, other: TypeModel) => boolean,
): boolean {
  switch (to.kind) {
    case "object":
      return true;
    case "map":
      return [...from.members.map(({ type }) => type), ...(from.index ? [from.index] : [])].every((type) =>
        check(type, to.values),
      );
    case "struct":
      break;
    default:
      return false;
  }
  const listed = to.members.every(({ name, optional, type }) => {
    const own = from.members.find((member) => member.name === name);
    if (own) return (optional || !own.optional) && check(own.type, type);
    return optional && (direction === "up" || !from.index || check(from.index, type));
  });
  if (!listed || !to.index || to.index.kind === "unknown") return listed;
  const { members, index } = to;
  const others = from.members.filter(({ name }) => !members.some((member) => member.name === name));
  return others.every(({ type }) => check(type, index)) && (!from.index || check(from.index, index));
}

function literalFits(value: string | number | boolean, to: TypeModel): boolean {
  switch (to.kind) {
    case "literal":
      return to.value === value;
    case "enum":
      return typeof value === "string" && (to.open || to.values.includes(value));
    case "integer":
      return Number.isInteger(value) && accepts(to, value, new Map());
    case "number":
    case "string":
      return accepts(to, value, new Map());
    default:
      return to.kind === typeof value;
  }
}

function withinRange(from: NumberBounds, to: NumberBounds): boolean {
  const [least, most] = [from.minimum ?? -Infinity, from.maximum ?? Infinity];
  const isAbove = (bound: number): boolean => least > bound || (from.exclusiveMinimum ?? -Infinity) >= bound;
  const isBelow = (bound: number): boolean => most < bound || (from.exclusiveMaximum ?? Infinity) <= bound;
  return (
    (to.minimum === undefined || least >= to.minimum || isAbove(to.minimum)) &&
    (to.maximum === undefined || most <= to.maximum || isBelow(to.maximum)) &&
    (to.exclusiveMinimum === undefined || isAbove(to.exclusiveMinimum)) &&
    (to.exclusiveMaximum === undefined || isBelow(to.exclusiveMaximum)) &&
    (to.multipleOf === undefined || to.multipleOf === from.multipleOf)
  );
}

function withinText(from: TextBounds, to: TextBounds): boolean {
  return (
    (from.minLength ?? 0) >= (to.minLength ?? 0) &&
    (from.maxLength ?? Infinity) <= (to.maxLength ?? Infinity) &&
    (to.pattern === undefined || to.pattern === from.pattern)
  );
}

/** Whether the lengths that one array type allows are within those of the other. */
export function withinLength(
  from: { readonly minItems?: number; readonly maxItems?: number; readonly uniqueItems?: true },
  to: { readonly minItems?: number; readonly maxItems?: number; readonly uniqueItems?: true },
): boolean {
  if (to.uniqueItems && !from.uniqueItems) return false;
  return (from.minItems ?? 0) >= (to.minItems ?? 0) && (from.maxItems ?? Infinity) <= (to.maxItems ?? Infinity);
}

/** Only named types can contain themselves; `?` is the name of all others. */
function nameOf(type: TypeModel, target: TypeModel): string {
  if (type.kind === "reference") return type.name;
  return target.kind === "unknown" || (target.kind === "map" && target.values.kind === "unknown") ? target.kind : "?";
}
