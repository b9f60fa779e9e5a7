import type { AnySchema, SchemaOutput } from "./zod-compat.js";
import { parseWithCompat } from "./zod-json-schema-compat.js";

const schemas = new WeakSet<object>();

/** Adds the schemas of the protocol's own messages, which the runtime has checked already. */
export function addRuntimeSchemas(added: object): void {
  for (const schema of Object.values(added))
    if (typeof schema === "object" && schema !== null) schemas.add(schema as object);
}

/** Parses a message with the schema of a program. */
export function parseUnlessChecked<S extends AnySchema>(schema: S, message: unknown): SchemaOutput<S> {
  return schemas.has(schema) ? (message as SchemaOutput<S>) : parseWithCompat(schema, message);
}
