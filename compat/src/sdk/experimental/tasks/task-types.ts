import type {
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Request,
  RequestId,
  Result,
  Task,
} from "../../messages.js";

export type { Task, TaskStatus } from "../../messages.js";

/** How long the peer should keep a task, in milliseconds, and how often it may be looked at. */
export interface TaskCreationParams {
  ttl?: number | null | undefined;
  pollInterval?: number | undefined;
}

export interface RelatedTaskMetadata {
  taskId: string;
}

export interface CreateTaskOptions {
  /** Milliseconds that the task is kept; null for no limit. */
  ttl?: number | null | undefined;
  /** Milliseconds between two looks at the task. */
  pollInterval?: number | undefined;
  context?: Record<string, unknown> | undefined;
}

/** Keeps tasks and their results. The id of a session binds a task to it. */
export interface TaskStore {
  createTask(taskParams: CreateTaskOptions, requestId: RequestId, request: Request, sessionId?: string): Promise<Task>;
  getTask(taskId: string, sessionId?: string): Promise<Task | null>;
  storeTaskResult(taskId: string, status: "completed" | "failed", result: Result, sessionId?: string): Promise<void>;
  getTaskResult(taskId: string, sessionId?: string): Promise<Result>;
  updateTaskStatus(taskId: string, status: Task["status"], statusMessage?: string, sessionId?: string): Promise<void>;
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string | undefined }>;
}

/** A `TaskStore` for one request, which notifies the peer of changes. */
export interface RequestTaskStore {
  createTask(taskParams: CreateTaskOptions): Promise<Task>;
  /** @throws McpError when there is no such task */
  getTask(taskId: string): Promise<Task>;
  storeTaskResult(taskId: string, status: "completed" | "failed", result: Result): Promise<void>;
  getTaskResult(taskId: string): Promise<Result>;
  /** @throws McpError when there is no such task, or it has ended */
  updateTaskStatus(taskId: string, status: Task["status"], statusMessage?: string): Promise<void>;
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string | undefined }>;
}

export interface BaseQueuedMessage {
  type: string;
  timestamp: number;
}
export interface QueuedRequest extends BaseQueuedMessage {
  type: "request";
  message: JSONRPCRequest;
}
export interface QueuedNotification extends BaseQueuedMessage {
  type: "notification";
  message: JSONRPCNotification;
}
export interface QueuedResponse extends BaseQueuedMessage {
  type: "response";
  message: JSONRPCResultResponse;
}
export interface QueuedError extends BaseQueuedMessage {
  type: "error";
  message: JSONRPCErrorResponse;
}
export type QueuedMessage = QueuedRequest | QueuedNotification | QueuedResponse | QueuedError;

/** Keeps the messages of a task until the peer asks for its result. */
export interface TaskMessageQueue {
  /** @throws Error when the queue of the task is full */
  enqueue(taskId: string, message: QueuedMessage, sessionId?: string, maxSize?: number): Promise<void>;
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>;
  dequeueAll(taskId: string, sessionId?: string): Promise<QueuedMessage[]>;
}

/** Whether a task has ended. */
export function isTerminal(status: Task["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
