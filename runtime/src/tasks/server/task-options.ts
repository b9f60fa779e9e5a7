import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { TaskSupport, ToolTaskOptions } from "../../server/tool-task-options.js";
import type { TaskStore } from "../task-store.js";

export interface ServerTasksOptions {
  /** Where tasks are kept. Default: a `MemoryTaskStore`, whose tasks end with the process. */
  readonly store?: TaskStore;
  /** Milliseconds from the creation of a task after which it is deleted; null for never. Default: `3_600_000`. */
  readonly ttlMs?: number | null;
  /** The longest life that clients of 2025-11-25 can ask for, in milliseconds. Default: `86_400_000`. */
  readonly maxTtlMs?: number;
  /** Milliseconds that clients should wait between two polls. Default: `1_000`. */
  readonly pollIntervalMs?: number;
  /**
   * Milliseconds without a sign of life after which other processes take over the tasks of this one. Default: `30_000`. A
   * process of which the event loop is blocked for longer loses its tasks.
   */
  readonly leaseMs?: number;
  /** How often a task with `restartable` is started before it fails, because it may end its process. Default: `3`. */
  readonly maxAttempts?: number;
}

/** The settings of the tasks of one tool. */
export interface TaskSettings
  extends Required<Pick<ToolTaskOptions, "support" | "restartable">>, Pick<ToolTaskOptions, "immediateResponse"> {
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** Reads the option `task` of a tool. Returns undefined for tools that cannot run as tasks. */
export function taskSettings(config: object, options: ServerTasksOptions): TaskSettings | undefined {
  const { task } = config as { readonly task?: TaskSupport | ToolTaskOptions };
  if (task === undefined) return undefined;
  const given = typeof task === "string" ? { support: task } : task;
  const { ttlMs = 3_600_000, pollIntervalMs = 1_000 } = options;
  return { restartable: false, ttlMs, pollIntervalMs, ...given };
}

const supports = ["optional", "required"];

/** @throws SdkError `INVALID_CONFIGURATION` when the option `task` of a tool is invalid */
export function assertTaskOption(tool: string, option: unknown): void {
  if (option === undefined) return;
  const problem = optionProblem(typeof option === "string" ? { support: option } : option);
  if (problem) throw new SdkError("INVALID_CONFIGURATION", `tool "${tool}", option task: ${problem}`);
}

function optionProblem(option: unknown): string | undefined {
  if (!isObject(option))
    return 'must be "optional", "required" or an object with the member support; leave it out for a tool that never runs as a task';
  const { support, restartable = false, ttlMs = null, pollIntervalMs = 1, immediateResponse = "" } = option;
  if (!supports.includes(support as string))
    return `support must be "optional" or "required", not ${JSON.stringify(support)}; leave the option out for a tool that never runs as a task`;
  if (typeof restartable !== "boolean") return "restartable must be a boolean";
  if (ttlMs !== null && !isDuration(ttlMs))
    return "ttlMs must be milliseconds, an integer above 0, or null for no limit";
  if (!isDuration(pollIntervalMs)) return "pollIntervalMs must be milliseconds, an integer above 0";
  return typeof immediateResponse === "string" ? undefined : "immediateResponse must be a string";
}

function isDuration(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
