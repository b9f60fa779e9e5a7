import { zodToJsonSchema } from "zod-to-json-schema";
import * as z4 from "zod/v4";
import {
  type AnyObjectSchema,
  type AnySchema,
  getLiteralValue,
  getObjectShape,
  isZ4Schema,
  safeParse,
  type SchemaOutput,
} from "./zod-compat.js";

interface CommonOpts {
  /** Default: `"jsonSchema7"`. */
  strictUnions?: boolean;
  /** Whether the schema describes values before or after transformations. Default: `"input"`. */
  pipeStrategy?: "input" | "output";
  target?: "jsonSchema7" | "draft-7" | "jsonSchema2019-09" | "draft-2020-12";
}

type JsonSchema = Record<string, unknown>;

/** Converts a schema of zod 3 or 4 to JSON Schema. */
export function toJsonSchemaCompat(schema: AnyObjectSchema, opts: CommonOpts = {}): JsonSchema {
  const { strictUnions = true, pipeStrategy = "input", target } = opts;
  if (!isZ4Schema(schema)) return zodToJsonSchema(schema as never, { strictUnions, pipeStrategy });
  const isNewer = target === "jsonSchema2019-09" || target === "draft-2020-12";
  return z4.toJSONSchema(schema, { target: isNewer ? "draft-2020-12" : "draft-7", io: pipeStrategy });
}

/**
 * Returns the method that the schema of a request or notification is for.
 * @throws Error when the schema has no literal `method`
 */
export function getMethodLiteral(schema: AnyObjectSchema): string {
  const method = getObjectShape(schema)?.["method"];
  if (!method) throw new Error("Schema is missing a method literal");
  const value = getLiteralValue(method);
  if (typeof value !== "string") throw new Error("Schema method literal must be a string");
  return value;
}

/** @throws the error of zod when the value does not match */
export function parseWithCompat<S extends AnySchema>(schema: S, data: unknown): SchemaOutput<S> {
  const parsed = safeParse(schema, data);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}
