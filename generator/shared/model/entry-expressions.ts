import type { EntriesExpression, TypeExpression } from "./source.js";

/** The expressions inside an `entries` expression. */
export function entryExpressions({ patterns, rest, names }: EntriesExpression): readonly TypeExpression[] {
  return [...patterns.map(({ type }) => type), ...(rest ? [rest] : []), ...(names ? [names] : [])];
}

/** Rebuilds the expressions inside an `entries` expression. */
export function mapEntryExpressions(
  type: EntriesExpression,
  change: (type: TypeExpression) => TypeExpression,
): EntriesExpression {
  return {
    ...type,
    patterns: type.patterns.map((found) => ({ ...found, type: change(found.type) })),
    ...(type.rest && { rest: change(type.rest) }),
    ...(type.names && { names: change(type.names) }),
  };
}
