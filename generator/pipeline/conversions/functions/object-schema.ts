import { plainProperties } from "./plain-properties.js";

/** An output schema where structured content has to be an object: nothing, when it describes anything else. */
export function objectSchema(schema: unknown): unknown {
  return (schema as { readonly type?: unknown } | undefined)?.type === "object" ? plainProperties(schema) : undefined;
}
