import type { Request, RequestId, Result } from "../../../messages.js";
import {
  type CreateTaskOptions,
  isTerminal,
  type QueuedMessage,
  type Task,
  type TaskMessageQueue,
  type TaskStore,
} from "../task-types.js";

interface Stored {
  readonly task: Task;
  readonly request: Request;
  readonly requestId: RequestId;
  readonly sessionId: string | undefined;
  readonly result?: Result;
}

const pageSize = 10;

/** Keeps tasks in the memory of this process. */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, Stored>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  createTask(taskParams: CreateTaskOptions, requestId: RequestId, request: Request, sessionId?: string): Promise<Task> {
    const taskId = crypto.randomUUID().replaceAll("-", "");
    const createdAt = new Date(Date.now()).toISOString();
    const { ttl = null, pollInterval = 1_000 } = taskParams;
    const task: Task = { taskId, status: "working", ttl, createdAt, lastUpdatedAt: createdAt, pollInterval };
    this.#tasks.set(taskId, { task, request, requestId, sessionId });
    this.#forgetLater(task);
    return Promise.resolve(task);
  }

  /** The time to live begins again when the task ends. */
  #forgetLater({ taskId, ttl }: Task): void {
    clearTimeout(this.#timers.get(taskId));
    if (!ttl) return;
    const forget = (): void => {
      this.#tasks.delete(taskId);
      this.#timers.delete(taskId);
    };
    const timer: { unref?: () => unknown } | number = setTimeout(forget, ttl);
    if (typeof timer === "object") timer.unref?.();
    this.#timers.set(taskId, timer as ReturnType<typeof setTimeout>);
  }

  #find(taskId: string, sessionId: string | undefined): Stored | undefined {
    const stored = this.#tasks.get(taskId);
    const isForeign = sessionId !== undefined && stored?.sessionId !== undefined && stored.sessionId !== sessionId;
    return isForeign ? undefined : stored;
  }

  #get(taskId: string, sessionId: string | undefined): Stored {
    const stored = this.#find(taskId, sessionId);
    if (!stored) throw new Error(`Task with ID ${taskId} not found`);
    return stored;
  }

  #change(stored: Stored, changes: Partial<Task>, result?: Result): void {
    const task = { ...stored.task, ...changes, lastUpdatedAt: new Date(Date.now()).toISOString() };
    this.#tasks.set(task.taskId, { ...stored, task, ...(result && { result }) });
    if (isTerminal(task.status)) this.#forgetLater(task);
  }

  getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    const stored = this.#find(taskId, sessionId);
    return Promise.resolve(stored ? { ...stored.task } : null);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async storeTaskResult(
    taskId: string,
    status: "completed" | "failed",
    result: Result,
    sessionId?: string,
  ): Promise<void> {
    const stored = this.#get(taskId, sessionId);
    if (isTerminal(stored.task.status))
      throw new Error(
        `Cannot store result for task ${taskId} in terminal status '${stored.task.status}'. Task results can only be stored once.`,
      );
    this.#change(stored, { status }, result);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    const { result } = this.#get(taskId, sessionId);
    if (!result) throw new Error(`Task ${taskId} has no result stored`);
    return result;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async updateTaskStatus(
    taskId: string,
    status: Task["status"],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void> {
    const stored = this.#get(taskId, sessionId);
    if (isTerminal(stored.task.status))
      throw new Error(
        `Cannot update task ${taskId} from terminal status '${stored.task.status}' to '${status}'. Terminal states (completed, failed, cancelled) cannot transition to other states.`,
      );
    this.#change(stored, { status, ...(statusMessage && { statusMessage }) });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const ids = [...this.#tasks.keys()].filter((taskId) => this.#find(taskId, sessionId));
    const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    if (cursor !== undefined && start === 0) throw new Error(`Invalid cursor: ${cursor}`);
    const page = ids.slice(start, start + pageSize);
    const last = page.at(-1);
    const tasks = page.map((taskId) => ({ ...this.#get(taskId, sessionId).task }));
    return { tasks, ...(last !== undefined && start + pageSize < ids.length && { nextCursor: last }) };
  }

  /** Forgets all tasks. */
  cleanup(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#tasks.clear();
  }

  getAllTasks(): Task[] {
    return [...this.#tasks.values()].map(({ task }) => ({ ...task }));
  }
}

/** Keeps the messages of tasks in the memory of this process. */
export class InMemoryTaskMessageQueue implements TaskMessageQueue {
  readonly #queues = new Map<string, QueuedMessage[]>();

  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async enqueue(taskId: string, message: QueuedMessage, _sessionId?: string, maxSize?: number): Promise<void> {
    const queue = this.#queues.get(taskId) ?? [];
    if (maxSize !== undefined && queue.length >= maxSize)
      throw new Error(`Task message queue overflow: queue size (${queue.length}) exceeds maximum (${maxSize})`);
    queue.push(message);
    this.#queues.set(taskId, queue);
  }

  dequeue(taskId: string, _sessionId?: string): Promise<QueuedMessage | undefined> {
    const queue = this.#queues.get(taskId);
    const first = queue?.shift();
    if (queue?.length === 0) this.#queues.delete(taskId);
    return Promise.resolve(first);
  }

  dequeueAll(taskId: string, _sessionId?: string): Promise<QueuedMessage[]> {
    const queue = this.#queues.get(taskId) ?? [];
    this.#queues.delete(taskId);
    return Promise.resolve(queue);
  }
}
