import type { CallToolResult } from "../types/index.js";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "enum", "default", "examples"]);

/** Adds a value that is not an object as text, unless the result has text. */
export function withTextOfValue(result: CallToolResult): CallToolResult {
  const { structuredContent: value, content } = result;
  if (isJsonObject(value) || content.some(({ type }) => type === "text")) return result;
  return { ...result, content: [...content, { type: "text", text: JSON.stringify(value) }] };
}

/** The schema of outputs for clients with a session, which know objects only: others become its member `result`. */
export function schemaForSession(schema: JsonSchema): Record<string, unknown> {
  if (schema["type"] === "object") return schema;
  const { $schema } = schema;
  return {
    ...(typeof $schema === "string" && { $schema }),
    type: "object",
    properties: { result: moved(schema) },
    required: ["result"],
  };
}

/** The result that matches `schemaForSession`. */
export function wrappedForSession(result: CallToolResult, schema: JsonSchema | undefined): CallToolResult {
  const { structuredContent: value } = result;
  const isWrapped = schema ? schema["type"] !== "object" : !isJsonObject(value);
  return isWrapped && !result.isError ? { ...result, structuredContent: { result: value } } : result;
}

function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema whose references to its own root point to its new place. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema as JsonSchema).map(([keyword, value]) => {
    if (data.has(keyword)) return [keyword, value];
    const isReference = (keyword === "$ref" || keyword === "$dynamicRef") && typeof value === "string";
    if (isReference && (value === "#" || value.startsWith("#/")))
      return [keyword, `#/properties/result${value.slice(1)}`];
    return [keyword, moved(value)];
  });
  return Object.fromEntries(entries);
}
