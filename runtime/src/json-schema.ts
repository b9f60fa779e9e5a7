import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { SdkError } from "./jsonrpc/errors.js";
import { assertNumberOptions } from "./options/assert-options.js";
import {
  checkSchema,
  type RegExpEngine,
  type SchemaBounds,
  uncheckedValueIssue,
  unusableSchemaError,
} from "./schema/bounds.js";
import type { JsonSchemaValidator, SchemaIssue } from "./schema/json-schema-validator.js";
import type { Dialect } from "./schema/keywords.js";
import { instancePath } from "./schema/pointer.js";
import { areUnique } from "./schema/unique-items.js";

export type { RegExpEngine, SchemaBounds } from "./schema/bounds.js";
export type {
  CompiledJsonSchema,
  JsonSchema,
  JsonSchemaValidator,
  SchemaIssue,
} from "./schema/json-schema-validator.js";

/** The options of {@link ajvValidator}. */
export interface AjvValidatorOptions extends SchemaBounds {
  /**
   * Whether schemas may come from a peer. If so, `pattern` and `patternProperties` need `regExp`, and schemas whose check
   * could take exponential time are rejected. Pass false only for schemas that you wrote yourself. Default: true.
   */
  readonly untrusted?: boolean;
  /**
   * Compiles patterns. For schemas of peers it must work in linear time, as re2js does:
   * `(pattern) => RE2JS.compile(RE2JS.translateRegExp(pattern))`.
   * Default: JavaScript's own engine, with flag `u`, if `untrusted` is false; none if it is true.
   */
  readonly regExp?: RegExpEngine;
}

const classes: Readonly<Record<Dialect, new (options: Options) => Ajv>> = {
  "draft-07": Ajv,
  "2019-09": Ajv2019,
  "2020-12": Ajv2020,
};

/**
 * Validation by ajv 8, which you must install. It compiles with `new Function`; on hosts that forbid it, use
 * `@mcpwright/runtime/json-schema-cfworker`.
 *
 * `$schema` selects the dialect: 2020-12 (the default), 2019-09, draft-07, or draft-06, which is read as draft-07. `format`
 * is an annotation. `$ref` works only within the schema; nothing is ever fetched. A check stops at the first problem,
 * because the sender of a value decides how many there are.
 */
export function ajvValidator(options: AjvValidatorOptions = {}): JsonSchemaValidator {
  assertNumberOptions(options);
  const { untrusted = true } = options;
  const regExp = options.regExp ?? (untrusted ? undefined : nativeRegExp);
  const rules = {
    ...options,
    untrusted,
    regExp,
    ignored: ["$async", "discriminator", "id", "nullable"],
    unsupported: [],
  };
  return {
    compile(schema) {
      const checked = checkSchema(schema, rules);
      const check = compiled(checked.schema, checked.dialect, regExp);
      return (value) => {
        try {
          return check(value) ? [] : issuesOf(check.errors ?? [], value);
        } catch (error) {
          return uncheckedValueIssue(error);
        }
      };
    },
  };
}

function nativeRegExp(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}

function compiled(schema: object | boolean, dialect: Dialect, regExp: RegExpEngine | undefined): ValidateFunction {
  const engine = (pattern: string): RegExp => {
    if (!regExp) throw unusableSchemaError("its patterns need the option regExp");
    return regExp(pattern) as RegExp;
  };
  // An instance keeps every schema and its $id permanently, so each schema gets its own instance. Without meta-schemas that
  // is cheap, and `checkSchema` has already checked the schema.
  const ajv = new classes[dialect]({
    meta: false,
    validateSchema: false,
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    inlineRefs: false,
    multipleOfPrecision: 8,
    // Optimizing takes most of the time for a large schema, and does not make checks faster.
    code: { optimize: false, regExp: Object.assign(engine, { code: "regExp" }) },
  });
  // Ajv's own `uniqueItems` compares all pairs.
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (on: boolean, items: readonly unknown[]) => !on || areUnique(items),
    error: { message: "must NOT have duplicate items" },
  });
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw error instanceof SdkError
      ? error
      : unusableSchemaError(error instanceof Error ? error.message : "", "", error);
  }
}

function issuesOf(errors: readonly ErrorObject[], value: unknown): SchemaIssue[] {
  return errors.map(({ instancePath: pointer, message = "is not valid", params }) => {
    const { additionalProperty, unevaluatedProperty, propertyName, allowedValues, allowedValue } = params;
    const detail: unknown = additionalProperty ?? unevaluatedProperty ?? propertyName ?? allowedValues ?? allowedValue;
    return {
      path: instancePath(pointer, value),
      message: detail === undefined ? message : `${message}: ${JSON.stringify(detail)}`,
    };
  });
}
