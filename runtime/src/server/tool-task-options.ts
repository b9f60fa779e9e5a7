/**
 * Whether calls of a tool can run as tasks. `optional`: as a task where the client supports that, otherwise as a plain call. `required`: only
 * as a task; other clients of revisions with tasks receive an error.
 */
export type TaskSupport = "optional" | "required";

/** How calls of one tool run as tasks. */
export interface ToolTaskOptions {
  readonly support: TaskSupport;
  /**
   * Whether the tool may run again from its arguments when the process that runs it has died. It may then run several times, so this is only for
   * tools that can be repeated. Default: `false`, which ends such tasks as `failed`.
   */
  readonly restartable?: boolean;
  /** Milliseconds that a task is kept, from its creation; null for no limit. Default: the option of `tasks()`. */
  readonly ttlMs?: number | null;
  /** Milliseconds that clients should wait between two polls. Default: the option of `tasks()`. */
  readonly pollIntervalMs?: number;
  /**
   * Text that the client's model may receive as the result of the tool while the task goes on. Only clients of 2025-11-25 receive it (tasks:
   * creating tasks; provisional).
   */
  readonly immediateResponse?: string;
}
