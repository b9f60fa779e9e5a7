import { changes } from "./task-store/changes.js";
import { lives } from "./task-store/lives.js";
import type { TaskStoreBehaviour } from "./task-store/task-store-behaviour.js";
import { workers } from "./task-store/workers.js";

/**
 * The requirements of `TaskStore` that every implementation must meet. Run each with your test framework:
 * `test.each(taskStoreBehaviours)("$name", ({ run }) => run(harness))`.
 */
export const taskStoreBehaviours: readonly TaskStoreBehaviour[] = [...changes, ...lives, ...workers];
