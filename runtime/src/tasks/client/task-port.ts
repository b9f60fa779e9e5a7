import type { InputRequest } from "../../client/client-request-handlers.js";
import type { TaskState } from "./task-state.js";

/** The messages about one task, in the form of the revision in use. */
export interface TaskPort {
  readonly taskId: string;
  /** Requests the state. */
  get(options: PortOptions): Promise<TaskState>;
  /** Requests the outcome of a task, and waits for its end. Absent where the state contains the outcome. */
  readonly getOutcome?: ((options: PortOptions) => Promise<unknown>) | undefined;
  /** Runs the handler of an input request. */
  handleInput(request: InputRequest, signal: AbortSignal): Promise<object>;
  /** Sends the answer to an input request. */
  answer(key: string, answer: object): Promise<void>;
  /** Cancels the task. Returns its state where the response contains it. */
  cancel(): Promise<TaskState | undefined>;
  /** Checks the result of the request that created the task. @throws SdkError `INVALID_RESULT` */
  readResult(result: unknown): Record<string, unknown>;
  /** Subscribes to states that the server pushes. */
  subscribe(listener: StateListener): StateSubscription;
  /** Calls a hook of the user, and reports its failure. */
  callHook(hook: () => unknown): void;
}

export interface PortOptions {
  readonly signal: AbortSignal;
}

export interface StateListener {
  onState(state: TaskState): void;
  /** States may have been missed. */
  onGap(): void;
}

export interface StateSubscription {
  /** Whether the server pushes each state at the moment. */
  readonly isActive: boolean;
  close(): void;
}
