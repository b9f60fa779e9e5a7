/** A JSON Schema: an object of keywords, or `true` (anything) or `false` (nothing). */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** Where in the value: property names and array indexes; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Judges a value; an empty list means valid. Never throws for anything that came from JSON. */
export type CompiledJsonSchema = (value: unknown) => readonly SchemaIssue[];

/**
 * Validation by JSON Schema, as it is handed to a server or client.
 * Ours are `ajvValidator` of `@mcpwright/runtime/json-schema` and, for hosts without `eval`,
 * `cfworkerValidator` of `@mcpwright/runtime/json-schema-cfworker`.
 */
export interface JsonSchemaValidator {
  /**
   * Makes a check of a schema. What one schema holds is invisible to the next: two may have the same `$id`.
   *
   * @throws SdkError `INVALID_CONFIGURATION` when the schema is invalid in its dialect, of a dialect that is not
   *   supported, too deep or too large, or refers to something outside itself; the message names which.
   */
  compile(schema: JsonSchema): CompiledJsonSchema;
}
