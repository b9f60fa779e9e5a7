/** What a validation answers by Standard Schema; with `issues` it failed, whatever else is there. */
export type StandardResult<Output = unknown> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  /** Where in the value; absent or empty for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The part that all Standard interfaces share; `types` exists for the compiler only. */
export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1;
  /** The library that made the schema. */
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** Standard Schema v1 (standardschema.dev): can validate. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output> & {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** What the converters of a Standard JSON Schema are told. */
export interface StandardJsonSchemaOptions {
  /** The dialect to write, such as `draft-2020-12`. */
  readonly target: string;
}

/** Standard JSON Schema v1 (standardschema.dev/json-schema): can be written as JSON Schema. A converter may throw. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output> & {
    readonly jsonSchema: {
      readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

/** What is enough to tell the types of a Standard schema: looking at the rest of it takes the compiler time. */
export interface StandardTyped {
  readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined };
}

/** What goes into a Standard schema. */
export type InferInput<S extends StandardTyped> = NonNullable<S["~standard"]["types"]>["input"];

/** What comes out of a Standard schema. */
export type InferOutput<S extends StandardTyped> = NonNullable<S["~standard"]["types"]>["output"];
