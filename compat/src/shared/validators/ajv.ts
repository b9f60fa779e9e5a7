import { ajvValidator, type JsonSchemaValidator as NativeValidator } from "@mcpwright/runtime/json-schema";
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "../json-schema-validator.js";
import { toOfficialValidator } from "./issues-text.js";

/** An instance of Ajv, of any version. */
export interface AjvLike {
  compile: (schema: unknown) => AjvValidateFunction;
  getSchema: (keyRef: string) => AjvValidateFunction | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the errors of any version
  errorsText: (errors?: any) => string;
}

interface AjvValidateFunction {
  (input: unknown): boolean;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  errors?: any;
}

/** Checks values with Ajv, which needs a host that permits `new Function`. */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  readonly #own: AjvLike | undefined;
  #native: NativeValidator | undefined;

  /** @param ajv an instance with formats and keywords of yours. Default: one for the dialect that each schema names */
  constructor(ajv?: AjvLike) {
    this.#own = ajv;
  }

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const own = this.#own;
    // Programs pass schemas that they wrote themselves.
    if (!own) return toOfficialValidator((this.#native ??= ajvValidator({ untrusted: false })).compile(schema));
    const { $id } = schema;
    const check = (typeof $id === "string" ? own.getSchema($id) : undefined) ?? own.compile(schema);
    return (input) =>
      check(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: own.errorsText(check.errors) };
  }
}
