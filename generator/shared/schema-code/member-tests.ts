import { code, literal, type Code } from "../code/code.js";
import { and, or, type Expression } from "../code/expression.js";
import type { PlanContext } from "./plan-context.js";
import { patternTest } from "./scalar-checks.js";
import type { SchemaNode } from "./schema-node.js";
import { call } from "./type-test.js";
import { set } from "./values-test.js";

/** Whether `properties` or `patternProperties` apply to a name. */
export function isNamed({ object }: SchemaNode, key: Code, context: PlanContext): Expression {
  const names = object.properties.map(([name]) => name);
  const listed: Expression =
    names.length > 8
      ? call(code`${set(names, context.constants)}.has`, key)
      : or(names.map((right): Expression => ({ kind: "equals", left: key, right })));
  return or([listed, ...object.patterns.map(([pattern]) => patternTest(pattern, key, context))]);
}

export function hasMember(at: Code, name: string): Expression {
  return and([call(code`hasMember`, at, literal(name))]);
}
