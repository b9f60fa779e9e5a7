import type { SendOptions } from "./send-options.js";

/** A task of a server, in one shape for all revisions. */
export interface Task {
  readonly taskId: string;
  /** The last three are final. */
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  /** A description of the state for users. */
  readonly statusMessage?: string;
  /** ISO 8601, by the clock of the server. */
  readonly createdAt: string;
  /** ISO 8601, by the clock of the server. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from the creation, after which the server may delete the task; null for never. */
  readonly ttlMs: number | null;
  /** Milliseconds to wait between two polls. */
  readonly pollIntervalMs?: number;
  /**
   * Only of a new task: text that the model may receive as the result of the tool while the task goes on, if the server has sent some
   * (MCP 2025-11-25, tasks: creating tasks; provisional).
   */
  readonly immediateResponse?: string;
}

/**
 * Options of a call that may run as a task on the server. They need `tasks()` of `@mcpwright/runtime/tasks/client` in the
 * option `extensions` of the client.
 *
 * With tasks, `timeoutMs` is the limit of each message, and `maxTotalMs` that of the whole call (default: none). When the call is
 * aborted or takes too long, the task is cancelled.
 */
export interface CallToolOptions extends SendOptions {
  /**
   * Whether to ask for a task, in revisions where the client asks. In others the server decides for each call. Default: only tools
   * that require a task run as one.
   */
  readonly task?: boolean | { readonly ttlMs?: number };
  /**
   * Called with the new task before its first poll, and awaited: store its id here to resume the task after a restart. When it throws or
   * rejects, the task is cancelled, and the call rejects with the same error.
   */
  readonly onTask?: (task: Task) => unknown;
  /** Called with the new task, and with each change of its status or of its message. */
  readonly onStatus?: (task: Task) => unknown;
}
