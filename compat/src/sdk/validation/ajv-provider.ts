import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "../../shared/json-schema-validator.js";

/** The part of ajv that is used: programs can pass an instance of any version. */
interface AjvLike {
  compile(schema: unknown): Compiled;
  getSchema(id: string): unknown;
  errorsText(errors?: never): string;
}

interface Compiled {
  (value: unknown): unknown;
  errors?: unknown;
}

/** Validation by ajv, with the formats of `ajv-formats`. */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  readonly #ajv: AjvLike;

  /** @param ajv default: an instance that reports all errors and accepts unknown keywords */
  constructor(ajv?: AjvLike) {
    this.#ajv = ajv ?? defaultAjv();
  }

  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const { $id } = schema;
    const known = typeof $id === "string" ? this.#ajv.getSchema($id) : undefined;
    const check = (known as Compiled | undefined) ?? this.#ajv.compile(schema);
    return (input) =>
      check(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: this.#ajv.errorsText(check.errors as never) };
  }
}

function defaultAjv(): AjvLike {
  const ajv = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true });
  formats.default(ajv);
  return ajv;
}
