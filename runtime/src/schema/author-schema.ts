import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { checkPairSchema } from "./check-pair-schema.js";
import type { JsonSchemaValidator } from "./json-schema-validator.js";
import { isObjectSchema } from "./object-schema.js";
import type {
  InferInput,
  InferOutput,
  StandardJsonSchema,
  StandardResult,
  StandardSchema,
  StandardTyped,
} from "./standard-schema.js";

/** A JSON Schema that a server author writes; using it requires a `jsonSchemaValidator`. */
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown;
  readonly "~standard"?: never;
}

/** A check, and the JSON Schema that describes it to the peer. The two are not compared. */
export interface SchemaPair<Input = unknown, Output = Input> {
  /** Returns `{ value }` for the handler, or `{ issues }`; or a Standard Schema, whose `validate` does so. */
  readonly validate:
    ((value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>) | StandardSchema<Input, Output>;
  /** The JSON Schema that the peer sees. Its structure, depth, dialect and references are checked at registration. */
  readonly jsonSchema: JsonSchemaObject;
}

/**
 * The values that `inputSchema`, `outputSchema` and `argsSchema` accept: a schema of a library that implements both Standard
 * Schema and Standard JSON Schema (zod 4.2 or later, arktype, valibot through its converter), a pair, or a JSON Schema.
 */
export type AuthorSchema<Input = unknown, Output = Input> =
  (StandardJsonSchema<Input, Output> & StandardSchema<Input, Output>) | SchemaPair<Input, Output> | JsonSchemaObject;

/** A schema or undefined. */
export type OptionalSchema = AuthorSchema | undefined;

/** Schemas by member name, without an enclosing object schema: looks like a JSON Schema, but is not one. */
export type SchemaShape = Readonly<Record<string, { readonly "~standard": unknown }>>;

/** The type of the handler for such an object, so that the compiler shows this message. */
export type UnwrappedShapeError = "this is a plain object of schemas; wrap it: z.object({ … })";

// The first condition saves compile time if there is no schema, as most tools have none for their output.
/** The input type of a schema; `unknown` for a JSON Schema. */
export type SchemaInput<S> = JsonSchemaObject extends S
  ? unknown
  : S extends StandardTyped
    ? InferInput<S>
    : S extends { readonly validate: infer V }
      ? V extends StandardSchema
        ? InferInput<V>
        : SchemaOutput<S>
      : unknown;

/** The output type of a schema, which the handler gets; a record of unknowns for a JSON Schema. */
export type SchemaOutput<S> = S extends StandardTyped
  ? InferOutput<S>
  : S extends { readonly validate: infer V }
    ? V extends StandardSchema
      ? InferOutput<V>
      : V extends (value: unknown) => infer Result
        ? Extract<Awaited<Result>, { readonly value: unknown }>["value"]
        : unknown
    : Record<string, unknown>;

/** The result of {@link PreparedSchema.validate}: the value is invalid exactly when there are `issues`. */
export type Validated = StandardResult;

/** A check with its JSON Schema. */
export interface PreparedSchema {
  /** The JSON Schema that the peer sees; a copy, which later changes to the author's object do not affect. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** The library's own check; synchronous if the library's is. */
  readonly validate: (value: unknown) => Validated | Promise<Validated>;
}

/** The purpose of a schema. */
export interface SchemaUse {
  /** The name in messages, such as `inputSchema of tool "add"`. */
  readonly where: string;
  /** Whether the peer sends the input or receives the output. */
  readonly io: "input" | "output";
  /** Checks values against a JSON Schema. */
  readonly validator: JsonSchemaValidator | undefined;
  /** Whether the JSON Schema must have `type: "object"` at its root. */
  readonly rootObject: boolean;
}

/** A value of any type, whose members are inspected. */
type Probe = Readonly<Record<string, unknown>>;

/**
 * Prepares an author's schema once.
 *
 * @throws SdkError `INVALID_CONFIGURATION` for a value that is not an {@link AuthorSchema}, has no JSON Schema, or is not an
 *   object schema although one is required. The message names the option, the problem and the remedy.
 */
export function prepareSchema(schema: unknown, use: SchemaUse): PreparedSchema {
  try {
    return prepare(schema, use);
  } catch (error) {
    const message = `${use.where}: ${toError(error).message}`;
    throw new SdkError("INVALID_CONFIGURATION", message, undefined, { cause: error });
  }
}

function prepare(schema: unknown, use: SchemaUse): PreparedSchema {
  const standard = standardOf(schema);
  if (standard) return standardSchema(standard, use);
  if (!isPlain(schema))
    throw new Error(
      "not a schema; pass a schema of zod, arktype or valibot, a pair { validate, jsonSchema }, or a JSON Schema",
    );
  const { validate, jsonSchema } = schema;
  if (validate && jsonSchema) {
    const inner = standardOf(validate);
    const json = rooted(jsonSchema, use);
    checkPairSchema(json);
    return {
      jsonSchema: json,
      validate: bound(inner ? inner["validate"] : validate, inner ?? schema),
    };
  }
  if (Object.values(schema).some(standardOf)) throw new Error("a plain object of schemas; wrap it: z.object({ … })");
  const json = rooted(schema, use);
  if (!use.validator)
    throw new Error(
      "a JSON Schema needs the option jsonSchemaValidator, such as ajvValidator() of @mcpwright/runtime/json-schema",
    );
  const check = use.validator.compile(json);
  return {
    jsonSchema: json,
    validate: (value) => {
      const issues = check(value);
      return issues.length ? { issues } : { value };
    },
  };
}

function standardSchema(standard: Probe, use: SchemaUse): PreparedSchema {
  const converters = standard["jsonSchema"] as Probe | undefined;
  const convert = converters?.[use.io];
  if (typeof convert !== "function")
    throw new Error(
      `this schema of ${String(standard["vendor"])} has no JSON Schema; use zod 4.2 or later, ` +
        "toStandardJsonSchema() of @valibot/to-json-schema, or a pair { validate, jsonSchema }",
    );
  return {
    jsonSchema: rooted(
      converted(() => convert.call(converters, { target: "draft-2020-12" }) as unknown),
      use,
    ),
    validate: bound(standard["validate"], standard),
  };
}

function converted(convert: () => unknown): unknown {
  try {
    return convert();
  } catch (cause) {
    const problem = toError(cause).message;
    const remedy = "use types that JSON has (for a date, z.iso.datetime()), or pass a pair { validate, jsonSchema }";
    throw new Error(`${problem}; ${remedy}`, { cause });
  }
}

/** The `~standard` member of any value; arktype's schemas are functions. */
function standardOf(schema: unknown): Probe | undefined {
  const standard = (Object(schema) as Probe)["~standard"];
  return standard && typeof standard === "object" ? (standard as Probe) : undefined;
}

/** The library's own function, bound to the `this` that it may need. */
function bound(validate: unknown, owner: Probe): PreparedSchema["validate"] {
  if (typeof validate !== "function")
    throw new Error("validate is not a function; pass a pair { validate, jsonSchema }");
  return (validate as PreparedSchema["validate"]).bind(owner);
}

function isPlain(value: unknown): value is Probe {
  const prototype: unknown = typeof value === "object" && value && Object.getPrototypeOf(value);
  return prototype === Object.prototype || (prototype === null && value !== null);
}

/** The JSON Schema to send, with the root that the protocol requires. */
function rooted(schema: unknown, { rootObject }: SchemaUse): Probe {
  if (!isPlain(schema)) throw new Error("the JSON Schema is not a plain object");
  const json = JSON.parse(JSON.stringify(schema)) as Probe;
  if (!rootObject || json["type"] === "object") return json;
  if (isObjectSchema(json, json, 16)) return { ...json, type: "object" };
  throw new Error('the JSON Schema must accept only objects; set type: "object" at its root');
}
