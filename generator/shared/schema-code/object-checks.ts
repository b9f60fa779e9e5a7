import { code, literal } from "../code/code.js";
import { unless, type Check, type MemberCheck } from "./check.js";
import { hasMember, isNamed } from "./member-tests.js";
import { isEvaluated } from "./unevaluated.js";
import { apply } from "./fit-test.js";
import type { Must, ValueLocation, PlanContext } from "./plan-context.js";
import { compare, patternTest } from "./scalar-checks.js";
import { isTrivial, type SchemaNode } from "./schema-node.js";

/** The checks of an object. */
export function planObject(node: SchemaNode, must: Must, place: ValueLocation, context: PlanContext): readonly Check[] {
  const { object } = node;
  const { minimum, maximum } = object;
  const { at, path } = place;
  const found: Check[] = [];
  const members = memberChecks(node, place, context);
  if (members.length > 0) found.push({ kind: "members", object: at, members });
  for (const [name, needed] of object.dependentRequired) {
    const then = needed.map((other): Check => {
      const message = literal(`is required beside ${JSON.stringify(name)}`);
      return { kind: "must", test: hasMember(at, other), message, path: [...path, literal(other)], then: [] };
    });
    found.push({ kind: "when", test: hasMember(at, name), then, otherwise: [] });
  }
  for (const [name, inner] of object.dependentSchemas)
    found.push({ kind: "when", test: hasMember(at, name), then: context.plan(inner, place, context), otherwise: [] });
  const count = code`countMembers(${at})`;
  if (minimum !== undefined && minimum > 0)
    found.push(must(compare(count, ">=", minimum), `must have at least ${properties(minimum)}`));
  if (maximum !== undefined)
    found.push(must(compare(count, "<=", maximum), `must have at most ${properties(maximum)}`));
  const entries = entryChecks(node, place, context);
  return entries ? [...found, entries] : found;
}

function memberChecks({ object }: SchemaNode, place: ValueLocation, context: PlanContext): readonly MemberCheck[] {
  const { properties, required } = object;
  const known = new Map(properties);
  const others = required.filter((name) => !known.has(name));
  const all = [...properties, ...others.map((name) => [name, undefined] as const)];
  return all.flatMap(([name, node]): readonly MemberCheck[] => {
    const isRequired = required.includes(name);
    if (!isRequired && (!node || isTrivial(node))) return [];
    const local = place.names.take(name);
    const path = [...place.path, literal(name)];
    const then = node ? context.plan(node, { ...place, at: local, path }, context) : [];
    return [{ name, local, required: isRequired, path, then }];
  });
}

/** The checks that apply to members by rule instead of by name, in one loop. */
function entryChecks(node: SchemaNode, place: ValueLocation, context: PlanContext): Check | undefined {
  const { additional, unevaluated, names } = node.object;
  // When patterns are ignored, members that could match one are not known to be additional.
  const certain = context.patterns || node.object.patterns.length === 0;
  const rest = certain && additional && !isTrivial(additional) ? additional : undefined;
  const last = unevaluated && !isTrivial(unevaluated) ? unevaluated : undefined;
  const patterns = context.patterns ? node.object.patterns.filter(([, inner]) => !isTrivial(inner)) : [];
  const named = names && !isTrivial(names) ? names : undefined;
  if (!rest && !last && !named && patterns.length === 0) return undefined;
  const [key, local] = [place.names.take("key"), place.names.take("entry")];
  const inner: ValueLocation = { ...place, at: local, path: [...place.path, key] };
  const then: Check[] = [];
  if (named) then.push(apply(named, { ...inner, at: key }, context));
  for (const [pattern, each] of patterns)
    then.push({
      kind: "when",
      test: patternTest(pattern, key, context),
      then: context.plan(each, inner, context),
      otherwise: [],
    });
  if (rest) then.push(unless(isNamed(node, key, context), context.plan(rest, inner, context)));
  if (last) {
    const evaluated = isEvaluated(node, { kind: "member", key }, place, context);
    then.push(unless(evaluated, context.plan(last, inner, context)));
  }
  return { kind: "entries", object: place.at, key, local, then };
}

function properties(count: number): string {
  return `${count} ${count === 1 ? "property" : "properties"}`;
}
