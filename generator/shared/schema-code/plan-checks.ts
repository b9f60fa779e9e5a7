import { code, join, literal } from "../code/code.js";
import { never, not, or, printExpression, type Expression } from "../code/expression.js";
import { planArray } from "./array-checks.js";
import type { Check } from "./check.js";
import { apply, fits } from "./fit-test.js";
import type { Must, Place, Surroundings } from "./plan-context.js";
import { planNumber, planString } from "./scalar-checks.js";
import { isTrivial, type JsonType, type SchemaNode } from "./schema-node.js";
import { planObject } from "./object-checks.js";
import { recognitions } from "./recognition.js";
import { groups, isOfType, typeTest, typeText, type Group } from "./type-test.js";
import { valuesTest, valuesText } from "./values-test.js";

/** What `node` asks of the value at `place`. */
export function planChecks(node: SchemaNode, place: Place, around: Surroundings): readonly Check[] {
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
  // What is one of a few values has its type from them.
  const fitting = types ? values.filter((value) => types.some((type) => isOfType(value, type))) : values;
  const tests = node.values.length === 0 ? [] : [fitting, ...others];
  return [
    ...tests.map((list) => must(valuesTest(list, place.at, around.constants), valuesText(list))),
    ...typed(node, node.values.length > 0, must, place, around),
    ...reference(node, place, around),
    ...node.allOf.flatMap((inner) => planChecks(inner, place, around)),
    ...combinations(node, must, place, around),
  ];
}

/** The type, and what is asked of values of each type. */
function typed(node: SchemaNode, known: boolean, must: Must, place: Place, around: Surroundings): readonly Check[] {
  const { types } = node;
  const plans: Readonly<Record<Group, readonly Check[]>> = {
    number: planNumber(node.number, must, place.at),
    string: planString(node.string, must, place.at, around),
    object: planObject(node, must, place, around),
    array: planArray(node, must, place, around),
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

function reference(node: SchemaNode, place: Place, around: Surroundings): readonly Check[] {
  const target = node.ref === undefined ? undefined : around.graph.nodes.get(node.ref);
  return target && !isTrivial(target) ? [apply(target, place, around)] : [];
}

function combinations(node: SchemaNode, must: Must, place: Place, around: Surroundings): readonly Check[] {
  const test = (inner: SchemaNode): Expression => fits(inner, place, around);
  const found: Check[] = [];
  if (node.anyOf.length > 0) found.push(alternatives(node.anyOf, place, around));
  if (node.oneOf.length > 0) found.push(exactlyOne(node.oneOf, must, place, around));
  if (node.not) found.push(must(not(test(node.not)), "must not be what is excluded"));
  if (node.if && (node.then ?? node.else)) {
    const plan = (inner: SchemaNode | undefined): readonly Check[] => (inner ? planChecks(inner, place, around) : []);
    const condition = test(node.if);
    if (condition.kind === "always") found.push(...plan(node.then));
    else if (condition.kind === "never") found.push(...plan(node.else));
    else found.push({ kind: "when", test: condition, then: plan(node.then), otherwise: plan(node.else) });
  }
  return found;
}

/** Alternatives that exclude each other need no counting. */
function exactlyOne(nodes: readonly SchemaNode[], must: Must, place: Place, around: Surroundings): Check {
  if (recognitions(nodes, place.at, around).every((one) => one !== undefined))
    return alternatives(nodes, place, around);
  const counted = nodes.map((inner) => code`Number(${printExpression(fits(inner, place, around))})`);
  return must(
    { kind: "equals", left: join(counted, " + "), right: 1 },
    `must fit exactly one of ${nodes.length} alternatives`,
  );
}

function alternatives(nodes: readonly SchemaNode[], place: Place, around: Surroundings): Check {
  const recognised = recognitions(nodes, place.at, around).flatMap((test, index) => {
    const node = nodes[index];
    if (!test || !node) return [];
    const { types: _types, ...rest } = node;
    // What asks for nothing but its type has nothing to say about a value of that type.
    return isTrivial(rest) ? [] : [{ test, then: [apply(node, place, around)] }];
  });
  const types = nodes.flatMap((node) => node.types ?? []);
  const told = nodes.every((node) => node.types) && new Set(types).size === types.length;
  const message = told ? `must be ${typeText(types)}` : `must fit one of ${nodes.length} alternatives`;
  const test = or(nodes.map((node) => fits(node, place, around)));
  return { kind: "alternatives", test, message: literal(message), path: place.path, recognised };
}
