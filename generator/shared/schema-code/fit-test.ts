import type { Code } from "../code/code.js";
import type { Expression } from "../code/expression.js";
import { expressionOf, sizeOf, type Check } from "./check.js";
import type { Place, Surroundings } from "./plan-context.js";
import type { SchemaNode } from "./schema-node.js";

/** An expression with more terms is a function of its own. */
const longest = 6;

/** A call of the functions for `node`. */
export function apply(node: SchemaNode, { at, path }: Place, around: Surroundings): Check {
  const { fits, issues } = around.functions(node);
  return { kind: "apply", fits: callOf(fits, at, around), issues, at, path };
}

/** Whether `node` fits the value, in one expression. */
export function fits(node: SchemaNode, place: Place, around: Surroundings): Expression {
  if (!around.long.has(node)) {
    const whole = expressionOf(around.plan(node, { ...place, names: place.names.inner() }, around));
    if (whole && sizeOf(whole) <= longest) return whole;
    around.long.add(node);
  }
  return callOf(around.functions(node).fits, place.at, around);
}

function callOf(callee: Code, at: Code, { depth }: Surroundings): Expression {
  return { kind: "call", callee, args: depth ? [at, depth] : [at] };
}
