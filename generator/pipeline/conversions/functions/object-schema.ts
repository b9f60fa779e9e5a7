import { plainProperties } from "./plain-properties.js";

/** Removes an output schema whose root type is not `object`. */
export function objectSchema(schema: unknown): unknown {
  return (schema as { readonly type?: unknown } | undefined)?.type === "object" ? plainProperties(schema) : undefined;
}
