import { code, literal } from "../code/code.js";
import type { Check } from "./check.js";
import { isEvaluated } from "./unevaluated.js";
import { unless } from "./check.js";
import { fits } from "./fit-test.js";
import type { Must, ValueLocation, PlanContext } from "./plan-context.js";
import { compare } from "./scalar-checks.js";
import { isTrivial, type SchemaNode } from "./schema-node.js";
import { call } from "./type-test.js";

/** The checks of an array. */
export function planArray(node: SchemaNode, must: Must, place: ValueLocation, context: PlanContext): readonly Check[] {
  const { prefix, items, unevaluated, minimum, maximum, unique } = node.array;
  const { at, path, names } = place;
  const found: Check[] = [];
  const length = code`${at}.length`;
  if (minimum !== undefined && minimum > 0)
    found.push(must(compare(length, ">=", minimum), `must have at least ${counted(minimum)}`));
  if (maximum !== undefined) found.push(must(compare(length, "<=", maximum), `must have at most ${counted(maximum)}`));
  for (const [index, inner] of prefix.entries()) {
    if (isTrivial(inner)) continue;
    const local = names.take("item");
    const then = context.plan(inner, { ...place, at: local, path: [...path, literal(index)] }, context);
    found.push({ kind: "element", array: at, index, local, then });
  }
  if (items && !isTrivial(items)) {
    const [index, local] = [names.take("index"), names.take("item")];
    const then = context.plan(items, { ...place, at: local, path: [...path, index] }, context);
    found.push({ kind: "items", array: at, from: prefix.length, index, local, then });
  }
  if (unique) found.push(must(call(code`areUnique`, at), "must not have equal items"));
  found.push(...containsChecks(node, must, place, context));
  if (unevaluated && !isTrivial(unevaluated)) {
    const [index, local] = [names.take("index"), names.take("item")];
    const plan = context.plan(unevaluated, { ...place, at: local, path: [...path, index] }, context);
    const test = isEvaluated(node, { kind: "item", index, item: local }, place, context);
    found.push({ kind: "items", array: at, from: 0, index, local, then: [unless(test, plan)] });
  }
  return found;
}

function containsChecks(node: SchemaNode, must: Must, place: ValueLocation, context: PlanContext): readonly Check[] {
  const { contains, minContains = 1, maxContains } = node.array;
  if (!contains || (minContains === 0 && maxContains === undefined)) return [];
  const { names } = place;
  const [index, local, count] = [names.take("index"), names.take("item"), names.take("count")];
  const then: Check[] = [];
  if (minContains > 0)
    then.push(must(compare(count, ">=", minContains), `must have at least ${counted(minContains)} of a certain kind`));
  if (maxContains !== undefined)
    then.push(must(compare(count, "<=", maxContains), `must have at most ${counted(maxContains)} of a certain kind`));
  const test = fits(contains, { ...place, at: local }, context);
  return [{ kind: "matches", array: place.at, index, local, count, test, then }];
}

function counted(count: number): string {
  return `${count} item${count === 1 ? "" : "s"}`;
}
