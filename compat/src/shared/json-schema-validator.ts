/** A JSON Schema that a program has written. */
export type JsonSchemaType = Readonly<Record<string, unknown>>;

export type JsonSchemaValidatorResult<T> =
  { valid: true; data: T; errorMessage: undefined } | { valid: false; data: undefined; errorMessage: string };

/** Checks one value. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** A library that checks values against JSON Schemas. */

export interface jsonSchemaValidator {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>;
}
