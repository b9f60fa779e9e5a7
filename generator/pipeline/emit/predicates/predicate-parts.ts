import type { MemberModel, NumberBounds, TypeModel } from "../../../shared/model/protocol.js";
import { binding, code, join, key, literal, type Code } from "../../../shared/code/code.js";
import { or, type Expression } from "../../../shared/code/expression.js";

export interface ValuePlace {
  /** The position of the type, from which private functions get their names. */
  readonly path: string;
  /** The depth to pass to recursive predicates; absent outside of them. */
  readonly depth?: Code;
}

export interface Struct {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
  /** Listed members that are checked elsewhere; `index` does not apply to them. */
  readonly others?: readonly string[];
}

export const value = binding("value");
export const notObject = code`typeof value !== "object" || value === null || Array.isArray(value)`;

export function shapeOf(names: readonly string[]): Code {
  return code`{ ${join(
    names.map((name) => code`${key(name)}: unknown`),
    "; ",
  )} }`;
}

export function equalsOneOf(left: Code, values: readonly string[]): Expression {
  return or(values.map((right): Expression => ({ kind: "equals", left, right })));
}

export function bounds(left: Code, minimum: number | undefined, maximum: number | undefined): readonly Expression[] {
  const found: Expression[] = [];
  if (minimum !== undefined) found.push({ kind: "compare", left, operator: ">=", right: literal(minimum) });
  if (maximum !== undefined) found.push({ kind: "compare", left, operator: "<=", right: literal(maximum) });
  return found;
}

export function numberTests(left: Code, type: NumberBounds): readonly Expression[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = type;
  const found = [...bounds(left, minimum, maximum)];
  if (exclusiveMinimum !== undefined)
    found.push({ kind: "compare", left, operator: ">", right: literal(exclusiveMinimum) });
  if (exclusiveMaximum !== undefined)
    found.push({ kind: "compare", left, operator: "<", right: literal(exclusiveMaximum) });
  if (multipleOf !== undefined) found.push(call("Number.isInteger", code`${left} / ${literal(multipleOf)}`));
  return found;
}

export function without({ members, index }: Struct, name: string): Struct {
  return { members: members.filter((found) => found.name !== name), ...(index && { index, others: [name] }) };
}

/**
 * Whether iterating over an object of this type is cheaper than reading each known member: engines are slow to find
 * that a member is absent after they have seen objects of many shapes.
 */
export function isMostlyAbsent({ members, index }: Struct): boolean {
  return !index && members.length >= 5 && members.every(({ optional, type }) => optional && type.kind !== "unknown");
}

export function oneLevelDeeper(place: ValuePlace): ValuePlace {
  return { ...place, ...(place.depth && { depth: code`depth + 1` }) };
}

export function returnFalseIf(test: Code, place: ValuePlace): Code {
  const tooDeep = place.depth ? code` || depth >= maxDepth` : code``;
  return code`if (${test}${tooDeep}) return false;\n`;
}

export function call(callee: string, ...args: readonly Code[]): Expression {
  const [object, method] = callee.split(".");
  return {
    kind: "call",
    callee: method === undefined ? binding(callee) : code`${binding(object ?? "")}.${binding(method)}`,
    args,
  };
}

export function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
