/** The result of a Standard Schema validation; it has failed if there are `issues`. */
export type StandardResult<Output = unknown> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A problem with a value. */
export interface StandardIssue {
  readonly message: string;
  /** The position in the value. Default: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The members that all Standard interfaces share; `types` exists only for the compiler. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1;
  /** The library that made the schema. */
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** Standard Schema v1 (standardschema.dev): validates values. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output> & {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** The options of the converters of a Standard JSON Schema. */
export interface StandardJsonSchemaOptions {
  /** The dialect to write, such as `draft-2020-12`. */
  readonly target: string;
}

/** Standard JSON Schema v1 (standardschema.dev/json-schema): converts to JSON Schema. A converter may throw. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output> & {
    readonly jsonSchema: {
      readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

/** The part of a Standard Schema that its types need; checking the rest would cost compile time. */
export interface StandardTyped {
  readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined };
}

/** The input type of a Standard Schema. */
export type InferInput<S extends StandardTyped> = NonNullable<S["~standard"]["types"]>["input"];

/** The output type of a Standard Schema. */
export type InferOutput<S extends StandardTyped> = NonNullable<S["~standard"]["types"]>["output"];
