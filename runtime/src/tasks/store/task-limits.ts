import { SdkError } from "../../jsonrpc/errors.js";
import { TaskStoreError } from "../task-store-error.js";

/** How much a store keeps. Tasks that have ended count until they expire or are deleted. */
export interface TaskLimits {
  /** The most tasks. Default: `10_000`. */
  readonly maxTasks?: number;
  /** The most tasks of one principal; tasks without an owner count only for `maxTasks`. Default: `1_000`. */
  readonly maxTasksPerOwner?: number;
  /** The most characters of all tasks, with their requests and results, as JSON. Default: `2 ** 28`. */
  readonly maxSize?: number;
  /** The most characters of the tasks of one principal. Default: `2 ** 26`. */
  readonly maxSizePerOwner?: number;
}

/** What tasks take. */
export interface TaskUsage {
  readonly tasks: number;
  /** Characters of their JSON. */
  readonly size: number;
}

/** A task with a smaller record can always change, so that a full store can still end its tasks with an error. */
export const smallRecord = 4_096;

/**
 * Adds the defaults.
 * @throws SdkError `INVALID_CONFIGURATION` when a limit is not a number above 0
 */
export function taskLimits(given: TaskLimits): Required<TaskLimits> {
  const { maxTasks = 10_000, maxTasksPerOwner = 1_000, maxSize = 2 ** 28, maxSizePerOwner = 2 ** 26 } = given;
  const limits = { maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner };
  for (const [name, value] of Object.entries(limits))
    if (!(value >= 1)) throw new SdkError("INVALID_CONFIGURATION", `${name} must be 1 or more, not ${value}`);
  return limits;
}

/**
 * Returns why there is no room; undefined when there is.
 * @param added what is to be stored
 * @param used by all tasks
 * @param usedByOwner by the tasks of the owner; undefined for tasks without an owner
 */
export function roomProblem(
  limits: Required<TaskLimits>,
  added: TaskUsage,
  used: TaskUsage,
  usedByOwner: TaskUsage | undefined,
): TaskStoreError | undefined {
  const { maxTasks, maxTasksPerOwner, maxSize, maxSizePerOwner } = limits;
  const problem = (reason: "too-many-tasks" | "too-many-tasks-of-owner" | "full", limit: string): TaskStoreError =>
    new TaskStoreError(reason, `cannot store a task: ${limit} is reached; wait until tasks expire, or raise it`);
  if (usedByOwner && usedByOwner.tasks + added.tasks > maxTasksPerOwner)
    return problem("too-many-tasks-of-owner", `maxTasksPerOwner (${maxTasksPerOwner})`);
  if (used.tasks + added.tasks > maxTasks) return problem("too-many-tasks", `maxTasks (${maxTasks})`);
  if (usedByOwner && usedByOwner.size + added.size > maxSizePerOwner)
    return problem("full", `maxSizePerOwner (${maxSizePerOwner})`);
  return used.size + added.size > maxSize ? problem("full", `maxSize (${maxSize})`) : undefined;
}

export function idInUse(): TaskStoreError {
  return new TaskStoreError("task-exists", "cannot create a task: its id is in use");
}
