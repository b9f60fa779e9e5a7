import { inPlaceSchemas, childSchemas, type SchemaGraph, type SchemaNode } from "./schema-node.js";

/** With more paths through a schema than this, checking even a small value can take long. */
const manyPaths = 10_000;

/** Whether the steps of a check must be limited, because the schema refers to itself or has very many branches. */
export function needsBounds(graph: SchemaGraph): boolean {
  const paths = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const count = (node: SchemaNode): number => {
    const known = paths.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) return Infinity;
    open.add(node);
    const sum = [...inPlaceSchemas(node, graph), ...childSchemas(node)].reduce(
      (total, inner) => total + count(inner),
      1,
    );
    open.delete(node);
    paths.set(node, sum);
    return sum;
  };
  return count(graph.root) > manyPaths;
}
