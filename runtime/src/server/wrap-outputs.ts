import { TOOLS_CALL, TOOLS_LIST } from "@mcpwright/protocol/names";
import type { CallToolResult, Tool } from "../authoring.js";
import type { Middleware } from "../connection/middleware.js";
import { isObject } from "../jsonrpc/guards.js";
import type { ServerContext } from "./contracts.js";

/**
 * Creates middleware for tools whose output is not an object, such as an array. Clients of revisions before 2026-07-28, which can only
 * receive objects, then get `{ result: output }`, and a schema for it. Without this middleware, they get the output as text only. For all
 * clients, output that is not an object is also added to the content as JSON text, unless the content has a text.
 *
 * Clients before 2026-07-28 get no output schema of a tool whose schema has no single `type`.
 * @example
 * ```ts
 * const server = new McpServer({ name: "weather", version: "1.0.0" }, { middleware: [wrapOutputs()] });
 * ```
 */
export function wrapOutputs(): Middleware<ServerContext> {
  return async (context, next) => {
    const result = await next();
    const { method, session } = context;
    if (!isObject(result)) return result;
    if (method === TOOLS_CALL) return withOutput(result, session !== undefined);
    return method === TOOLS_LIST && session
      ? { ...result, tools: (result["tools"] as Tool[]).map(withSchema) }
      : result;
  };
}

function withOutput(result: Partial<CallToolResult>, isWrapped: boolean): object {
  const { structuredContent: output, content } = result;
  if (output === undefined || isObject(output) || !content) return result;
  const text = { type: "text", text: JSON.stringify(output) } as const;
  return {
    ...result,
    content: content.some(({ type }) => type === "text") ? content : [...content, text],
    structuredContent: isWrapped ? { result: output } : output,
  };
}

function withSchema(tool: Tool): Tool {
  const { outputSchema } = tool;
  const { type, $schema, $defs, definitions, ...rest } = (outputSchema ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || type === "object" || !refersToDefinitions(rest)) return tool;
  const wrapped = {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: { result: { type, ...rest } },
    required: ["result"],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
  return { ...tool, outputSchema: wrapped as unknown as NonNullable<Tool["outputSchema"]> };
}

/** Whether all references are to definitions, which stay where they are when the schema becomes that of a member. */
function refersToDefinitions(schema: object): boolean {
  const references = [...JSON.stringify(schema).matchAll(/"\$(?:ref|dynamicRef)":"([^"]*)"/g)];
  return references.every(([, target = ""]) => /^#\/(?:\$defs|definitions)\/|^[^#]/.test(target));
}
