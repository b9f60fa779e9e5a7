import type { ToolAnnotations } from "../../messages.js";
import type { RegisteredTool } from "../../server/mcp-types.js";
import type { AnySchema, ZodRawShapeCompat } from "../../server/zod-compat.js";
import type { TaskToolExecution, ToolTaskHandler } from "./interfaces.js";

interface TaskToolConfig<OutputArgs> {
  title?: string | undefined;
  description?: string | undefined;
  outputSchema?: OutputArgs;
  annotations?: ToolAnnotations | undefined;
  execution?: TaskToolExecution | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** Registers the tool. */
type Register = (
  name: string,
  config: TaskToolConfig<ZodRawShapeCompat | AnySchema | undefined> & {
    inputSchema?: ZodRawShapeCompat | AnySchema | undefined;
  },
  handler: unknown,
) => RegisteredTool;

/** Registers tools that run as tasks. */
export class ExperimentalMcpServerTasks {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  /**
   * Registers a tool whose calls run as tasks: all of them, unless `execution.taskSupport` is `"optional"`.
   * @throws Error when the tool is registered already, or `taskSupport` is `"forbidden"`
   */
  registerToolTask<OutputArgs extends undefined | ZodRawShapeCompat | AnySchema>(
    name: string,
    config: TaskToolConfig<OutputArgs>,
    handler: ToolTaskHandler,
  ): RegisteredTool;
  registerToolTask<
    InputArgs extends ZodRawShapeCompat | AnySchema,
    OutputArgs extends undefined | ZodRawShapeCompat | AnySchema,
  >(
    name: string,
    config: TaskToolConfig<OutputArgs> & { inputSchema: InputArgs },
    handler: ToolTaskHandler<InputArgs>,
  ): RegisteredTool;
  registerToolTask(
    name: string,
    config: Parameters<Register>[1],
    handler: ToolTaskHandler<undefined | ZodRawShapeCompat | AnySchema>,
  ): RegisteredTool {
    const execution = { taskSupport: "required" as const, ...config.execution };
    if ((execution.taskSupport as string) === "forbidden")
      throw new Error(
        `Cannot register task-based tool '${name}' with taskSupport 'forbidden'. Use registerTool() instead.`,
      );
    return this.#register(name, { ...config, execution }, handler);
  }
}
