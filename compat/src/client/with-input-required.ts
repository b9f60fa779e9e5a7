import type { StandardSchemaV1 } from "../shared/standard-schema.js";
import { type InputRequiredResult, isInputRequiredResult } from "../types/index.js";

/** A schema that also accepts a result that asks for input, for requests with `allowInputRequired`. */
export function withInputRequired<S extends StandardSchemaV1>(
  schema: S,
): StandardSchemaV1<unknown, StandardSchemaV1.InferOutput<S> | InputRequiredResult> {
  return {
    "~standard": {
      version: 1,
      vendor: "mcp",
      validate: (value) => (isInputRequiredResult(value) ? { value } : schema["~standard"].validate(value)),
    },
  };
}
