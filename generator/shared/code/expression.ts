import { assertNever } from "../assert-never.js";
import { code, join, literal, type Code } from "./code.js";

/** Expression tree for predicate bodies: boolean expressions over values that are already code. */
export type Expression =
  | { readonly kind: "always" | "never" }
  | { readonly kind: "equals"; readonly left: Code; readonly right: string | number | boolean | null | undefined }
  | { readonly kind: "typeof"; readonly of: Code; readonly is: "string" | "boolean" }
  | { readonly kind: "compare"; readonly left: Code; readonly operator: "<" | "<=" | ">" | ">="; readonly right: Code }
  | { readonly kind: "present"; readonly of: Code }
  /** Neither null nor an array. */
  | { readonly kind: "object"; readonly of: Code }
  | { readonly kind: "call"; readonly callee: Code; readonly args: readonly Code[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly items: readonly Expression[] }
  | { readonly kind: "choose"; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression };

export const always: Expression = { kind: "always" };
export const never: Expression = { kind: "never" };

/** Conjunction without needless terms or nesting. */
export function and(items: readonly Expression[]): Expression {
  const flat = items
    .flatMap((item) => (item.kind === "and" ? item.items : [item]))
    .filter((item) => item.kind !== "always");
  if (flat.some((item) => item.kind === "never")) return never;
  const [only, ...rest] = flat;
  return !only ? always : rest.length === 0 ? only : { kind: "and", items: flat };
}

/** Disjunction without needless terms or nesting. */
export function or(items: readonly Expression[]): Expression {
  const flat = items
    .flatMap((item) => (item.kind === "or" ? item.items : [item]))
    .filter((item) => item.kind !== "never");
  if (flat.some((item) => item.kind === "always")) return always;
  const [only, ...rest] = flat;
  return !only ? never : rest.length === 0 ? only : { kind: "or", items: flat };
}

/** The negation, without double negations. */
export function not(expression: Expression): Expression {
  switch (expression.kind) {
    case "always":
      return never;
    case "never":
      return always;
    case "not":
      return expression.of;
    case "and":
      return or(expression.items.map(not));
    case "or":
      return and(expression.items.map(not));
    default:
      return { kind: "not", of: expression };
  }
}

export function printExpression(expression: Expression): Code {
  switch (expression.kind) {
    case "always":
      return literal(true);
    case "never":
      return literal(false);
    case "equals":
      return expression.right === undefined
        ? code`${expression.left} === undefined`
        : code`${expression.left} === ${literal(expression.right)}`;
    case "typeof":
      return code`typeof ${expression.of} === ${literal(expression.is)}`;
    case "compare":
      return code`${expression.left} ${expression.operator as Code} ${expression.right}`;
    case "present":
      return code`${expression.of} !== undefined`;
    case "object":
      return code`typeof ${expression.of} === "object" && ${expression.of} !== null && !Array.isArray(${expression.of})`;
    case "call":
      return code`${expression.callee}(${join(expression.args, ", ")})`;
    case "not":
      return printNegation(expression.of);
    case "and":
      return join(expression.items.map(operand), " && ");
    case "or":
      return join(expression.items.map(operand), " || ");
    case "choose":
      return code`${operand(expression.when)} ? ${operand(expression.then)} : ${operand(expression.otherwise)}`;
    default:
      return assertNever(expression);
  }
}

function printNegation(expression: Expression): Code {
  switch (expression.kind) {
    case "equals":
      return code`${expression.left} !== ${expression.right === undefined ? ("undefined" as Code) : literal(expression.right)}`;
    case "typeof":
      return code`typeof ${expression.of} !== ${literal(expression.is)}`;
    case "present":
      return code`${expression.of} === undefined`;
    case "object":
      return code`typeof ${expression.of} !== "object" || ${expression.of} === null || Array.isArray(${expression.of})`;
    case "call":
      return code`!${printExpression(expression)}`;
    default:
      return code`!(${printExpression(expression)})`;
  }
}

function operand(expression: Expression): Code {
  const compound =
    expression.kind === "and" ||
    expression.kind === "or" ||
    expression.kind === "choose" ||
    expression.kind === "object" ||
    (expression.kind === "not" && expression.of.kind === "object");
  return compound ? code`(${printExpression(expression)})` : printExpression(expression);
}
