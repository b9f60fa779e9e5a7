import type { ServerContext } from "../shared/contexts.js";
import { ProtocolError, ProtocolErrorCode } from "../shared/errors.js";
import type { CallToolResult, InputRequiredResult, Tool } from "../types/index.js";
import { issuesText, type StandardSchemaWithJSON, toJsonSchema, toSchema } from "../shared/standard-schema.js";
import { isSession } from "./handler-context.js";
import { Items, withoutUndefined } from "./items.js";
import { schemaForSession, withTextOfValue, wrappedForSession } from "./structured-content.js";
import type { AnyToolHandler, RegisteredTool } from "./registered.js";
import type { Server } from "./server.js";

/** A tool as `registerTool` gets it. */
export interface ToolDefinition extends Pick<
  RegisteredTool,
  "title" | "description" | "annotations" | "icons" | "execution" | "scopeChallenge" | "_meta"
> {
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

type Outcome = CallToolResult | InputRequiredResult;
type AnyHandler = AnyToolHandler<StandardSchemaWithJSON | undefined>;

/** JSON Schemas of arguments: programs that make a server for each request use the same schemas. */
const inputSchemas = new WeakMap<StandardSchemaWithJSON, Record<string, unknown>>();

const noArguments: Tool["inputSchema"] = { type: "object", properties: {} };

/** The tools of a server, and the handlers of the two methods about them. */
export class Tools {
  readonly #items: Items<RegisteredTool>;
  /** The definitions for clients with a session, and for the others. */
  #listed: { readonly session: Tool[]; readonly stateless: Tool[] } | undefined;

  constructor(changed: () => void) {
    this.#items = new Items(() => {
      this.#listed = undefined;
      changed();
    });
  }

  /** The items by name, which programs enumerate. */
  get byName(): ReadonlyMap<string, RegisteredTool> {
    return this.#items.byKey;
  }

  install(server: Server): void {
    server.assertCanSetRequestHandler("tools/list");
    server.assertCanSetRequestHandler("tools/call");
    server.setRequestHandler("tools/list", (_request, ctx) => {
      const { session, stateless } = (this.#listed ??= this.#list());
      return { tools: isSession(ctx) ? session : stateless };
    });
    server.setRequestHandler("tools/call", ({ params }, ctx) => this.#call(params.name, params.arguments, ctx));
  }

  /** @throws Error when the name is already registered */
  add(name: string, definition: ToolDefinition, callback: AnyHandler): RegisteredTool {
    if (this.#items.byKey.has(name)) throw new Error(`Tool ${name} is already registered`);
    const { title, description, annotations, icons, execution, scopeChallenge, _meta } = definition;
    const inputSchema = toSchema(definition.inputSchema);
    const outputSchema = toSchema(definition.outputSchema);
    let key = name;
    const tool: RegisteredTool = {
      title,
      description,
      inputSchema,
      outputSchema,
      outputSchemaJson: jsonOf(outputSchema),
      annotations,
      icons,
      execution,
      scopeChallenge,
      _meta,
      handler: callback,
      executor: executorOf(inputSchema, callback),
      enabled: true,
      enable: () => tool.update({ enabled: true }),
      disable: () => tool.update({ enabled: false }),
      remove: () => tool.update({ name: null }),
      update: (updates) => {
        const { name: next, paramsSchema, callback: handler, scopeChallenge: challenge, ...members } = updates;
        key = this.#items.move(tool, key, next);
        this.#items.assign(tool, { ...members, inputSchema: paramsSchema, handler });
        if (challenge !== undefined) tool.scopeChallenge = challenge ?? undefined;
        if (paramsSchema ?? handler) tool.executor = executorOf(tool.inputSchema, tool.handler);
        if (members.outputSchema) tool.outputSchemaJson = jsonOf(members.outputSchema);
        this.#items.changed();
      },
    };
    this.#items.byKey.set(name, tool);
    this.#items.changed();
    return tool;
  }

  /** The JSON Schema of the arguments; undefined for an unknown tool and a schema that cannot be converted. */
  inputSchema(name: string): Record<string, unknown> | undefined {
    const schema = this.#items.byKey.get(name)?.inputSchema;
    if (!schema) return undefined;
    let json = inputSchemas.get(schema);
    if (!json) {
      try {
        json = toJsonSchema(schema, "input");
      } catch {
        return undefined;
      }
      inputSchemas.set(schema, json);
    }
    return json;
  }

  #list(): { session: Tool[]; stateless: Tool[] } {
    const stateless = this.#items.enabled().map(([name, tool]): Tool => {
      const { title, description, annotations, icons, execution, _meta, inputSchema, outputSchema } = tool;
      return withoutUndefined({
        name,
        title,
        description,
        inputSchema: inputSchema ? (toJsonSchema(inputSchema, "input") as Tool["inputSchema"]) : noArguments,
        outputSchema: outputSchema && toJsonSchema(outputSchema, "output"),
        annotations,
        icons,
        execution,
        _meta,
      }) as Tool;
    });
    const session = stateless.map((tool) =>
      tool.outputSchema ? { ...tool, outputSchema: schemaForSession(tool.outputSchema) } : tool,
    );
    return { session, stateless };
  }

  async #call(name: string, args: unknown, ctx: ServerContext): Promise<Outcome> {
    const tool = this.#items.byKey.get(name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    if (!tool.enabled) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} disabled`);
    try {
      const { inputSchema } = tool;
      let input = args;
      if (inputSchema) {
        const found = inputSchema["~standard"].validate(args ?? {});
        const checked = found instanceof Promise ? await found : found;
        if (checked.issues)
          return failed(`Input validation error: Invalid arguments for tool ${name}: ${issuesText(checked.issues)}`);
        input = checked.value;
      }
      const result = await tool.executor(input, ctx);
      if ((result as { resultType?: unknown }).resultType === "input_required") return result;
      const end = finished(name, tool, result as CallToolResult, ctx);
      return end instanceof Promise ? await end : end;
    } catch (error) {
      // Only this error is for the client, not for the model.
      if (error instanceof ProtocolError && isUrlElicitation(error)) throw error;
      return failed(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Completes the result of a tool. Most need no promise. */
function finished(
  name: string,
  tool: RegisteredTool,
  given: CallToolResult,
  ctx: ServerContext,
): CallToolResult | Promise<CallToolResult> {
  // Programs in JavaScript may leave the content out.
  const result = (given as Partial<CallToolResult>).content ? given : { ...given, content: [] };
  if (tool.outputSchema && !result.isError) return checkedOutput(name, tool.outputSchema, tool, result, ctx);
  return withValue(tool, result, ctx);
}

async function checkedOutput(
  name: string,
  schema: StandardSchemaWithJSON,
  tool: RegisteredTool,
  result: CallToolResult,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { structuredContent } = result;
  if (structuredContent === undefined)
    return failed(`Output validation error: Tool ${name} has an output schema but no structured content was provided`);
  const { issues } = await schema["~standard"].validate(structuredContent);
  if (issues)
    return failed(`Output validation error: Invalid structured content for tool ${name}: ${issuesText(issues)}`);
  return withValue(tool, result, ctx);
}

/** Adds what older clients read instead of the structured content. */
function withValue({ outputSchemaJson }: RegisteredTool, result: CallToolResult, ctx: ServerContext): CallToolResult {
  if (result.structuredContent === undefined) return result;
  const withText = withTextOfValue(result);
  return isSession(ctx) ? wrappedForSession(withText, outputSchemaJson) : withText;
}

function isUrlElicitation({ code }: { readonly code: number }): boolean {
  const known: number = ProtocolErrorCode.UrlElicitationRequired;
  return code === known;
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function executorOf(schema: unknown, handler: AnyHandler): RegisteredTool["executor"] {
  const run = handler as (...args: unknown[]) => Outcome | Promise<Outcome>;
  // A promise of the program is passed on: another one around it would cost time.
  return (args, ctx) => {
    try {
      return Promise.resolve(schema ? run(args, ctx) : run(ctx));
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the program has thrown
      return Promise.reject(error);
    }
  };
}

function jsonOf(schema: StandardSchemaWithJSON | undefined): Record<string, unknown> | undefined {
  try {
    return schema && toJsonSchema(schema, "output");
  } catch {
    // The list of tools reports it.
    return undefined;
  }
}
