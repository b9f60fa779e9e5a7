import { ErrorCode, McpError } from "../errors.js";
import {
  type AnySchema,
  getParseErrorMessage,
  isZ4Schema,
  normalizeObjectSchema,
  objectFromShape,
  safeParseSoon,
  type ZodRawShapeCompat,
} from "./zod-compat.js";

/** Whether a value has the methods of a zod schema. */
function isZodType(value: unknown): boolean {
  const { parse, safeParse } = Object(value) as { parse?: unknown; safeParse?: unknown };
  return typeof parse === "function" && typeof safeParse === "function";
}

function isSchema(value: object): boolean {
  return "_def" in value || "_zod" in value || isZodType(value);
}

/** Whether a value is an object of schemas, possibly without any, and not a schema itself. */
export function isRawShape(value: unknown): value is ZodRawShapeCompat {
  if (typeof value !== "object" || value === null || isSchema(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(isZodType);
}

/**
 * Returns a schema as it is, and the object schema of a shape.
 * @throws Error for other values
 */
export function toSchema(given: ZodRawShapeCompat | AnySchema | undefined): AnySchema | undefined {
  if (!given) return undefined;
  if (isRawShape(given)) return objectFromShape(given);
  if (!isSchema(given))
    throw new Error("inputSchema must be a Zod schema or raw shape, received an unrecognized object");
  return given;
}

/**
 * Returns what a schema makes of a value: a promise when a part of the schema is asynchronous.
 * @throws McpError (or rejects) when the value does not match the schema; its message begins with `problem`
 */
export function parseOrThrow(schema: AnySchema, value: unknown, problem: string): unknown {
  const parsed = safeParseSoon(isZ4Schema(schema) ? schema : (normalizeObjectSchema(schema) ?? schema), value);
  return parsed instanceof Promise ? parsed.then((one) => dataOf(one, problem)) : dataOf(parsed, problem);
}

function dataOf(parsed: Awaited<ReturnType<typeof safeParseSoon>>, problem: string): unknown {
  if (parsed.success) return parsed.data;
  throw new McpError(ErrorCode.InvalidParams, `${problem}: ${getParseErrorMessage(parsed.error)}`);
}

/** Counts the elements of arrays and the members of objects, up to a limit. */
export function countElements(value: unknown, limit: number): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && count <= limit) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    const elements: unknown[] = Object.values(one);
    count += elements.length;
    open.push(...elements.slice(0, limit + 1));
  }
  return count;
}

/** @throws RangeError when the option is not a number of at least 1 */
export function checkedElementLimit(limit: number | undefined): number {
  if (limit === undefined) return Infinity;
  if (typeof limit === "number" && limit >= 1) return limit;
  throw new RangeError(`maxToolInputElements must be a number of at least 1, or Infinity, got ${String(limit)}`);
}
