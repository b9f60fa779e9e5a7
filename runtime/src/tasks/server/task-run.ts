import { META_RELATED_TASK } from "@mcpwright/protocol/names";
import { checkInputRequest, type InputRequest } from "../../input-requests/check-input-request.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { Params } from "../../jsonrpc/message-types.js";
import type { ServerContext } from "../../server/contracts.js";
import type { InputRequestOptions } from "../../server/input-request-options.js";
import { raceAbort } from "../../timing/race-abort.js";
import { changeTask } from "../change-task.js";
import { hasEnded, isSameRun, type TaskQuestion, type TaskRecord } from "../task-record.js";
import type { TaskStore } from "../task-store.js";
import { askQuestion, describeTask, withdrawQuestion } from "../task-transitions.js";
import { backgroundContext, runOf } from "./background-context.js";

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A tool that runs as a task in this process. Its questions go to the store. */
export class TaskRun {
  /** The context of the tool. */
  readonly context: ServerContext;
  #waits: Map<string, Waiting> | undefined;
  /** Questions of an earlier run of the task that this run has not asked yet. */
  readonly #earlier: TaskQuestion[];
  #isOver = false;
  /** Why the handler was aborted. The signal of the context says so, too, but costs more than a whole call. */
  aborted: { readonly reason: unknown } | undefined;

  /** @param request the context of the request that created the task */
  constructor(
    request: ServerContext,
    readonly store: TaskStore,
    readonly record: TaskRecord,
  ) {
    this.context = backgroundContext(request, this);
    this.#earlier = [...record.questions];
  }

  /** The questions that wait for an answer, by key. Most tasks ask nothing. */
  get #waiting(): Map<string, Waiting> {
    return (this.#waits ??= new Map());
  }

  /** Stores a question, and waits for its answer. A run that asks a question of an earlier run gets the answer to that one. */
  async requestInput(_key: string, request: InputRequest, options?: InputRequestOptions): Promise<unknown> {
    const { client, connection, signal } = this.context;
    signal.throwIfAborted();
    options?.signal?.throwIfAborted();
    checkInputRequest(client.side, client.capabilities, request);
    const { method } = request;
    const params =
      request.params &&
      (connection.server.inputRequestConverter.convert(client.side, method, request.params) as Params);
    const question = { method, ...(params && { params }) };
    const key = this.#takeEarlier(question) ?? (await this.#ask(question));
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject });
      // The answer may have come in the meantime.
      this.refresh().catch(reject);
    });
    try {
      return await raceAbort(options?.signal, answer);
    } catch (error) {
      if (options?.signal?.aborted && this.#waiting.delete(key)) await this.#withdraw(key);
      throw error;
    }
  }

  /** Tasks of the core protocol have progress and logs, those of the extension have none. */
  notify(method: string, params: object | undefined): void {
    const { connection, session } = this.context;
    if (!session || !connection.isOpen) return;
    const { _meta } = (params ?? {}) as { readonly _meta?: unknown };
    const related = { ...(isObject(_meta) && _meta), [META_RELATED_TASK]: { taskId: this.record.id } };
    connection.notify(method, { ...params, _meta: related }).catch((error: unknown) => connection.report(error));
  }

  /** Replaces the status message of the task. */
  async setStatus(message: string): Promise<void> {
    await this.#change((record) => describeTask(record, message, Date.now()));
  }

  /** Passes new answers to the handler. Aborts the handler when the task has ended or no longer exists. */
  async refresh(): Promise<void> {
    if (this.#isOver) return;
    const record = await this.store.get(this.record.id, this.record.owner);
    if (!record || !isSameRun(record, this.record)) {
      this.abort(taskLost());
      return;
    }
    if (hasEnded(record)) {
      this.abort(new SdkError("REQUEST_CANCELLED", "the task was cancelled"));
      return;
    }
    for (const { key, answer, withdrawn } of record.questions) {
      const waiting = this.#waiting.get(key);
      if (!waiting || (answer === undefined && withdrawn === undefined)) continue;
      this.#waiting.delete(key);
      if (answer) waiting.resolve(answer);
      else waiting.reject(new SdkError("REQUEST_CANCELLED", "the question of the task was withdrawn"));
    }
  }

  /** Lets the handler's wait for an answer fail. Returns false when it does not wait for it in this process. */
  rejectAnswer(key: string, error: unknown): boolean {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    waiting?.reject(error);
    return waiting !== undefined;
  }

  /** Called when the handler has ended. */
  markOver(): void {
    this.#isOver = true;
  }

  abort(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.context.abort(reason);
    this.aborted = { reason };
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(reason);
  }

  /** Lets clients know that a question needs no answer any more. */
  async #withdraw(key: string): Promise<void> {
    try {
      await this.#change((record) => withdrawQuestion(record, key, Date.now()));
    } catch (error) {
      this.context.connection.report(error);
    }
  }

  /** Changes the task, unless it runs elsewhere now. */
  async #change(change: (record: TaskRecord) => TaskRecord | undefined): Promise<void> {
    await changeTask(this.store, this.record, (now) => (isSameRun(now, this.record) ? change(now) : undefined));
  }

  #takeEarlier(request: TaskQuestion["request"]): string | undefined {
    const text = JSON.stringify(request);
    const at = this.#earlier.findIndex((one) => one.withdrawn === undefined && JSON.stringify(one.request) === text);
    return at < 0 ? undefined : this.#earlier.splice(at, 1)[0]?.key;
  }

  async #ask(request: TaskQuestion["request"]): Promise<string> {
    let key: string | undefined;
    await this.#change((record) => {
      const asked = askQuestion(record, request, Date.now());
      key = asked?.questions.at(-1)?.key;
      return asked;
    });
    if (key === undefined) throw new SdkError("REQUEST_CANCELLED", "the task has ended");
    return key;
  }
}

export function taskLost(): SdkError {
  return new SdkError("REQUEST_TIMEOUT", "the task has expired, or runs in another process");
}

/** The task that a handler runs as. */
export interface RunningTask {
  readonly id: string;
  /** How often the task was started; more than 1 after the process of an earlier start has died. */
  readonly attempts: number;
  /**
   * Replaces the status message, which clients receive with the state of the task.
   * @throws TaskStoreError when the store fails
   */
  setStatus(message: string): Promise<void>;
}

/**
 * Returns the task that a handler runs as; undefined when it runs as usual.
 * @example
 * ```ts
 * server.registerTool("report", { task: "optional" }, async (context) => {
 *   await taskOf(context)?.setStatus("Reading the orders");
 *   return { content: [{ type: "text", text: await report() }] };
 * });
 * ```
 */
export function taskOf(context: ServerContext): RunningTask | undefined {
  const run = runOf(context);
  if (!(run instanceof TaskRun)) return undefined;
  const { id, attempts } = run.record;
  return { id, attempts, setStatus: (message) => run.setStatus(message) };
}
