import type { CallToolResult, Result, Tool, ToolAnnotations, ToolExecution } from "../messages.js";
import { ErrorCode, McpError } from "../errors.js";
import type { Task } from "../experimental/tasks/task-types.js";
import { validateAndWarnToolName } from "../shared/toolNameValidation.js";
import type { AnyToolHandler, Extra, RegisteredTool } from "./mcp-types.js";
import { type Items, registerItem } from "./registry.js";
import { checkedElementLimit, countElements, parseOrThrow, toSchema } from "./tool-schemas.js";
import { checkedToolResult } from "./tool-result.js";
import { type AnySchema, normalizeObjectSchema, objectFromShape, type ZodRawShapeCompat } from "./zod-compat.js";
import { toJsonSchemaCompat } from "./zod-json-schema-compat.js";

/** What a program registers as a tool. */
export interface ToolConfig {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: ZodRawShapeCompat | AnySchema | undefined;
  readonly outputSchema?: ZodRawShapeCompat | AnySchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly execution?: ToolExecution | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

interface CallParams {
  readonly name: string;
  readonly arguments?: unknown;
  readonly task?: unknown;
}

/** The callbacks of tools, as they are called. */
type Callback = (...args: readonly unknown[]) => unknown;
interface TaskHandler {
  readonly createTask: Callback;
}

/** The tools of a server: lists them, and calls them. */
export class ToolRegistry {
  readonly items: Items<RegisteredTool> = {};
  readonly #maxElements: number;
  readonly #changed: () => void;

  constructor(maxElements: number | undefined, changed: () => void) {
    this.#maxElements = checkedElementLimit(maxElements);
    this.#changed = changed;
  }

  /** @throws Error when there is a tool of this name */
  assertFree(name: string): void {
    if (this.items[name]) throw new Error(`Tool ${name} is already registered`);
  }

  register(name: string, config: ToolConfig, handler: unknown): RegisteredTool {
    validateAndWarnToolName(name);
    const { title, description, annotations, execution, _meta } = config;
    const item = {
      title,
      description,
      inputSchema: toSchema(config.inputSchema),
      outputSchema: toSchema(config.outputSchema),
      annotations,
      execution,
      _meta,
      handler: handler as AnyToolHandler<undefined | ZodRawShapeCompat>,
    };
    const targets = {
      title: "title",
      description: "description",
      paramsSchema: (shape: ZodRawShapeCompat) => ({ inputSchema: objectFromShape(shape) }),
      outputSchema: (shape: ZodRawShapeCompat) => ({ outputSchema: objectFromShape(shape) }),
      callback: "handler",
      annotations: "annotations",
      _meta: "_meta",
    };
    const registered = registerItem(this.items as never, name, item, "name", targets, this.#changed);
    return registered as RegisteredTool;
  }

  list(): { tools: Tool[] } {
    const enabled = Object.entries(this.items).filter(([, { enabled }]) => enabled);
    return { tools: enabled.map(([name, tool]) => describe(name, tool)) };
  }

  /** Calls a tool. Errors are results, except those that ask the user to visit a URL. */
  async call(params: CallParams, extra: Extra): Promise<Result> {
    const isTask = params.task !== undefined;
    let result: unknown;
    try {
      result = await this.#run(params, extra, isTask);
    } catch (error) {
      if (error instanceof McpError && error.code === (ErrorCode.UrlElicitationRequired as number)) throw error;
      const text = error instanceof Error ? error.message : String(error);
      return { content: [{ type: "text", text }], isError: true };
    }
    return checkedToolResult(result, isTask);
  }

  /** Runs a tool, without promises of its own where the schema and the tool need none. */
  #run(params: CallParams, extra: Extra, isTask: boolean): unknown {
    const { name } = params;
    const tool = Object.hasOwn(this.items, name) ? this.items[name] : undefined;
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Tool ${name} not found`);
    if (!tool.enabled) throw new McpError(ErrorCode.InvalidParams, `Tool ${name} disabled`);
    const support = tool.execution?.taskSupport;
    const canBeTask = support === "required" || support === "optional";
    if (canBeTask && typeof tool.handler === "function")
      throw new McpError(
        ErrorCode.InternalError,
        `Tool ${name} has taskSupport '${support}' but was not registered with registerToolTask`,
      );
    if (support === "required" && !isTask)
      throw new McpError(ErrorCode.MethodNotFound, `Tool ${name} requires task augmentation (taskSupport: 'required')`);
    const run = (args: unknown): unknown => {
      const given = tool.inputSchema ? [args, extra] : [extra];
      const handler = tool.handler as unknown as Callback | TaskHandler;
      if (typeof handler !== "function") return runTask(handler, given, extra, isTask);
      const result = handler(...given);
      return !isTask && tool.outputSchema ? checkedOutput(tool, result, name) : result;
    };
    const args = this.#checkInput(tool, params);
    return args instanceof Promise ? args.then(run) : run(args);
  }

  #checkInput({ inputSchema }: RegisteredTool, params: CallParams): unknown {
    const { name } = params;
    const limit = this.#maxElements;
    if (limit !== Infinity && countElements(params.arguments, limit) > limit)
      throw new McpError(
        ErrorCode.InvalidParams,
        `Invalid arguments for tool ${name}: arguments contain more than the maximum of ${limit} elements`,
      );
    if (!inputSchema) return undefined;
    return parseOrThrow(
      inputSchema,
      params.arguments ?? {},
      `Input validation error: Invalid arguments for tool ${name}`,
    );
  }
}

function describe(name: string, tool: RegisteredTool): Tool {
  const { title, description, annotations, execution, _meta } = tool;
  const input = normalizeObjectSchema(tool.inputSchema);
  const output = normalizeObjectSchema(tool.outputSchema);
  const described = {
    name,
    title,
    description,
    inputSchema: input ? toJsonSchemaCompat(input, { pipeStrategy: "input" }) : { type: "object", properties: {} },
    annotations,
    execution,
    _meta,
    ...(output && { outputSchema: toJsonSchemaCompat(output, { pipeStrategy: "output" }) }),
  };
  return described as unknown as Tool;
}

async function runTask(
  handler: TaskHandler,
  given: readonly unknown[],
  { taskStore, signal }: Extra,
  isTask: boolean,
): Promise<unknown> {
  if (!taskStore) throw new Error("No task store provided.");
  const created = (await handler.createTask(...given)) as { readonly task: Task };
  return isTask ? created : untilEnd(created.task, taskStore, signal);
}

/** Returns the result, if its structured content matches the schema. */
async function checkedOutput({ outputSchema }: RegisteredTool, given: unknown, name: string): Promise<unknown> {
  const result = await given;
  const { content, isError, structuredContent } = Object(result) as Partial<CallToolResult>;
  if (!outputSchema || content === undefined || isError) return result;
  const problem = `Output validation error: `;
  if (!structuredContent)
    throw new McpError(
      ErrorCode.InvalidParams,
      `${problem}Tool ${name} has an output schema but no structured content was provided`,
    );
  await parseOrThrow(outputSchema, structuredContent, `${problem}Invalid structured content for tool ${name}`);
  return result;
}

/** Waits for the end of a task, for a client that has not asked for one. Stops when the client cancels the request. */
async function untilEnd(created: Task, store: NonNullable<Extra["taskStore"]>, signal: AbortSignal): Promise<unknown> {
  const { taskId, pollInterval = 5_000 } = created;
  let { status } = created;
  while (status !== "completed" && status !== "failed" && status !== "cancelled") {
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
    signal.throwIfAborted();
    ({ status } = await store.getTask(taskId));
  }
  return store.getTaskResult(taskId);
}
