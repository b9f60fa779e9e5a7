// The types of Standard Schema and Standard JSON Schema (https://standardschema.dev), under the names of the official SDK.
import * as z from "zod/v4";
import type { JsonSchemaType } from "./json-schema-validator.js";

export interface StandardTypedV1<Input = unknown, Output = Input> {
  readonly "~standard": StandardTypedV1.Props<Input, Output>;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- programs name types such as `StandardSchemaV1.InferOutput`
export declare namespace StandardTypedV1 {
  interface Props<Input = unknown, Output = Input> {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: Types<Input, Output> | undefined;
  }
  interface Types<Input = unknown, Output = Input> {
    readonly input: Input;
    readonly output: Output;
  }
  type InferInput<Schema extends StandardTypedV1> = NonNullable<Schema["~standard"]["types"]>["input"];
  type InferOutput<Schema extends StandardTypedV1> = NonNullable<Schema["~standard"]["types"]>["output"];
}

/** A schema of any library that implements Standard Schema. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output>;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- as above
export declare namespace StandardSchemaV1 {
  interface Props<Input = unknown, Output = Input> extends StandardTypedV1.Props<Input, Output> {
    readonly validate: (value: unknown, options?: Options) => Result<Output> | Promise<Result<Output>>;
  }
  interface Options {
    readonly libraryOptions?: Record<string, unknown> | undefined;
  }
  type Result<Output> = SuccessResult<Output> | FailureResult;
  interface SuccessResult<Output> {
    readonly value: Output;
    readonly issues?: undefined;
  }
  interface FailureResult {
    readonly issues: readonly Issue[];
  }
  interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | PathSegment)[] | undefined;
  }
  interface PathSegment {
    readonly key: PropertyKey;
  }
  type InferInput<Schema extends StandardTypedV1> = StandardTypedV1.InferInput<Schema>;
  type InferOutput<Schema extends StandardTypedV1> = StandardTypedV1.InferOutput<Schema>;
}

export interface StandardJSONSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": StandardJSONSchemaV1.Props<Input, Output>;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- as above
export declare namespace StandardJSONSchemaV1 {
  interface Props<Input = unknown, Output = Input> extends StandardTypedV1.Props<Input, Output> {
    readonly jsonSchema: Converter;
  }
  interface Converter {
    readonly input: (options: Options) => Record<string, unknown>;
    readonly output: (options: Options) => Record<string, unknown>;
  }
  // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- any other string, with suggestions
  type Target = "draft-2020-12" | "draft-07" | "openapi-3.0" | (object & string);
  interface Options {
    readonly target: Target;
    readonly libraryOptions?: Record<string, unknown> | undefined;
  }
}

/** A schema that also converts to JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- as above
export declare namespace StandardSchemaWithJSON {
  type InferInput<Schema extends StandardTypedV1> = StandardTypedV1.InferInput<Schema>;
  type InferOutput<Schema extends StandardTypedV1> = StandardTypedV1.InferOutput<Schema>;
}

/** A schema that validates synchronously. */
export interface StandardSchemaV1Sync<Input = unknown, Output = Input> extends StandardSchemaV1<Input, Output> {
  readonly "~standard": StandardSchemaV1Sync.Props<Input, Output>;
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- as above
export declare namespace StandardSchemaV1Sync {
  interface Props<Input = unknown, Output = Input> extends StandardSchemaV1.Props<Input, Output> {
    readonly validate: (value: unknown, options?: StandardSchemaV1.Options) => StandardSchemaV1.Result<Output>;
  }
  type InferInput<Schema extends StandardTypedV1> = StandardTypedV1.InferInput<Schema>;
  type InferOutput<Schema extends StandardTypedV1> = StandardTypedV1.InferOutput<Schema>;
}

/** Schemas of zod by member name, which stand for an object schema. */
export type ZodRawShape = Record<string, z.ZodType>;

/** Whether a value implements Standard Schema. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const standard = (Object(value) as { readonly "~standard"?: { readonly validate?: unknown } })["~standard"];
  return typeof standard?.validate === "function";
}

function isZod4(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/**
 * Returns the schema that a program passed, with an object schema in the place of a raw shape.
 * @throws TypeError for other values
 */
export function toSchema(given: unknown): StandardSchemaWithJSON | undefined {
  if (given === undefined) return undefined;
  if (isStandardSchema(given)) return given as StandardSchemaWithJSON;
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    const members = Object.values(given);
    if (members.every(isZod4)) return z.object(given as ZodRawShape);
    if (members.some((one) => typeof one === "object" && one !== null && "_def" in one))
      throw new TypeError(
        "Raw-shape inputSchema/outputSchema/argsSchema fields must be Zod v4 schemas: import zod/v4, or wrap a JSON Schema with fromJsonSchema()",
      );
  }
  throw new TypeError(
    "inputSchema/outputSchema/argsSchema must be a Standard Schema (e.g. z.object({...})) or a raw Zod shape ({ field: z.string() })",
  );
}

const objectKeywords = ["properties", "patternProperties", "additionalProperties", "required"];

function isObjectShaped(schema: Readonly<Record<string, unknown>>): boolean {
  if (schema["type"] === "object" || objectKeywords.some((keyword) => keyword in schema)) return true;
  return ["oneOf", "anyOf", "allOf"].some((keyword) => {
    const members = schema[keyword];
    return Array.isArray(members) && members.length > 0 && members.every((one) => isObjectShaped(Object(one) as never));
  });
}

/**
 * Converts a schema to the JSON Schema that peers see.
 * @throws Error for a schema that has none, and for an input that is not an object
 */
export function toJsonSchema(schema: StandardSchemaWithJSON, io: "input" | "output"): Record<string, unknown> {
  const { vendor, jsonSchema } = schema["~standard"] as Partial<StandardSchemaWithJSON["~standard"]>;
  const convert = jsonSchema?.[io];
  if (!convert && !(vendor === "zod" && isZod4(schema)))
    throw new Error(
      `Schema library "${String(vendor)}" does not implement StandardJSONSchemaV1 (\`~standard.jsonSchema\`): upgrade it, or wrap a JSON Schema with fromJsonSchema()`,
    );
  const target = "draft-2020-12";
  const found = convert
    ? convert.call(jsonSchema, { target })
    : (z.toJSONSchema(schema as unknown as z.ZodType, { target, io }) as Record<string, unknown>);
  if (found["type"] !== undefined) {
    if (io === "input" && found["type"] !== "object")
      throw new Error(
        `MCP tool and prompt schemas must describe objects (got type: ${JSON.stringify(found["type"])}). Wrap your schema in z.object({...}) or equivalent.`,
      );
    return found;
  }
  return io === "input" || isObjectShaped(found) ? { type: "object", ...found } : found;
}

/** The problems of a value as the official SDK words them. */
export function issuesText(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues
    .map(({ path, message }) => {
      if (!path?.length) return message;
      return `${path.map((one) => String(typeof one === "object" ? one.key : one)).join(".")}: ${message}`;
    })
    .join(", ");
}

/** Wraps a JSON Schema so that it can be passed where a Standard Schema is expected. */
export function standardSchemaOf<T>(
  schema: JsonSchemaType,
  check: (
    value: unknown,
  ) => { readonly valid: true; readonly data: T } | { readonly valid: false; readonly errorMessage: string },
): StandardSchemaWithJSON<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "mcp",
      validate: (value) => {
        const found = check(value);
        return found.valid ? { value: found.data } : { issues: [{ message: found.errorMessage }] };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
