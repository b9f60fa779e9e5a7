import type { StandardSchemaV1 } from "../shared/standard-schema.js";

const COMPLETABLE: unique symbol = Symbol.for("mcp.completable");

/** Returns suggestions for a value that the user is typing. */
export type CompleteCallback<T extends StandardSchemaV1 = StandardSchemaV1> = (
  value: StandardSchemaV1.InferInput<T>,
  context?: { arguments?: Record<string, string> },
) => StandardSchemaV1.InferInput<T>[] | Promise<StandardSchemaV1.InferInput<T>[]>;

export type CompletableSchema<T extends StandardSchemaV1> = T & {
  [COMPLETABLE]: { complete: CompleteCallback<T> };
};

/** Adds completion to the schema of an argument. */
export function completable<T extends StandardSchemaV1>(
  schema: T,
  complete: CompleteCallback<T>,
): CompletableSchema<T> {
  Object.defineProperty(schema, COMPLETABLE, { value: { complete } });
  return schema as CompletableSchema<T>;
}

export function isCompletable(schema: unknown): schema is CompletableSchema<StandardSchemaV1> {
  return typeof schema === "object" && schema !== null && COMPLETABLE in schema;
}

/** The completers of an object schema, by member. */
export function completersOf(schema: unknown): Readonly<Record<string, CompleteCallback>> {
  const { shape } = Object(schema) as { readonly shape?: unknown };
  if (typeof shape !== "object" || shape === null) return {};
  const found = Object.entries(shape).flatMap(([name, member]) => {
    const { type, def } = Object(member) as {
      readonly type?: unknown;
      readonly def?: { readonly innerType?: unknown };
    };
    const field = type === "optional" ? def?.innerType : (member as unknown);
    return isCompletable(field) ? [[name, field[COMPLETABLE].complete] as const] : [];
  });
  return Object.fromEntries(found);
}
