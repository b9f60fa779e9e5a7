import { code, join, literal } from "../code/code.js";
import { never, not, or, printExpression, type Expression } from "../code/expression.js";
import { planArray } from "./array-checks.js";
import type { Check } from "./check.js";
import { apply, fits } from "./fit-test.js";
import type { Must, ValueLocation, PlanContext } from "./plan-context.js";
import { planNumber, planString } from "./scalar-checks.js";
import { isTrivial, type JsonType, type SchemaNode } from "./schema-node.js";
import { planObject } from "./object-checks.js";
import { discriminators } from "./discriminators.js";
import { groups, isOfType, typeTest, typeText, type Group } from "./type-test.js";
import { valuesTest, valuesText } from "./values-test.js";

/** The checks of `node` for the value at `place`. */
export function planChecks(node: SchemaNode, place: ValueLocation, context: PlanContext): readonly Check[] {
  const must: Must = (test, message, then = []) => ({
    kind: "must",
    test,
    message: literal(message),
    path: place.path,
    then,
  });
  if (node.never) return [must(never, "is not allowed")];
  const [values = [], ...others] = node.values;
  const { types } = node;
  // Listed values also determine the type.
  const fitting = types ? values.filter((value) => types.some((type) => isOfType(value, type))) : values;
  const tests = node.values.length === 0 ? [] : [fitting, ...others];
  return [
    ...tests.map((list) => must(valuesTest(list, place.at, context.constants), valuesText(list))),
    ...typed(node, node.values.length > 0, must, place, context),
    ...reference(node, place, context),
    ...node.allOf.flatMap((inner) => planChecks(inner, place, context)),
    ...combinations(node, must, place, context),
  ];
}

/** The type check, and the checks for values of each type. */
function typed(
  node: SchemaNode,
  known: boolean,
  must: Must,
  place: ValueLocation,
  context: PlanContext,
): readonly Check[] {
  const { types } = node;
  const plans: Readonly<Record<Group, readonly Check[]>> = {
    number: planNumber(node.number, must, place.at),
    string: planString(node.string, must, place.at, context),
    object: planObject(node, must, place, context),
    array: planArray(node, must, place, context),
  };
  const asked = groups.filter((group) => plans[group].length > 0);
  const test = types && !known ? typeTest(types, place.at) : undefined;
  const [only] = asked;
  if (test && types?.length === 1 && asked.length === 1 && only !== undefined && includes(types, only))
    return [must(test, `must be ${typeText(types)}`, plans[only])];
  const possible = asked.filter((group) => !types || includes(types, group));
  return [
    ...(test ? [must(test, `must be ${typeText(types ?? [])}`)] : []),
    ...possible.map((group): Check => ({
      kind: "when",
      test: typeTest([group], place.at),
      then: plans[group],
      otherwise: [],
    })),
  ];
}

function includes(types: readonly JsonType[], group: Group): boolean {
  return types.some((type) => type === group || (type === "integer" && group === "number"));
}

function reference(node: SchemaNode, place: ValueLocation, context: PlanContext): readonly Check[] {
  const target = node.ref === undefined ? undefined : context.graph.nodes.get(node.ref);
  return target && !isTrivial(target) ? [apply(target, place, context)] : [];
}

function combinations(node: SchemaNode, must: Must, place: ValueLocation, context: PlanContext): readonly Check[] {
  const test = (inner: SchemaNode): Expression => fits(inner, place, context);
  const found: Check[] = [];
  if (node.anyOf.length > 0) found.push(alternatives(node.anyOf, place, context));
  if (node.oneOf.length > 0) found.push(exactlyOne(node.oneOf, must, place, context));
  if (node.not) found.push(must(not(test(node.not)), "must not be what is excluded"));
  if (node.if && (node.then ?? node.else)) {
    const plan = (inner: SchemaNode | undefined): readonly Check[] => (inner ? planChecks(inner, place, context) : []);
    const condition = test(node.if);
    if (condition.kind === "always") found.push(...plan(node.then));
    else if (condition.kind === "never") found.push(...plan(node.else));
    else found.push({ kind: "when", test: condition, then: plan(node.then), otherwise: plan(node.else) });
  }
  return found;
}

/** Alternatives that exclude each other need not be counted. */
function exactlyOne(nodes: readonly SchemaNode[], must: Must, place: ValueLocation, context: PlanContext): Check {
  if (discriminators(nodes, place.at, context).every((one) => one !== undefined))
    return alternatives(nodes, place, context);
  const counted = nodes.map((inner) => code`Number(${printExpression(fits(inner, place, context))})`);
  return must(
    { kind: "equals", left: join(counted, " + "), right: 1 },
    `must fit exactly one of ${nodes.length} alternatives`,
  );
}

function alternatives(nodes: readonly SchemaNode[], place: ValueLocation, context: PlanContext): Check {
  const recognised = discriminators(nodes, place.at, context).flatMap((test, index) => {
    const node = nodes[index];
    if (!test || !node) return [];
    const { types: _types, ...rest } = node;
    // An alternative that only requires its type has no issues for a value of that type.
    return isTrivial(rest) ? [] : [{ test, then: [apply(node, place, context)] }];
  });
  const types = nodes.flatMap((node) => node.types ?? []);
  const told = nodes.every((node) => node.types) && new Set(types).size === types.length;
  const message = told ? `must be ${typeText(types)}` : `must fit one of ${nodes.length} alternatives`;
  const test = or(nodes.map((node) => fits(node, place, context)));
  return { kind: "alternatives", test, message: literal(message), path: place.path, recognised };
}
