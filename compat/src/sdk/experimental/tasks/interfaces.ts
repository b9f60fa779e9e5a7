import type {
  CallToolResult,
  CreateTaskResult,
  GetTaskResult,
  Notification,
  Request,
  Result,
  ToolExecution,
} from "../../messages.js";
import type { RequestHandlerExtra } from "../../shared/protocol.js";
import type { AnySchema, ShapeOutput, ZodRawShapeCompat } from "../../server/zod-compat.js";
import type { RequestTaskStore } from "./task-types.js";

export * from "./task-types.js";

export type { CreateTaskResult, GetTaskResult } from "../../messages.js";

type Extra = RequestHandlerExtra<Request, Notification>;

export interface CreateTaskRequestHandlerExtra extends Extra {
  taskStore: RequestTaskStore;
}

export interface TaskRequestHandlerExtra extends Extra {
  taskId: string;
  taskStore: RequestTaskStore;
}

export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends Extra,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : Args extends AnySchema
    ? (args: unknown, extra: ExtraT) => SendResultT | Promise<SendResultT>
    : (extra: ExtraT) => SendResultT | Promise<SendResultT>;

export type CreateTaskRequestHandler<
  SendResultT extends Result,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = BaseToolCallback<SendResultT, CreateTaskRequestHandlerExtra, Args>;

export type TaskRequestHandler<
  SendResultT extends Result,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = BaseToolCallback<SendResultT, TaskRequestHandlerExtra, Args>;

/** The callbacks of a tool that runs as a task. */
export interface ToolTaskHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> {
  createTask: CreateTaskRequestHandler<CreateTaskResult, Args>;
  getTask: TaskRequestHandler<GetTaskResult, Args>;
  getTaskResult: TaskRequestHandler<CallToolResult, Args>;
}

/** Whether calls of a tool must, or can, run as tasks. */
export type TaskToolExecution<TaskSupport = ToolExecution["taskSupport"]> = Omit<ToolExecution, "taskSupport"> & {
  taskSupport: TaskSupport extends "forbidden" | undefined ? never : TaskSupport;
};
