import { isObject } from "../jsonrpc/guards.js";
import type { HeaderParam } from "./header-param.js";

const annotation = "x-mcp-header";
/** Keywords whose value is a schema or a list of schemas; elsewhere an annotation is just a value. */
const direct = /* @__PURE__ */ new Set(
  /* @__PURE__ */ "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames allOf anyOf oneOf not if then else contentSchema".split(
    " ",
  ),
);
/** Keywords whose value maps names to schemas. */
const named = new Set(["patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]);
const types: readonly unknown[] = ["string", "integer", "boolean"] satisfies HeaderParam["type"][];
const maxDepth = 100;

/** A schema and its position. */
interface Found {
  readonly schema: unknown;
  /** The schema that contains it. */
  readonly parent?: Found;
  /** The name of the property, if it is one. */
  readonly key?: string;
}

/**
 * Finds the arguments that a tool repeats in HTTP headers (MCP 2026-07-28, Streamable HTTP: custom headers from tool
 * parameters) in its input schema. Returns a problem if its annotations are not valid.
 */
export function findHeaderParams(inputSchema: unknown): { params: readonly HeaderParam[] } | { problem: string } {
  const params: HeaderParam[] = [];
  const names = new Set<string>();
  // An explicit stack, because a received schema may be nested deeper than the call stack allows.
  const open: Found[] = [{ schema: inputSchema }];
  for (let found = open.pop(); found; found = open.pop()) {
    const { schema } = found;
    if (!isObject(schema)) continue;
    if (Object.hasOwn(schema, annotation)) {
      const param = paramOf(schema, found);
      if (typeof param === "string") return { problem: param };
      const name = param.name.toLowerCase();
      if (names.has(name)) return { problem: `${annotation} "${param.name}" is used twice` };
      names.add(name);
      params.push(param);
    }
    pushAll(open, schema, found);
  }
  return { params: params.reverse() };
}

function pushAll(open: Found[], schema: Readonly<Record<string, unknown>>, parent: Found): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== "object" || !value) continue;
    if (keyword === "properties") {
      for (const [key, property] of Object.entries(value)) open.push({ schema: property, parent, key });
    } else if (direct.has(keyword) || named.has(keyword)) {
      const others: unknown[] = Array.isArray(value) || named.has(keyword) ? Object.values(value) : [value];
      for (const other of others) open.push({ schema: other, parent });
    }
  }
}

function paramOf(schema: Readonly<Record<string, unknown>>, found: Found): HeaderParam | string {
  const name = schema[annotation];
  const type = schema["type"];
  if (typeof name !== "string" || !/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name))
    return `${annotation} ${shown(name)} is not a valid header name`;
  const path: string[] = [];
  for (let at = found; at.parent; at = at.parent) {
    if (at.key === undefined)
      return `${annotation} "${name}" must be on a property that is reached through "properties" only`;
    if (path.unshift(at.key) > maxDepth) return `${annotation} "${name}" is nested too deeply`;
  }
  if (path.length === 0) return `${annotation} "${name}" must be on a property, not on the schema itself`;
  if (!types.includes(type))
    return `${annotation} "${name}" is on type ${shown(type)}; only string, integer and boolean can have it`;
  return { name, path, type: type as HeaderParam["type"] };
}

function shown(value: unknown): string {
  return value === undefined ? "undefined" : JSON.stringify(value).slice(0, 60);
}

/**
 * Returns the value of a header that repeats an argument, before it is encoded.
 * @returns undefined if there is no header, because the argument is absent, null or of another type
 */
export function headerParamValue({ path, type }: HeaderParam, args: unknown): string | undefined {
  let value = args;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  if (type === "integer") return Number.isInteger(value) ? BigInt(value as number).toString() : undefined;
  return typeof value === type ? String(value) : undefined;
}
