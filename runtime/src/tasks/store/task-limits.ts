import { SdkError } from "../../jsonrpc/errors.js";
import { TaskStoreError, type TaskStoreFailure } from "../task-store-error.js";

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
  if (usedByOwner && usedByOwner.tasks + added.tasks > maxTasksPerOwner)
    return limitReached(limits, "maxTasksPerOwner");
  if (used.tasks + added.tasks > maxTasks) return limitReached(limits, "maxTasks");
  if (usedByOwner && usedByOwner.size + added.size > maxSizePerOwner) return limitReached(limits, "maxSizePerOwner");
  return used.size + added.size > maxSize ? limitReached(limits, "maxSize") : undefined;
}

const reasons: Readonly<Record<keyof TaskLimits, TaskStoreFailure>> = {
  maxTasks: "too-many-tasks",
  maxTasksPerOwner: "too-many-tasks-of-owner",
  maxSize: "full",
  maxSizePerOwner: "full",
};

export function limitReached(limits: Required<TaskLimits>, name: keyof TaskLimits): TaskStoreError {
  const text = `cannot store a task: ${name} (${limits[name]}) is reached; wait until tasks expire, or raise it`;
  return new TaskStoreError(reasons[name], text);
}

export function idInUse(): TaskStoreError {
  return new TaskStoreError("task-exists", "cannot create a task: its id is in use");
}
