import type { AnySchema, SchemaInput } from "./zod-compat.js";

export const COMPLETABLE_SYMBOL: unique symbol = Symbol.for("mcp.completable");

/** Returns suggestions for the beginning of a value; `context` has the arguments that are known already. */
export type CompleteCallback<T extends AnySchema = AnySchema> = (
  value: SchemaInput<T>,
  context?: { arguments?: Record<string, string> },
) => SchemaInput<T>[] | Promise<SchemaInput<T>[]>;

export interface CompletableMeta<T extends AnySchema = AnySchema> {
  complete: CompleteCallback<T>;
}

export type CompletableSchema<T extends AnySchema> = T & { [COMPLETABLE_SYMBOL]: CompletableMeta<T> };

/** Adds suggestions to the schema of an argument of a prompt. The schema itself is changed. */
export function completable<T extends AnySchema>(schema: T, complete: CompleteCallback<T>): CompletableSchema<T> {
  Object.defineProperty(schema, COMPLETABLE_SYMBOL, { value: { complete } });
  return schema as CompletableSchema<T>;
}

export function isCompletable(schema: unknown): schema is CompletableSchema<AnySchema> {
  return typeof schema === "object" && schema !== null && COMPLETABLE_SYMBOL in schema;
}

export function getCompleter<T extends AnySchema>(schema: T): CompleteCallback<T> | undefined {
  return (schema as unknown as { [COMPLETABLE_SYMBOL]?: CompletableMeta<T> })[COMPLETABLE_SYMBOL]?.complete;
}

/** Returns the schema itself. */
export function unwrapCompletable<T extends AnySchema>(schema: CompletableSchema<T>): T {
  return schema;
}
