import { ErrorCode, McpError } from "../../errors.js";
import type { CallToolRequest, CallToolResult, Result } from "../../messages.js";
import { anyResult } from "../../server/any-result.js";
import type { AnySchema, SchemaOutput } from "../../server/zod-compat.js";
import type { RequestOptions } from "../../shared/protocol.js";
import type { ResponseMessage } from "../../shared/responseMessage.js";
import { ExperimentalTasks } from "./experimental-tasks.js";
import type { Send } from "./request-stream.js";

/** What the client knows about the tools of its server. */
export interface ListedTools {
  canBeTask(name: string): boolean;
  checkOutput(name: string, result: CallToolResult): Promise<void>;
}

/** Requests of a client that its server runs as tasks. */
export class ExperimentalClientTasks extends ExperimentalTasks {
  readonly #tools: ListedTools;

  constructor(send: Send<RequestOptions>, tools: ListedTools) {
    super(send);
    this.#tools = tools;
  }

  /**
   * Calls a tool, as a task if the options say so or the tool is listed as one that can be. Its structured content is checked if
   * `listTools` has returned its schema.
   */
  callToolStream(
    params: CallToolRequest["params"],
    resultSchema?: undefined,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<CallToolResult>, void, void>;
  callToolStream<T extends AnySchema>(
    params: CallToolRequest["params"],
    resultSchema: T | undefined,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void>;
  async *callToolStream(
    params: CallToolRequest["params"],
    resultSchema: AnySchema = anyResult,
    options: RequestOptions = {},
  ): AsyncGenerator<ResponseMessage<Result>, void, void> {
    const { name } = params;
    const task = options.task ?? (this.#tools.canBeTask(name) ? {} : undefined);
    const messages = this.requestStream({ method: "tools/call", params }, resultSchema, { ...options, task });
    for await (const message of messages) {
      const error = message.type === "result" ? await this.#problemOf(name, message.result) : undefined;
      if (error) {
        yield { type: "error", error };
        return;
      }
      yield message;
    }
  }

  async #problemOf(name: string, result: unknown): Promise<McpError | undefined> {
    try {
      await this.#tools.checkOutput(name, result as CallToolResult);
      return undefined;
    } catch (error) {
      return error instanceof McpError ? error : new McpError(ErrorCode.InternalError, String(error));
    }
  }
}
