import { assertNumberOptions } from "./options/assert-options.js";
import { checkSchema, type SchemaBounds, uncheckedValueIssue, unusableSchemaError } from "./schema/bounds.js";
import type { JsonSchemaValidator, SchemaIssue } from "./schema/json-schema-validator.js";
import type { Dialect } from "./schema/keywords.js";
import { instancePath } from "./schema/pointer.js";

export type { SchemaBounds } from "./schema/bounds.js";
export type {
  CompiledJsonSchema,
  JsonSchema,
  JsonSchemaValidator,
  SchemaIssue,
} from "./schema/json-schema-validator.js";

/** The part of the class `Validator` of `@cfworker/json-schema` that is used. */
export type CfworkerValidatorClass = new (
  schema: Record<string, unknown> | boolean,
  draft: "7" | "2019-09" | "2020-12",
  shortCircuit?: boolean,
) => {
  validate(value: unknown): {
    readonly valid: boolean;
    readonly errors: readonly { readonly keyword: string; readonly instanceLocation: string; readonly error: string }[];
  };
};

/** The options of {@link cfworkerValidator}. */
export interface CfworkerValidatorOptions extends SchemaBounds {
  /**
   * Whether schemas may come from a peer. If so, a schema is rejected if it has `pattern` or `patternProperties`, which would
   * run on JavaScript's backtracking engine, or `uniqueItems`, which compares all pairs, or if its check could take
   * exponential time. Pass false only for schemas that you wrote yourself. Default: true.
   */
  readonly untrusted?: boolean;
}

const drafts = { "draft-07": "7", "2019-09": "2019-09", "2020-12": "2020-12" } as const satisfies Record<
  Dialect,
  string
>;

/** Keywords whose message only reports that a subschema has failed. */
const containers = new Set("$ref allOf if items prefixItems properties patternProperties propertyNames".split(" "));

/**
 * Validation by `@cfworker/json-schema`, which interprets schemas and so works on hosts without `eval`. Pass its class:
 * `cfworkerValidator(Validator)`. Dialects, references and formats work as in `ajvValidator` of
 * `@mcpwright/runtime/json-schema`; `$dynamicRef` is rejected, because the library does not support it.
 */
export function cfworkerValidator(
  Validator: CfworkerValidatorClass,
  options: CfworkerValidatorOptions = {},
): JsonSchemaValidator {
  assertNumberOptions(options);
  const { untrusted = true } = options;
  const rules = {
    ...options,
    untrusted,
    regExp: untrusted ? undefined : (pattern: string) => new RegExp(pattern, "u"),
    ignored: ["format", "id"],
    unsupported: untrusted ? ["$dynamicRef", "uniqueItems"] : ["$dynamicRef"],
  };
  return {
    compile(schema) {
      const checked = checkSchema(schema, rules);
      const validator = construct(Validator, checked.schema, drafts[checked.dialect]);
      return (value) => {
        try {
          const { valid, errors } = validator.validate(value);
          return valid ? [] : issuesOf(errors, value);
        } catch (error) {
          return uncheckedValueIssue(error);
        }
      };
    },
  };
}

function construct(
  Validator: CfworkerValidatorClass,
  schema: Readonly<Record<string, unknown>> | boolean,
  draft: (typeof drafts)[Dialect],
): InstanceType<CfworkerValidatorClass> {
  try {
    return new Validator(schema, draft);
  } catch (error) {
    throw unusableSchemaError(error instanceof Error ? error.message : "", "", error);
  }
}

function issuesOf(
  errors: readonly { readonly keyword: string; readonly instanceLocation: string; readonly error: string }[],
  value: unknown,
): SchemaIssue[] {
  const causes = errors.filter(({ keyword }) => !containers.has(keyword));
  return (causes.length > 0 ? causes : errors).map(({ instanceLocation, error }) => ({
    path: instancePath(decodeURIComponent(instanceLocation), value),
    message: error,
  }));
}
