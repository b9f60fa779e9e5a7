import {
  META_MODEL_IMMEDIATE_RESPONSE,
  META_RELATED_TASK,
  NOTIFICATIONS_PROGRESS,
  NOTIFICATIONS_TASKS_STATUS,
  TASKS_LIST,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { CallToolOptions, Task } from "../../client/call-tool-options.js";
import type { ClientMessages } from "./client-messages.js";
import type { SendOptions } from "../../client/send-options.js";
import { missingCapability } from "../../connection/capability.js";
import { callHook } from "../../connection/error-reporting.js";
import { ErrorCode, RemoteError, SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { Meta } from "../../jsonrpc/message-types.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { ClientTaskPort } from "./client-task-port.js";
import { isUnknownTask } from "./poll-failure.js";
import { PushedStates } from "./pushed-states.js";
import { readTask } from "./read-task.js";
import { taskNotFound } from "./task-error.js";
import type { TaskPort } from "./task-port.js";
import type { TaskState } from "./task-state.js";
import { TaskWatch } from "./task-watch.js";
import { withRelatedTask } from "./related-task.js";
import { ToolTaskSupport } from "./tool-task-support.js";

type Params = Readonly<Record<string, unknown>>;
type Result = Record<string, unknown>;

/** Options of a call whose caller has a handle of the task. */
export interface WatchedCallOptions extends CallToolOptions {
  /** Called before the first poll. */
  readonly onWatch?: (watch: TaskWatch) => void;
}

type ProgressListener = NonNullable<SendOptions["onProgress"]>;
type Progress = Parameters<ProgressListener>[0] & { readonly _meta?: Meta };

const known = /* @__PURE__ */ new WeakMap<object, ClientTasks>();

/** @throws SdkError `INVALID_CONFIGURATION` when the client does not have the extension */
export function clientTasksOf(client: object): ClientTasks {
  const tasks = known.get(client);
  if (tasks) return tasks;
  throw new SdkError("INVALID_CONFIGURATION", "to use tasks, create the client with the option extensions: [tasks()]");
}

/** The tasks of one client: calls tools, and follows the tasks with which servers respond. */
export class ClientTasks {
  readonly pushed: PushedStates;
  readonly #support: ToolTaskSupport;
  /** What receives the progress of each task. */
  readonly #progress = new Map<string, ProgressListener>();

  constructor(readonly messages: ClientMessages) {
    const { client, internals } = messages;
    this.pushed = new PushedStates(messages);
    this.#support = new ToolTaskSupport(messages);
    known.set(client, this);
    internals.requests.interceptors.set(TOOLS_CALL, (params = {}, options = {}, send) =>
      this.#call(params as Params, options, send),
    );
    internals.requests.interceptHandlers(async (params, context, run) =>
      withRelatedTask(await run(context), params["_meta"] as Meta | undefined),
    );
    internals.dispatchTable.add({
      [NOTIFICATIONS_TASKS_STATUS]: (params: object) => this.pushed.deliver(params),
      // The response that creates the task may have been received at the same time: its handling comes first.
      [NOTIFICATIONS_PROGRESS]: (params: Progress) => void setTimeout(() => this.#deliverProgress(params), 0),
    });
  }

  /** Creates a watch of a task that exists. */
  watch(first: TaskState, options: SendOptions, params?: Params): TaskWatch {
    return new TaskWatch(this.port(first.task.taskId, options, params), first);
  }

  port(taskId: string, { timeoutMs }: SendOptions, params?: Params): ClientTaskPort {
    const limits = timeoutMs === undefined ? {} : { timeoutMs };
    return new ClientTaskPort(this.messages, this.pushed, taskId, limits, params);
  }

  /** @throws TaskError `TASK_NOT_FOUND` */
  async get(taskId: string, options: SendOptions): Promise<TaskState> {
    const { signal = new AbortController().signal } = options;
    try {
      return await this.port(taskId, options).get({ signal });
    } catch (error) {
      throw isUnknownTask(error) ? taskNotFound(taskId, error) : error;
    }
  }

  /** Returns all tasks of all pages. */
  async list(options: SendOptions): Promise<Task[]> {
    const tasks: Task[] = [];
    let cursor: unknown;
    do {
      const page = await this.messages.send(TASKS_LIST, cursor === undefined ? {} : { cursor }, options);
      for (const one of page["tasks"] as readonly object[]) tasks.push(readTask(one).task);
      if (page["nextCursor"] === cursor) break;
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    return tasks;
  }

  async #call(
    params: Params,
    options: CallToolOptions,
    send: (params: object, options: SendOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const startedAt = performance.now();
    const asked = await this.#withTask(params, options);
    const { onProgress } = options;
    // Progress of the task continues that of the call.
    if (onProgress) options = { ...options, onProgress: increasing(onProgress) };
    const outcome = await send(asked, options).catch(async (error: unknown) => {
      // The tool may require a task now, or no longer accept one.
      if (!(error instanceof RemoteError) || error.code !== ErrorCode.MethodNotFound) throw error;
      const again = await this.#withTask(params, options, true);
      if ((again === params) === (asked === params)) throw error;
      return send(again, options);
    });
    const { task = outcome, resultType, _meta } = outcome as Result;
    if (resultType !== "task" && task === outcome) return outcome;
    const state = readTask(task as object);
    const immediate = isObject(_meta) ? _meta[META_MODEL_IMMEDIATE_RESPONSE] : undefined;
    const first = typeof immediate === "string" ? { ...state.task, immediateResponse: immediate } : state.task;
    return this.follow(this.watch({ ...state, task: first }, options, params), options, startedAt);
  }

  /** Asks for a task, where clients ask, the server allows it, and the tool requires it or the caller wants it. */
  async #withTask(params: Params, { task }: CallToolOptions, isOutdated = false): Promise<Params> {
    const { side, negotiated } = this.messages.connection;
    const row = side.receives.results[TOOLS_CALL];
    const member = row?.alternative?.onlyWith;
    if (!row || member === undefined) return params;
    const asked = { ...params, [member]: isObject(task) && task.ttlMs !== undefined ? { ttl: task.ttlMs } : {} };
    if (missingCapability(row, asked, "server", negotiated?.serverCapabilities)) return params;
    const support = await this.#support.of(params["name"] as string, isOutdated);
    return support === "required" || (support === "optional" && task) ? asked : params;
  }

  /** Waits for the end of a task. Cancels it when the caller no longer wants its result. */
  async follow(watch: TaskWatch, options: WatchedCallOptions, startedAt = performance.now()): Promise<Result> {
    const { signal, maxTotalMs, onTask, onStatus, onWatch, onProgress } = options;
    const { taskId } = watch.task;
    const stop = (): void => watch.stop(signal?.reason);
    const late = (): void =>
      watch.stop(new SdkError("REQUEST_TIMEOUT", "the task did not end in time", { maxTotalMs }));
    const left = startedAt + (maxTotalMs ?? Infinity) - performance.now();
    const timer = maxTotalMs === undefined ? undefined : setTimeout(late, timerDelay(Math.max(0, left)));
    signal?.addEventListener("abort", stop);
    if (onProgress) this.#progress.set(taskId, onProgress);
    if (onStatus) watch.onChange((task: Task | undefined) => task && onStatus(task));
    try {
      if (signal?.aborted) stop();
      await Promise.race([watch.result, onTask?.(watch.task)]);
      onWatch?.(watch);
      return await watch.start().result;
    } catch (error) {
      watch.stop(error);
      if (!watch.hasEnded && !watch.isLost) this.#cancel(watch.port);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      if (this.#progress.get(taskId) === onProgress) this.#progress.delete(taskId);
    }
  }

  /** Progress of a task arrives after the response to its call (MCP 2025-11-25, tasks: task progress notifications). */
  #deliverProgress({ _meta, progress, total, message }: Progress): void {
    const related = _meta?.[META_RELATED_TASK];
    const listener = isObject(related) ? this.#progress.get(related["taskId"] as string) : undefined;
    const report = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    callHook(
      () => listener?.(report),
      (error) => this.messages.report(error),
    );
  }

  #cancel(port: TaskPort): void {
    port.cancel().catch((error: unknown) => {
      // The task has ended in the meantime.
      if (!isUnknownTask(error)) this.messages.report(error);
    });
  }
}

/** Passes on only progress that increases. */
function increasing(listener: ProgressListener): ProgressListener {
  let last = -Infinity;
  return (report) => {
    if (!(report.progress > last)) return;
    last = report.progress;
    return listener(report);
  };
}
