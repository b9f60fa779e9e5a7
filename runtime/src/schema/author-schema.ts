import { toError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
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

/** A JSON Schema as a server author writes it; it needs a `jsonSchemaValidator` to be of use. */
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown;
  readonly "~standard"?: never;
}

/** A check and the JSON Schema that tells others about it; nothing makes sure that the two agree. */
export interface SchemaPair<Input = unknown, Output = Input> {
  /** Answers `{ value }`, which the handler gets, or `{ issues }`; or a Standard Schema, which does that. */
  readonly validate:
    ((value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>) | StandardSchema<Input, Output>;
  /** What is shown to the other side. */
  readonly jsonSchema: JsonSchemaObject;
}

/**
 * What may be handed in as `inputSchema`, `outputSchema` or `argsSchema`: the schema of a library that implements
 * both Standard Schema and Standard JSON Schema (zod 4.2 or later, arktype, valibot through its converter), a pair,
 * or a JSON Schema.
 */
export type AuthorSchema<Input = unknown, Output = Input> =
  (StandardJsonSchema<Input, Output> & StandardSchema<Input, Output>) | SchemaPair<Input, Output> | JsonSchemaObject;

/** A schema, or none. */
export type OptionalSchema = AuthorSchema | undefined;

/** Members that are schemas, without the schema around them: of no use, though it looks like a JSON Schema. */
export type SchemaShape = Readonly<Record<string, { readonly "~standard": unknown }>>;

/** Stands where a handler should, so that the compiler says what is wrong. */
export type UnwrappedShapeError = "these are members without a schema around them; wrap them: z.object({ … })";

// The first question spares the compiler the others where no schema is given, as most tools have none for their output.
/** What goes into the schema; `unknown` for a JSON Schema. */
export type SchemaInput<S> = JsonSchemaObject extends S
  ? unknown
  : S extends StandardTyped
    ? InferInput<S>
    : S extends { readonly validate: infer V }
      ? V extends StandardSchema
        ? InferInput<V>
        : SchemaOutput<S>
      : unknown;

/** What comes out of the schema and goes to the handler; a record of unknowns for a JSON Schema. */
export type SchemaOutput<S> = S extends StandardTyped
  ? InferOutput<S>
  : S extends { readonly validate: infer V }
    ? V extends StandardSchema
      ? InferOutput<V>
      : V extends (value: unknown) => infer Result
        ? Extract<Awaited<Result>, { readonly value: unknown }>["value"]
        : unknown
    : Record<string, unknown>;

/** The answer of {@link PreparedSchema.validate}: the value is bad exactly when there are `issues`. */
export type Validated = StandardResult;

/** A schema that is ready for use. */
export interface PreparedSchema {
  /** What is shown to the other side; a copy, that later changes of the author's object do not reach. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** The library's own check. It answers at once when the library does. */
  readonly validate: (value: unknown) => Validated | Promise<Validated>;
}

/** What a schema is for. */
export interface SchemaUse {
  /** How messages call it: `inputSchema of tool "add"`. */
  readonly where: string;
  /** Whether the other side sends what goes in or gets what comes out. */
  readonly io: "input" | "output";
  /** Checks by JSON Schema, if there is one. */
  readonly validator: JsonSchemaValidator | undefined;
  /** Whether the JSON Schema has to say `type: "object"` at its root. */
  readonly rootObject: boolean;
}

/** Anything at all, to be looked at member by member. */
type Probe = Readonly<Record<string, unknown>>;

/**
 * Turns what an author handed in into a check and a JSON Schema, once.
 *
 * @throws SdkError `INVALID_CONFIGURATION` for anything that is no {@link AuthorSchema}, has no JSON Schema, or is not
 *   an object schema where it has to be one. The message says where, what, and what to do.
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
  if (!isPlain(schema)) throw new Error("no schema; pass one of zod, arktype or valibot, a pair, or a JSON Schema");
  const { validate, jsonSchema } = schema;
  if (validate && jsonSchema) {
    const inner = standardOf(validate);
    return {
      jsonSchema: rooted(jsonSchema, use),
      validate: bound(inner ? inner["validate"] : validate, inner ?? schema),
    };
  }
  if (Object.values(schema).some(standardOf)) throw new Error("an object of schemas; wrap it: z.object({ … })");
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
    const remedy = "say it as JSON does (a date is text: z.iso.datetime()), or pass a pair { validate, jsonSchema }";
    throw new Error(`${problem}; ${remedy}`, { cause });
  }
}

/** The `~standard` part of anything at all; arktype's schemas are functions. */
function standardOf(schema: unknown): Probe | undefined {
  const standard = (Object(schema) as Probe)["~standard"];
  return standard && typeof standard === "object" ? (standard as Probe) : undefined;
}

/** The library's own function, which may want its `this`. */
function bound(validate: unknown, owner: Probe): PreparedSchema["validate"] {
  if (typeof validate !== "function") throw new Error("no validate function; pass a pair { validate, jsonSchema }");
  return (validate as PreparedSchema["validate"]).bind(owner);
}

function isPlain(value: unknown): value is Probe {
  const prototype: unknown = typeof value === "object" && value && Object.getPrototypeOf(value);
  return prototype === Object.prototype || (prototype === null && value !== null);
}

/** The JSON Schema as it will be sent, with the root that the protocol asks for. */
function rooted(schema: unknown, { rootObject }: SchemaUse): Probe {
  if (!isPlain(schema)) throw new Error("the JSON Schema is not a plain object");
  const json = JSON.parse(JSON.stringify(schema)) as Probe;
  if (!rootObject || json["type"] === "object") return json;
  if (isObjectSchema(json, json, 16)) return { ...json, type: "object" };
  throw new Error('the JSON Schema accepts more than objects; give its root type "object"');
}
