import { literal, type Code } from "../code/code.js";
import { always, and, never, not, or, type Expression } from "../code/expression.js";
import { hasMember, isNamed } from "./member-tests.js";
import { fits } from "./fit-test.js";
import type { ValueLocation, PlanContext } from "./plan-context.js";
import type { SchemaNode } from "./schema-node.js";

/** A member or an item of the current value that may be evaluated by other keywords. */
export type Part =
  | { readonly kind: "member"; readonly key: Code }
  | { readonly kind: "item"; readonly index: Code; readonly item: Code };

/** Whether other keywords of `node`, or of schemas that match the same value, evaluate a part of it. */
export function isEvaluated(node: SchemaNode, part: Part, place: ValueLocation, context: PlanContext): Expression {
  const { graph } = context;
  const whole = (inner: SchemaNode): Expression =>
    or([unevaluatedIn(inner, part), isEvaluated(inner, part, place, context)]);
  const fitting = (inner: SchemaNode): Expression => {
    const evaluated = whole(inner);
    return evaluated.kind === "never" ? never : and([fits(inner, place, context), evaluated]);
  };
  const target = node.ref === undefined ? undefined : graph.nodes.get(node.ref);
  const found = [
    own(node, part, place, context),
    ...(target ? [whole(target)] : []),
    ...node.allOf.map(whole),
    ...[...node.anyOf, ...node.oneOf].map(fitting),
    ...node.object.dependentSchemas.map(([name, inner]) => and([hasMember(place.at, name), whole(inner)])),
  ];
  if (node.if) {
    const condition = fits(node.if, place, context);
    const yes = or([whole(node.if), node.then ? whole(node.then) : never]);
    found.push(and([condition, yes]), node.else ? and([not(condition), whole(node.else)]) : never);
  }
  return or(found);
}

function unevaluatedIn({ object, array }: SchemaNode, { kind }: Part): Expression {
  return (kind === "member" ? object.unevaluated : array.unevaluated) ? always : never;
}

function own(node: SchemaNode, part: Part, place: ValueLocation, context: PlanContext): Expression {
  if (part.kind === "member") {
    // A pattern that is ignored could match any name.
    const unsure = !context.patterns && node.object.patterns.length > 0;
    return unsure || node.object.additional ? always : isNamed(node, part.key, context);
  }
  const { prefix, items, contains } = node.array;
  if (items) return always;
  const length = literal(prefix.length);
  const listed: Expression =
    prefix.length === 0 ? never : { kind: "compare", left: part.index, operator: "<", right: length };
  return or([listed, contains ? fits(contains, { ...place, at: part.item }, context) : never]);
}
