import type { Task } from "../../client/call-tool-options.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { markHandled } from "../../timing/mark-handled.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { hasEnded } from "../task-record.js";
import { InputAnswers } from "./input-answers.js";
import { isTransient, isUnknownTask } from "./poll-failure.js";
import { PollSchedule } from "./poll-schedule.js";
import { TaskError, taskNotFound } from "./task-error.js";
import type { PortOptions, StateSubscription, TaskPort } from "./task-port.js";
import type { TaskOutcome, TaskState } from "./task-state.js";

type Result = Record<string, unknown>;

interface Settle {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Follows one task until it ends: polls its state, or receives it from the server, and answers its input requests.
 * It owns one timer, and nothing when it has ended.
 */
export class TaskWatch {
  /** The result of the request that created the task. Rejects with a `TaskError`, a `RemoteError` or the reason of `stop`. */
  readonly result: Promise<Result>;
  readonly #settle: Settle;
  readonly #over = new AbortController();
  readonly #options: PortOptions = { signal: this.#over.signal };
  readonly #listeners = new Set<(task: Task | undefined) => void>();
  readonly #schedule: PollSchedule;
  readonly #answers: InputAnswers;
  #state: TaskState;
  #subscription: StateSubscription | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the polls failed: the task may go on, and can be resumed. */
  isLost = false;
  #isPolling = false;
  #isGone = false;
  /** Whether the outcome is requested apart from the state, and has not arrived. */
  #isFetching = false;

  constructor(
    readonly port: TaskPort,
    first: TaskState,
  ) {
    this.#state = first;
    this.first = first.task;
    let settle!: Settle;
    this.result = markHandled(new Promise((resolve, reject) => (settle = { resolve, reject })));
    this.#settle = settle;
    this.#schedule = new PollSchedule(first.task, () => this.#subscription?.isActive === true);
    this.#answers = new InputAnswers(port, {
      onSent: () => this.#replan(),
      onFailure: (error) => this.stop(error),
    });
  }

  /** The first known state. */
  readonly first: Task;

  /** The last known state. */
  get task(): Task {
    return this.#state.task;
  }

  /** Whether the task has ended, or the server no longer has it. */
  get hasEnded(): boolean {
    return hasEnded(this.task) || this.#isGone;
  }

  start(): this {
    this.#subscription = this.port.subscribe({ onState: (state) => this.#accept(state), onGap: () => this.#replan() });
    this.#accept(this.#state);
    return this;
  }

  /** Calls a listener with each change of the task, and with undefined at the end. Returns a function that removes it. */
  onChange(listener: (task: Task | undefined) => void): () => void {
    const own = (task: Task | undefined): void => listener(task);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Whether the watch has ended. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Ends the watch, and leaves the task to a later one. */
  detach(): void {
    this.#giveUp(new SdkError("REQUEST_CANCELLED", "the task was detached: it may go on"));
  }

  /** Asks the server to cancel the task; it may end in another way. */
  async cancel(): Promise<void> {
    if (this.isOver) return;
    try {
      const state = await this.port.cancel();
      if (state) this.#accept(state);
    } catch (error) {
      // The task may have ended: the next poll finds out.
      if (!isUnknownTask(error)) throw error;
    }
    this.#replan();
  }

  /** Ends the watch, but not the task. */
  stop(error: unknown): void {
    if (this.isOver) return;
    this.#end();
    this.#settle.reject(error);
  }

  /** Polls after the interval that the server has asked for: states may have been missed, or the interval was longer until now. */
  #replan(): void {
    if (this.isOver) return;
    this.#schedule.onState(this.task);
    this.#setTimer();
  }

  #accept(state: TaskState): void {
    const before = this.#state;
    const isFirst = state === before;
    if (this.isOver || (!isFirst && isOlder(state.task, before.task))) return;
    this.#state = state;
    if (isFirst || differ(before.task, state.task)) this.#notify(state.task);
    this.#schedule.onState(state.task);
    if (hasEnded(state.task)) return this.#finish(state);
    this.#answers.update(state);
    if (state.task.status === "input_required") this.#fetchOutcome();
    this.#setTimer();
  }

  #finish({ task, outcome }: TaskState): void {
    this.#answers.close();
    if (task.status === "cancelled") {
      const why = task.statusMessage === undefined ? "" : `: ${task.statusMessage}`;
      return this.stop(new TaskError("TASK_CANCELLED", `the task was cancelled${why}`, task.taskId));
    }
    if (outcome) return this.#settleWith(outcome);
    this.#fetchOutcome();
  }

  #settleWith(outcome: TaskOutcome): void {
    if (this.isOver) return;
    if ("error" in outcome) return this.stop(outcome.error);
    let result: Result;
    try {
      result = this.port.readResult(outcome.result);
    } catch (error) {
      return this.stop(error);
    }
    this.#end();
    this.#settle.resolve(result);
  }

  /** Requests the outcome, where the state does not contain it. While the request is open, the server sends input requests. */
  #fetchOutcome(): void {
    if (this.#isFetching || this.isOver || !this.port.getOutcome) return;
    this.#isFetching = true;
    this.port.getOutcome(this.#options).then(
      (result) => this.#settleWith({ result }),
      (error: unknown) => {
        this.#isFetching = false;
        if (this.isOver) return;
        if (!hasEnded(this.task)) this.#replan();
        else if (!isTransient(error)) this.stop(error);
        else this.#retryAfter(error);
      },
    );
  }

  async #poll(): Promise<void> {
    if (this.#isPolling || this.isOver) return;
    // The task has ended: only its outcome is missing.
    if (hasEnded(this.task)) {
      this.#fetchOutcome();
      return;
    }
    this.#isPolling = true;
    const isLast = this.#schedule.hasExpired();
    try {
      this.#accept(await this.port.get(this.#options));
      if (isLast && this.#schedule.hasExpired() && !hasEnded(this.task)) this.#expire();
    } catch (error) {
      if (isUnknownTask(error)) this.#lose(error);
      else if (isTransient(error)) this.#retryAfter(error);
      else this.#giveUp(error);
    } finally {
      this.#isPolling = false;
      this.#setTimer();
    }
  }

  #retryAfter(error: unknown): void {
    if (!this.#schedule.onFailure()) return this.#giveUp(error);
    this.#setTimer();
  }

  #giveUp(error: unknown): void {
    if (this.isOver) return;
    this.isLost = true;
    this.stop(error);
  }

  #lose(cause: unknown): void {
    if (this.#schedule.hasExpired()) return this.#expire(cause);
    this.#isGone = true;
    this.stop(taskNotFound(this.task.taskId, cause));
  }

  #expire(cause?: unknown): void {
    const { taskId, ttlMs } = this.task;
    this.#isGone = true;
    this.stop(new TaskError("TASK_EXPIRED", `the task did not end within ${ttlMs} ms`, taskId, { cause }));
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.isOver || this.#isPolling || (this.#isFetching && hasEnded(this.task))) return;
    const delay = timerDelay(Math.max(0, this.#schedule.due - performance.now()));
    this.#timer = setTimeout(() => void this.#poll(), delay);
  }

  #notify(task: Task | undefined): void {
    for (const listener of this.#listeners) this.port.callHook(() => listener(task));
  }

  #end(): void {
    this.#over.abort(new SdkError("REQUEST_CANCELLED", "the task is over"));
    clearTimeout(this.#timer);
    this.#subscription?.close();
    this.#answers.close();
    this.#notify(undefined);
    this.#listeners.clear();
  }
}

/** Whether a state is older than another one. */
function isOlder(state: Task, other: Task): boolean {
  return hasEnded(other) || Date.parse(state.lastUpdatedAt) < Date.parse(other.lastUpdatedAt);
}

function differ(one: Task, other: Task): boolean {
  return one.status !== other.status || one.statusMessage !== other.statusMessage;
}
