// The facts of the Tasks extension (io.modelcontextprotocol/tasks), in our own words.
import type {
  Error as JSONRPCErrorObject,
  InputRequests,
  InputResponses,
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  Result,
} from "./spec.types.js";

/** How far a task has come. `completed`, `failed` and `cancelled` are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The members that every view of a task has. */
export interface Task {
  /** The id that the server chose. Without authentication, it is the only protection of the task, so it must be unguessable. */
  taskId: string;

  status: TaskStatus;

  /** Text for people or models about the current status. */
  statusMessage?: string;

  /** When the server created the task, in ISO 8601. */
  createdAt: string;

  /** When the task last changed, in ISO 8601. */
  lastUpdatedAt: string;

  /**
   * How long the server keeps the task, in milliseconds from its creation; null for no limit. It may change while the task exists.
   * @format int
   * @nullable
   */
  ttlMs: number | null;

  /**
   * The pause that the server suggests between two polls, in milliseconds. It may change while the task exists.
   * @format int
   */
  pollIntervalMs?: number;
}

/** A task whose request is being processed. */
export interface WorkingTask extends Task {
  status: "working";
}

/** A task that cannot go on without responses of the client. */
export interface InputRequiredTask extends Task {
  status: "input_required";

  /** All input requests without a response, by keys that are unique for the life of the task. */
  inputRequests: InputRequests;
}

/** A task whose request has a result. */
export interface CompletedTask extends Task {
  status: "completed";

  /** The result, as the request would have returned it without a task. */
  result: { [key: string]: unknown };
}

/** A task whose request ended with a JSON-RPC error. */
export interface FailedTask extends Task {
  status: "failed";

  /** The error, as the request would have returned it without a task. */
  error: JSONRPCErrorObject;
}

/** A task that was cancelled before its request had a result. */
export interface CancelledTask extends Task {
  status: "cancelled";
}

/** A task with the members that its status adds; compare `status` to narrow the type. */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/** The result of a request that the server processes as a task. */
export type CreateTaskResult = Result &
  Task & {
    /** Identifies this result. */
    resultType: "task";
  };

/** Asks for the current state of a task. */
export type GetTaskRequest = JSONRPCRequest & {
  method: "tasks/get";
  params: {
    taskId: string;
  };
};

/** The current state of a task. */
export type GetTaskResult = Result &
  DetailedTask & {
    resultType: "complete";
  };

/** Sends responses to input requests of a task. */
export type UpdateTaskRequest = JSONRPCRequest & {
  method: "tasks/update";
  params: {
    taskId: string;

    /** Responses by the keys of their input requests. The server ignores other keys. */
    inputResponses: InputResponses;
  };
};

/** Acknowledges the responses; the task may change later. */
export type UpdateTaskResult = Result & {
  resultType: "complete";
};

/** Asks the server to cancel a task. */
export type CancelTaskRequest = JSONRPCRequest & {
  method: "tasks/cancel";
  params: {
    taskId: string;
  };
};

/** Acknowledges the request; the task may still end in another way. */
export type CancelTaskResult = Result & {
  resultType: "complete";
};

/** The state of a task that has changed. */
export type TaskStatusNotificationParams = NotificationParams & DetailedTask & { [key: string]: unknown };

/** Reports that a task has changed. Sent only on listen streams that named the task. */
export type TaskStatusNotification = JSONRPCNotification & {
  method: "notifications/tasks";
  params: TaskStatusNotificationParams;
};

/** The member that the extension adds to the filter of a listen stream. */
export interface TaskSubscriptionNotifications {
  /** The tasks whose changes the client wants to receive. */
  taskIds?: string[];
}

/** The member that the extension adds to the acknowledgement of a listen stream. */
export interface TaskSubscriptionAcknowledgedNotifications {
  /** The tasks whose changes the server will send. */
  taskIds?: string[];
}

/** The settings of both sides: there are none. */
export type TasksExtensionCapability = Record<string, never>;
