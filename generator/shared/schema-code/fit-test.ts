import type { Code } from "../code/code.js";
import type { Expression } from "../code/expression.js";
import { expressionOf, sizeOf, type Check } from "./check.js";
import type { ValueLocation, PlanContext } from "./plan-context.js";
import type { SchemaNode } from "./schema-node.js";

/** An expression with more terms becomes a function. */
const longest = 6;

/** Calls of the functions for `node`. */
export function apply(node: SchemaNode, { at, path }: ValueLocation, context: PlanContext): Check {
  const { fits, issues } = context.functions(node);
  return { kind: "apply", fits: callOf(fits, at, context), issues, at, path };
}

/** Whether the value matches `node`, as one expression. */
export function fits(node: SchemaNode, place: ValueLocation, context: PlanContext): Expression {
  if (!context.long.has(node)) {
    const whole = expressionOf(context.plan(node, { ...place, names: place.names.inner() }, context));
    if (whole && sizeOf(whole) <= longest) return whole;
    context.long.add(node);
  }
  return callOf(context.functions(node).fits, place.at, context);
}

function callOf(callee: Code, at: Code, { depth }: PlanContext): Expression {
  return { kind: "call", callee, args: depth ? [at, depth] : [at] };
}
