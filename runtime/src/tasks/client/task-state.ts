import type { Task } from "../../client/call-tool-options.js";
import type { InputRequest } from "../../client/client-request-handlers.js";

/** What a server says about a task at one moment. */
export interface TaskState {
  readonly task: Task;
  /** The requests that wait for an answer, by key. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** How the task ended, where the state contains it. */
  readonly outcome?: TaskOutcome;
}

/** The unchecked result of the request that created the task, or the error with which it failed. */
export type TaskOutcome = { readonly result: unknown } | { readonly error: Error };
