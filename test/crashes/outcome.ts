import type { TaskRecord } from "../../runtime/src/tasks/task-record.js";

/** What happened in a test. */
export interface Outcome {
  readonly kills: number;
  /** The tasks by status. */
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** How often tasks were claimed from dead processes. */
  readonly claimed: number;
  /** What must not happen, in words. */
  readonly problems: readonly string[];
}

export function outcomeOf(kills: number, tasks: readonly TaskRecord[], problems: readonly string[]): Outcome {
  const count = (status: string): number => tasks.filter((task) => task.status === status).length;
  const claimed = tasks.reduce((sum, { attempts }) => sum + attempts - 1, 0);
  return {
    kills,
    completed: count("completed"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    claimed,
    problems,
  };
}
