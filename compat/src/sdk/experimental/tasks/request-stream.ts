import type { Request, Result } from "../../messages.js";
import { ErrorCode, McpError } from "../../errors.js";
import type { AnySchema, SchemaOutput } from "../../server/zod-compat.js";
import { anyResult } from "../../server/any-result.js";
import type { ResponseMessage } from "../../shared/responseMessage.js";
import { isTerminal, type Task } from "./task-types.js";

interface StreamOptions {
  readonly task?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request. */
export type Send<Options> = <T extends AnySchema>(
  request: Request,
  schema: T,
  options?: Options,
) => Promise<SchemaOutput<T>>;

/** Sends a request, as a task if the options say so, and yields what happens to it until its result. */
export async function* requestStream<T extends AnySchema, Options extends StreamOptions>(
  send: Send<Options>,
  request: Request,
  schema: T,
  options?: Options,
): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void> {
  const resultOf = (taskId: string): Promise<SchemaOutput<T>> =>
    send({ method: "tasks/result", params: { taskId } }, schema, withoutTask(options));
  try {
    if (!options?.task) {
      yield { type: "result", result: await send(request, schema, options) };
      return;
    }
    const created = (await send(request, anyResult, options)) as { readonly task?: Task };
    if (!created.task) throw new McpError(ErrorCode.InternalError, "Task creation did not return a task");
    const { taskId } = created.task;
    yield { type: "taskCreated", task: created.task };
    for (;;) {
      const get = { method: "tasks/get", params: { taskId } };
      const task = (await send(get, anyResult, withoutTask(options))) as unknown as Task;
      yield { type: "taskStatus", task };
      if (task.status === "completed" || task.status === "input_required") {
        yield { type: "result", result: await resultOf(taskId) };
        return;
      }
      if (isTerminal(task.status)) {
        const how = task.status === "failed" ? "failed" : "was cancelled";
        throw new McpError(ErrorCode.InternalError, `Task ${taskId} ${how}`);
      }
      await new Promise((resolve) => setTimeout(resolve, task.pollInterval ?? 1_000));
      options.signal?.throwIfAborted();
    }
  } catch (error) {
    yield {
      type: "error",
      error: error instanceof McpError ? error : new McpError(ErrorCode.InternalError, String(error)),
    };
  }
}

function withoutTask<Options extends StreamOptions>(options: Options | undefined): Options | undefined {
  return options && { ...options, task: undefined };
}
