import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "./json-schema-validator.js";
import type { StandardSchemaV1, StandardSchemaWithJSON } from "./standard-schema.js";

/**
 * Wraps a JSON Schema so that it can be passed where a schema of a library is expected.
 * @param validator default: Ajv, which is loaded with the first value, so that this value is checked asynchronously
 */
export function fromJsonSchema<T = unknown>(
  schema: JsonSchemaType,
  validator?: jsonSchemaValidator,
): StandardSchemaWithJSON<T, T> {
  let check: JsonSchemaValidator<T> | undefined = validator?.getValidator<T>(schema);
  const run = (value: unknown): StandardSchemaV1.Result<T> | undefined => {
    const found = check?.(value);
    return found && (found.valid ? { value: found.data } : { issues: [{ message: found.errorMessage }] });
  };
  const json = schema as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "mcp",
      validate: (value) => {
        const known = run(value);
        if (known) return known;
        return import("./validators/ajv.js").then(({ AjvJsonSchemaValidator }) => {
          check ??= new AjvJsonSchemaValidator().getValidator<T>(schema);
          return run(value) ?? { value: value as T };
        });
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
