import * as z3 from "zod/v3";
import * as z4 from "zod/v4";
import type * as core from "zod/v4/core";

/** A schema of zod 3 or 4. */
export type AnySchema = z3.ZodTypeAny | core.$ZodType;
export type AnyObjectSchema = z3.AnyZodObject | core.$ZodObject | AnySchema;
/** The schemas of an object by member. */
export type ZodRawShapeCompat = Record<string, AnySchema>;

export type SchemaOutput<S> = S extends z3.ZodTypeAny ? z3.infer<S> : S extends core.$ZodType ? core.output<S> : never;
export type SchemaInput<S> = S extends z3.ZodTypeAny ? z3.input<S> : S extends core.$ZodType ? core.input<S> : never;
export type ShapeOutput<Shape extends ZodRawShapeCompat> = { [Key in keyof Shape]: SchemaOutput<Shape[Key]> };

type Parsed<S> =
  { readonly success: true; readonly data: SchemaOutput<S> } | { readonly success: false; readonly error: unknown };

/** What both versions keep in their schemas. */
interface Definition {
  readonly type?: string;
  readonly typeName?: string;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
  readonly shape?: Shape;
}
type Shape = ZodRawShapeCompat | (() => ZodRawShapeCompat);

export function isZ4Schema(schema: AnySchema): schema is core.$ZodType {
  return "_zod" in schema;
}

function definitionOf(schema: AnySchema): Definition | undefined {
  return isZ4Schema(schema) ? schema._zod.def : (schema._def as Definition | undefined);
}

/**
 * Makes an object schema of a shape.
 * @throws Error when the shape has schemas of zod 3 and of zod 4
 */
export function objectFromShape(shape: ZodRawShapeCompat): AnyObjectSchema {
  const schemas = Object.values(shape);
  if (schemas.every(isZ4Schema)) return z4.object(shape);
  if (!schemas.some(isZ4Schema)) return z3.object(shape as z3.ZodRawShape);
  throw new Error("Mixed Zod versions detected in object shape.");
}

export function safeParse<S extends AnySchema>(schema: S, data: unknown): Parsed<S> {
  return (isZ4Schema(schema) ? z4.safeParse(schema, data) : schema.safeParse(data)) as Parsed<S>;
}

export async function safeParseAsync<S extends AnySchema>(schema: S, data: unknown): Promise<Parsed<S>> {
  return (await (isZ4Schema(schema) ? z4.safeParseAsync(schema, data) : schema.safeParseAsync(data))) as Parsed<S>;
}

/** Schemas with asynchronous parts. */
const asynchronous = new WeakSet<AnySchema>();

/** Parses at once where the schema can: without promises it takes a third of the time. */
export function safeParseSoon<S extends AnySchema>(schema: S, data: unknown): Parsed<S> | Promise<Parsed<S>> {
  if (!isZ4Schema(schema) || asynchronous.has(schema)) return safeParseAsync(schema, data);
  try {
    return safeParse(schema, data);
  } catch (error) {
    if (!(error instanceof z4.core.$ZodAsyncError)) throw error;
    asynchronous.add(schema);
    return safeParseAsync(schema, data);
  }
}

/** Returns the schemas of an object schema by member. */
export function getObjectShape(schema: AnyObjectSchema | undefined): ZodRawShapeCompat | undefined {
  if (!schema) return undefined;
  const shape = isZ4Schema(schema)
    ? definitionOf(schema)?.shape
    : (schema as { readonly shape?: Shape | undefined }).shape;
  return typeof shape === "function" ? shape() : shape;
}

/** Returns an object schema as it is, and the object schema of a shape; undefined for schemas of other types. */
export function normalizeObjectSchema(schema: AnySchema | ZodRawShapeCompat | undefined): AnyObjectSchema | undefined {
  if (!schema) return undefined;
  if (!("_def" in schema) && !("_zod" in schema)) {
    const members = Object.values(schema);
    return members.length > 0 && members.every(isSchemaLike) ? objectFromShape(schema) : undefined;
  }
  const one = schema as AnySchema;
  return getObjectShape(one) ? one : undefined;
}

function isSchemaLike(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "_def" in value || "_zod" in value || typeof (value as { parse?: unknown }).parse === "function";
}

/** The issues of a parse error in one text, each with the path of its value. */
export function getParseErrorMessage(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { issues, message } = error as { issues?: readonly Issue[]; message?: unknown };
  if (Array.isArray(issues) && issues.length > 0) return (issues as readonly Issue[]).map(issueText).join("\n");
  return typeof message === "string" ? message : JSON.stringify(error);
}

interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
}

function issueText({ message, path = [] }: Issue): string {
  const [first, ...rest] = path;
  if (first === undefined) return message;
  const steps = rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return `${message} at ${String(first)}${steps.join("")}`;
}

export function getSchemaDescription(schema: AnySchema): string | undefined {
  return (schema as { readonly description?: string | undefined }).description;
}

/** Whether a member with this schema can be missing: for zod 4, whether the schema itself is `optional()`. */
export function isSchemaOptional(schema: AnySchema): boolean {
  return isZ4Schema(schema) ? definitionOf(schema)?.type === "optional" : schema.isOptional();
}

/** Returns the value of a literal schema. */
export function getLiteralValue(schema: AnySchema): unknown {
  const { value, values } = definitionOf(schema) ?? {};
  return value ?? values?.[0] ?? (schema as { readonly value?: unknown }).value;
}
