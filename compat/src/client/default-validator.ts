import { ajvValidator } from "@mcpwright/runtime/json-schema";
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "../shared/json-schema-validator.js";

/** Checks with Ajv. Patterns run in JavaScript's own engine, as with the official SDK. */
export function defaultValidator(): jsonSchemaValidator {
  const native = ajvValidator({ untrusted: false });
  return {
    getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
      const check = native.compile(schema);
      return (input) => {
        const issues = check(input);
        if (issues.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
        const errorMessage = issues
          .map(({ path, message }) => `data${path.map((key) => `/${key}`).join("")} ${message}`)
          .join(", ");
        return { valid: false, data: undefined, errorMessage };
      };
    },
  };
}
