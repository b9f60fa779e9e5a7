import type { Principal } from "../../transport/principal.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { TaskStoreError } from "../task-store-error.js";

/** How many tasks a store keeps. Tasks that have ended count until they expire or are deleted. */
export interface TaskLimits {
  /** The most tasks. Default: `10_000`. */
  readonly maxTasks?: number;
  /** The most tasks of one principal; tasks without an owner count only for `maxTasks`. Default: `1_000`. */
  readonly maxTasksPerOwner?: number;
}

/**
 * Adds the defaults.
 * @throws SdkError `INVALID_CONFIGURATION` when a limit is not a number above 0
 */
export function taskLimits({ maxTasks = 10_000, maxTasksPerOwner = 1_000 }: TaskLimits): Required<TaskLimits> {
  for (const [name, value] of Object.entries({ maxTasks, maxTasksPerOwner }))
    if (!(value >= 1)) throw new SdkError("INVALID_CONFIGURATION", `${name} must be 1 or more, not ${value}`);
  return { maxTasks, maxTasksPerOwner };
}

/**
 * Returns why there is no room for one more task; undefined when there is.
 * @param count the tasks of the store
 * @param countOfOwner the tasks of the owner
 */
export function roomProblem(
  { maxTasks, maxTasksPerOwner }: Required<TaskLimits>,
  owner: Principal | null,
  count: number,
  countOfOwner: number,
): TaskStoreError | undefined {
  if (owner && countOfOwner >= maxTasksPerOwner)
    return new TaskStoreError(
      "too-many-tasks-of-owner",
      `cannot create a task: the principal has ${countOfOwner} tasks, and maxTasksPerOwner is ${maxTasksPerOwner}; wait until one expires`,
    );
  if (count >= maxTasks)
    return new TaskStoreError(
      "too-many-tasks",
      `cannot create a task: the store has ${count} tasks, and maxTasks is ${maxTasks}; wait until one expires, or raise the limit`,
    );
  return undefined;
}

export function idInUse(): TaskStoreError {
  return new TaskStoreError("task-exists", "cannot create a task: its id is in use");
}
