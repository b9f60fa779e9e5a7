import { literal, type Code } from "../code/code.js";
import { and, type Expression } from "../code/expression.js";
import { memberOf } from "./check.js";
import type { PlanContext } from "./plan-context.js";
import { isOfType, typeTest } from "./type-test.js";
import type { JsonType, SchemaNode } from "./schema-node.js";

/**
 * For each alternative, a test that accepts every value of this alternative and no value of another one; undefined when
 * there is no such test. Alternatives are distinguished by their type, and objects by a required member with a
 * constant.
 */
export function discriminators(
  nodes: readonly SchemaNode[],
  at: Code,
  { graph }: PlanContext,
): readonly (Expression | undefined)[] {
  const targets = nodes.map((node) => {
    let target = node;
    for (let next = target.ref; next !== undefined && !target.types; next = target.ref) {
      const found = graph.nodes.get(next);
      if (!found) break;
      target = found;
    }
    return { target, type: typeOf(target) };
  });
  const tag = commonTag(targets.flatMap(({ target, type }) => (type === "object" ? [target] : [])));
  return targets.map(({ target, type }) => {
    if (type === undefined || targets.some((other) => other.type === undefined)) return undefined;
    const test = typeTest([type], at);
    if (targets.filter((other) => other.type === type).length === 1) return test;
    const value = tag === undefined ? undefined : tagValue(target, tag);
    if (type !== "object" || tag === undefined || value === undefined) return undefined;
    return and([test, { kind: "equals", left: memberOf(at, literal(tag)), right: value }]);
  });
}

function typeOf({ types, values: [values] }: SchemaNode): JsonType | undefined {
  const [type, ...others] = types ?? [];
  if (type !== undefined) return others.length > 0 ? undefined : type === "integer" ? "number" : type;
  const kinds = (["string", "number", "boolean", "null"] as const).filter((kind) =>
    values?.every((value) => isOfType(value, kind)),
  );
  return values && kinds.length === 1 ? kinds[0] : undefined;
}

function commonTag(nodes: readonly SchemaNode[]): string | undefined {
  const [first] = nodes;
  return first?.object.properties
    .map(([name]) => name)
    .find((name) => {
      const values = nodes.map((node) => tagValue(node, name));
      return values.every((value) => value !== undefined) && new Set(values).size === values.length;
    });
}

function tagValue({ object }: SchemaNode, name: string): string | undefined {
  const property = object.properties.find(([known]) => known === name)?.[1];
  const [list, ...others] = property?.values ?? [];
  const [value, ...more] = list ?? [];
  const sole = others.length === 0 && more.length === 0 && typeof value === "string";
  return sole && object.required.includes(name) && !(name in Object.prototype) ? value : undefined;
}
