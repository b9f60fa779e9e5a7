import type { CompiledJsonSchema } from "@mcpwright/runtime/json-schema";
import type { JsonSchemaValidator } from "../json-schema-validator.js";

/** A check of the runtime, with the results of the official SDK. */
export function toOfficialValidator<T>(check: CompiledJsonSchema): JsonSchemaValidator<T> {
  return (input) => {
    const issues = check(input);
    if (issues.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
    const errorMessage = issues
      .map(({ path, message }) => `data${path.map((one) => `/${one}`).join("")} ${message}`)
      .join(", ");
    return { valid: false, data: undefined, errorMessage };
  };
}
