import type { Notification, Request, RequestId } from "../../messages.js";
import { ErrorCode, McpError } from "../../errors.js";
import {
  isTerminal,
  type QueuedMessage,
  type RequestTaskStore,
  type Task,
  type TaskMessageQueue,
  type TaskStore,
} from "./task-types.js";

/** What tasks need of their server or client. */
export interface TaskHost {
  readonly transport: { readonly sessionId?: string | undefined } | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** Sends a message of a task on the stream of the request for its result. */
  deliver(message: Request | Notification, isRequest: boolean, relatedRequestId: RequestId): Promise<unknown>;
  notification(notification: Notification): Promise<void>;
}

export interface ProtocolTasksOptions {
  readonly taskMessageQueue?: TaskMessageQueue | undefined;
  readonly defaultTaskPollInterval?: number | undefined;
  readonly maxTaskQueueSize?: number | undefined;
}

interface TaskRequest {
  readonly requestId: RequestId;
  readonly method: string;
  readonly params?: Record<string, unknown> | undefined;
  readonly signal: AbortSignal;
}

interface TaskExtra {
  readonly sessionId?: string | undefined;
}

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type AddHandler = (method: string, handler: (request: TaskRequest, extra: TaskExtra) => Promise<object>) => void;

/** The requests about tasks, and the messages of tasks that wait for the peer to ask for the result. */
export class ProtocolTasks {
  #ids = 0;
  readonly #waiters = new Map<RequestId, Waiter>();

  constructor(
    readonly store: TaskStore,
    readonly options: ProtocolTasksOptions,
    readonly host: TaskHost,
  ) {}

  install(add: AddHandler): void {
    const idOf = ({ params }: TaskRequest): string => params?.["taskId"] as string;
    add("tasks/get", async (request, { sessionId }) => ({ ...(await this.#get(idOf(request), sessionId)) }));
    add("tasks/result", (request, { sessionId }) => this.#result(request, idOf(request), sessionId));
    add("tasks/list", async ({ params }, { sessionId }) => {
      try {
        const { tasks, nextCursor } = await this.store.listTasks(params?.["cursor"] as string | undefined, sessionId);
        return { tasks, ...(nextCursor !== undefined && { nextCursor }), _meta: {} };
      } catch (error) {
        throw new McpError(ErrorCode.InvalidParams, `Failed to list tasks: ${messageOf(error)}`);
      }
    });
    add("tasks/cancel", (request, { sessionId }) => this.#cancel(idOf(request), sessionId));
  }

  async #get(taskId: string, sessionId: string | undefined): Promise<Task> {
    const task = await this.store.getTask(taskId, sessionId);
    if (!task) throw new McpError(ErrorCode.InvalidParams, "Failed to retrieve task: Task not found");
    return task;
  }

  async #find(taskId: string, sessionId: string | undefined): Promise<Task> {
    const task = await this.store.getTask(taskId, sessionId);
    if (!task) throw new McpError(ErrorCode.InvalidParams, `Task not found: ${taskId}`);
    return task;
  }

  /** Delivers the messages of a task until it has ended, then its result. */
  async #result(request: TaskRequest, taskId: string, sessionId: string | undefined): Promise<object> {
    await this.#find(taskId, sessionId);
    for (;;) {
      await this.#deliverQueued(request, taskId, sessionId);
      const task = await this.#find(taskId, sessionId);
      if (isTerminal(task.status)) break;
      await this.#pause(task, request.signal);
    }
    const result = await this.store.getTaskResult(taskId, sessionId);
    await this.#clearQueue(taskId, sessionId);
    return { ...result, _meta: { ...result._meta, "io.modelcontextprotocol/related-task": { taskId } } };
  }

  async #deliverQueued(request: TaskRequest, taskId: string, sessionId: string | undefined): Promise<void> {
    const queue = this.options.taskMessageQueue;
    let queued: QueuedMessage | undefined;
    while ((queued = await queue?.dequeue(taskId, sessionId))) {
      const { message } = queued;
      if (!("method" in message)) continue;
      const isRequest = queued.type === "request";
      const { method, params } = message;
      const sent = this.host.deliver({ method, ...(params && { params }) }, isRequest, request.requestId);
      const waiter = isRequest ? this.#take((message as { readonly id: RequestId }).id) : undefined;
      sent.then(
        (result) => waiter?.resolve(result),
        (error: unknown) => (waiter ? waiter.reject(error) : this.host.onerror?.(error as Error)),
      );
    }
  }

  #take(id: RequestId): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    return waiter;
  }

  #pause({ pollInterval }: Task, signal: AbortSignal): Promise<void> {
    const interval = pollInterval ?? this.options.defaultTaskPollInterval ?? 1_000;
    return new Promise((resolve, reject) => {
      const cancelled = (): void => {
        clearTimeout(timer);
        reject(new McpError(ErrorCode.InvalidRequest, "Request cancelled"));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", cancelled);
        resolve();
      }, interval);
      if (signal.aborted) cancelled();
      else signal.addEventListener("abort", cancelled, { once: true });
    });
  }

  async #cancel(taskId: string, sessionId: string | undefined): Promise<object> {
    try {
      const { status } = await this.#find(taskId, sessionId);
      if (isTerminal(status))
        throw new McpError(ErrorCode.InvalidParams, `Cannot cancel task in terminal status: ${status}`);
      await this.store.updateTaskStatus(taskId, "cancelled", "Client cancelled task execution.", sessionId);
      await this.#clearQueue(taskId, sessionId);
      const cancelled = await this.store.getTask(taskId, sessionId);
      if (!cancelled) throw new McpError(ErrorCode.InvalidParams, `Task not found after cancellation: ${taskId}`);
      return { _meta: {}, ...cancelled };
    } catch (error) {
      if (error instanceof McpError) throw error;
      throw new McpError(ErrorCode.InvalidRequest, `Failed to cancel task: ${messageOf(error)}`);
    }
  }

  /** Discards the messages of a task; requests among them fail. */
  async #clearQueue(taskId: string, sessionId: string | undefined): Promise<void> {
    for (const { type, message } of (await this.options.taskMessageQueue?.dequeueAll(taskId, sessionId)) ?? [])
      if (type === "request")
        this.#take(message.id)?.reject(new McpError(ErrorCode.InternalError, "Task cancelled or completed"));
  }

  /** Keeps a request of a task until the peer asks for the result, and waits for the response. */
  request(
    taskId: string,
    request: { method: string; params: Record<string, unknown> },
    options: {
      readonly timeout?: number | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<unknown> {
    const id = `task-${++this.#ids}`;
    const { timeout = 60_000, signal } = options;
    return new Promise((resolve, reject) => {
      const aborted = (): void => fail(signal?.reason);
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
        this.#waiters.delete(id);
      };
      const fail = (error: unknown): void => {
        end();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const timer = setTimeout(
        () => fail(new McpError(ErrorCode.RequestTimeout, "Request timed out", { timeout })),
        timeout,
      );
      if (signal?.aborted) return aborted();
      signal?.addEventListener("abort", aborted, { once: true });
      const succeed = (result: unknown): void => {
        end();
        resolve(result);
      };
      this.#waiters.set(id, { resolve: succeed, reject: fail });
      this.#enqueue(taskId, {
        type: "request",
        message: { jsonrpc: "2.0", id, ...request },
        timestamp: Date.now(),
      }).catch(fail);
    });
  }

  notify(taskId: string, notification: Notification): Promise<void> {
    const message = { jsonrpc: "2.0" as const, ...notification };
    return this.#enqueue(taskId, { type: "notification", message, timestamp: Date.now() });
  }

  async #enqueue(taskId: string, message: QueuedMessage): Promise<void> {
    const { taskMessageQueue, maxTaskQueueSize } = this.options;
    if (!taskMessageQueue)
      throw new Error("Cannot enqueue task message: taskStore and taskMessageQueue are not configured");
    await taskMessageQueue.enqueue(taskId, message, this.host.transport?.sessionId, maxTaskQueueSize);
  }

  /** The store for the handler of a request. */
  forRequest({ requestId, method, params }: TaskRequest, sessionId: string | undefined): RequestTaskStore {
    const { store } = this;
    const changed = async (taskId: string): Promise<void> => {
      const task = await store.getTask(taskId, sessionId);
      if (task) await this.host.notification({ method: "notifications/tasks/status", params: { ...task } });
    };
    return {
      createTask: (options) => store.createTask(options, requestId, { method, ...(params && { params }) }, sessionId),
      getTask: (taskId) => this.#get(taskId, sessionId),
      storeTaskResult: async (taskId, status, result) => {
        await store.storeTaskResult(taskId, status, result, sessionId);
        await changed(taskId);
      },
      getTaskResult: (taskId) => store.getTaskResult(taskId, sessionId),
      updateTaskStatus: async (taskId, status, statusMessage) => {
        const task = await store.getTask(taskId, sessionId);
        if (!task)
          throw new McpError(ErrorCode.InvalidParams, `Task "${taskId}" not found - it may have been cleaned up`);
        if (isTerminal(task.status))
          throw new McpError(
            ErrorCode.InvalidParams,
            `Cannot update task "${taskId}" from terminal status "${task.status}" to "${status}". Terminal states (completed, failed, cancelled) cannot transition to other states.`,
          );
        await store.updateTaskStatus(taskId, status, statusMessage, sessionId);
        await changed(taskId);
      },
      listTasks: (cursor) => store.listTasks(cursor, sessionId),
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
