import { code, literal, type Code } from "../code/code.js";
import type { Expression } from "../code/expression.js";
import type { Check } from "./check.js";
import type { Must, PlanContext } from "./plan-context.js";
import type { NumberKeywords, StringKeywords } from "./schema-node.js";
import { call } from "./type-test.js";

type Operator = Extract<Expression, { kind: "compare" }>["operator"];

export function compare(left: Code, operator: Operator, right: number): Expression {
  return { kind: "compare", left, operator, right: literal(right) };
}

export function planNumber(keywords: NumberKeywords, must: Must, at: Code): readonly Check[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = keywords;
  const left = code`(${at} as number)`;
  const found: Check[] = [];
  if (minimum !== undefined) found.push(must(compare(left, ">=", minimum), `must be at least ${minimum}`));
  if (maximum !== undefined) found.push(must(compare(left, "<=", maximum), `must be at most ${maximum}`));
  if (exclusiveMinimum !== undefined)
    found.push(must(compare(left, ">", exclusiveMinimum), `must be greater than ${exclusiveMinimum}`));
  if (exclusiveMaximum !== undefined)
    found.push(must(compare(left, "<", exclusiveMaximum), `must be less than ${exclusiveMaximum}`));
  if (multipleOf !== undefined)
    found.push(must(call(code`isMultiple`, left, literal(multipleOf)), `must be a multiple of ${multipleOf}`));
  return found;
}

export function planString(
  { minLength, maxLength, pattern }: StringKeywords,
  must: Must,
  at: Code,
  context: PlanContext,
): readonly Check[] {
  const length = code`codePoints(${at})`;
  const found: Check[] = [];
  if (minLength !== undefined && minLength > 0)
    found.push(
      must(
        // Whether a string is empty shows without counting.
        minLength === 1 ? compare(code`${at}.length`, ">=", 1) : compare(length, ">=", minLength),
        `must have at least ${characters(minLength)}`,
      ),
    );
  if (maxLength !== undefined)
    found.push(must(compare(length, "<=", maxLength), `must have at most ${characters(maxLength)}`));
  if (pattern !== undefined && context.patterns)
    found.push(must(patternTest(pattern, at, context), `must match the pattern ${pattern}`));
  return found;
}

/** Whether a string matches. */
export function patternTest(pattern: string, at: Code, { constants }: PlanContext): Expression {
  const name = constants.name("pattern", code`new RegExp(${literal(pattern)}, "u")`, code``);
  return call(code`${name}.test`, at);
}

function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}`;
}
