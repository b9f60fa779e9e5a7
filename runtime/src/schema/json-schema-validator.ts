/** A JSON Schema: an object of keywords, `true` (accepts any value) or `false` (accepts none). */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

/** A problem with a value. */
export interface SchemaIssue {
  /** The position in the value: property names and array indexes; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Checks a value; an empty list means valid. Never throws for a value parsed from JSON. */
export type CompiledJsonSchema = (value: unknown) => readonly SchemaIssue[];

/**
 * Validation by JSON Schema, as servers and clients use it. This package implements it with `ajvValidator` of
 * `@mcpwright/runtime/json-schema` and, for hosts without `eval`, with `cfworkerValidator` of
 * `@mcpwright/runtime/json-schema-cfworker`.
 */
export interface JsonSchemaValidator {
  /**
   * Compiles a schema. Schemas do not see each other: two may have the same `$id`.
   *
   * @throws SdkError `INVALID_CONFIGURATION` when the schema is invalid in its dialect, has an unsupported dialect, is too
   *   deep or too large, or references another document; the message names the problem
   */
  compile(schema: JsonSchema): CompiledJsonSchema;
}
