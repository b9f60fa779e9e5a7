import type { CallToolRequestParams, CallToolResult } from "../../authoring.js";
import type { CallToolOptions, Task } from "../../client/call-tool-options.js";
import type { Client } from "../../client/client.js";
import type { SendOptions } from "../../client/send-options.js";
import type { ParamsInput } from "../../connection/params-input.js";
import { hasEnded } from "../task-record.js";
import { clientTasksOf, type WatchedCallOptions } from "./client-tasks.js";
import type { TaskWatch } from "./task-watch.js";

/**
 * A call of a tool that may run as a task. Iterate it to get the task with each change of its status, until its end.
 *
 * The task is followed until it ends, or `detach` is called.
 */
export class ToolTask implements AsyncIterable<Task> {
  readonly #result: Promise<CallToolResult>;
  readonly #watch: TaskWatch | undefined;

  /** @internal */
  constructor(result: Promise<CallToolResult>, watch: TaskWatch | undefined) {
    this.#result = result;
    this.#watch = watch;
  }

  /** The id of the task; undefined if the server responded with the result. */
  get id(): string | undefined {
    return this.task?.taskId;
  }

  /** The last known state; undefined if the server responded with the result. */
  get task(): Task | undefined {
    return this.#watch?.task;
  }

  /**
   * Text that the model may receive as the result of the tool while the task goes on; undefined if the server has sent none, and after
   * `resumeTask` (MCP 2025-11-25, tasks: creating tasks; provisional).
   */
  get immediateResponse(): string | undefined {
    return this.#watch?.first.immediateResponse;
  }

  get status(): Task["status"] {
    return this.task?.status ?? "completed";
  }

  /**
   * Returns the result of the tool.
   * @throws TaskError `TASK_CANCELLED`, `TASK_EXPIRED`, `TASK_NOT_FOUND`
   * @throws RemoteError the error with which the call failed
   * @throws SdkError as `callTool`; `REQUEST_CANCELLED` after `detach`
   */
  result(): Promise<CallToolResult> {
    return this.#result;
  }

  /**
   * Asks the server to cancel the task. The server may finish it all the same: `result` says how it ended.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the server does not cancel tasks
   */
  async cancel(): Promise<void> {
    await this.#watch?.cancel();
  }

  /** Ends the polling, but not the task, which `resumeTask` can follow again. */
  detach(): void {
    this.#watch?.detach();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Task, void, undefined> {
    const watch = this.#watch;
    if (!watch) return;
    const changes: Task[] = [watch.task];
    let wake = (): void => undefined;
    const remove = watch.onChange((task) => {
      if (task && task !== changes.at(-1)) changes.push(task);
      wake();
    });
    try {
      for (;;) {
        const task = changes.shift();
        if (task) yield task;
        else if (watch.isOver) break;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      remove();
    }
    // Without a final state, the caller needs the reason.
    if (!hasEnded(watch.task)) await this.#result;
  }
}

/**
 * Calls a tool as a task, and returns a handle of it as soon as the server has created the task or responded with the result. Needs the
 * extension `tasks()`. When `signal` is aborted or `maxTotalMs` has passed, the task is cancelled.
 * @example
 * ```ts
 * const task = await callToolTask(client, { name: "report", arguments: { year: 2026 } });
 * for await (const { status, statusMessage } of task) console.log(status, statusMessage);
 * const { content } = await task.result();
 * ```
 */
export function callToolTask(
  client: Client,
  params: ParamsInput<CallToolRequestParams>,
  options: CallToolOptions = {},
): Promise<ToolTask> {
  clientTasksOf(client);
  return new Promise((resolve, reject) => {
    const watched: WatchedCallOptions = {
      task: true,
      ...options,
      onWatch: (watch) => resolve(new ToolTask(result, watch)),
    };
    const result = client.callTool(params, watched);
    result.then(() => resolve(new ToolTask(result, undefined)), reject);
  });
}

/**
 * Follows a task again, after a restart of this program for example. The id is enough, so the output is not checked against the schema of
 * the tool. Needs the extension `tasks()`, and a connection of the era that created the task.
 * @param options `onTask` is not called; otherwise as for `callTool`
 * @throws TaskError `TASK_NOT_FOUND` when the server does not have the task, or no longer
 * @example
 * ```ts
 * const task = await resumeTask(client, storedId);
 * const { content } = await task.result();
 * ```
 */
export async function resumeTask(
  client: Client,
  taskId: string,
  options: Omit<CallToolOptions, "task" | "onTask"> = {},
): Promise<ToolTask> {
  const tasks = clientTasksOf(client);
  const watch = tasks.watch(await tasks.get(taskId, options), options);
  const result = tasks.follow(watch, options) as Promise<unknown> as Promise<CallToolResult>;
  return new ToolTask(result, watch);
}

/**
 * Returns the state of a task. Needs the extension `tasks()`.
 * @throws TaskError `TASK_NOT_FOUND` when the server does not have the task, or no longer
 */
export async function getTask(client: Client, taskId: string, options: SendOptions = {}): Promise<Task> {
  return (await clientTasksOf(client).get(taskId, options)).task;
}

/**
 * Asks the server to cancel a task. Needs the extension `tasks()`.
 * @throws RemoteError -32602 when the server does not have the task; up to 2025-11-25, also when it has ended
 */
export async function cancelTask(client: Client, taskId: string, options: SendOptions = {}): Promise<void> {
  await clientTasksOf(client).port(taskId, options).cancel();
}

/**
 * Returns all tasks that this client created, where servers list them (2025-11-25). Needs the extension `tasks()`.
 * @throws SdkError `NOT_IN_THIS_REVISION`, `CAPABILITY_NOT_SUPPORTED`
 */
export function listTasks(client: Client, options: SendOptions = {}): Promise<Task[]> {
  return clientTasksOf(client).list(options);
}
