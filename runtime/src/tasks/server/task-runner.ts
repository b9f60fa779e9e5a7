import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { Implementation, InputResponses } from "../../authoring.js";
import { type InputRequired, isInputRequired } from "../../input-requests/input-required.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { JSONRPCErrorObject } from "../../jsonrpc/message-types.js";
import type { ServerContext } from "../../server/contracts.js";
import { replayRequest } from "../../server/replay-request.js";
import { checkRoundLimit } from "../../server/round-limit.js";
import type { ServerHost } from "../../server/server-extension.js";
import { isPromiseLike } from "../../timing/is-promise-like.js";
import { timerDelay, unref } from "../../timing/timer-delay.js";
import { changeTask } from "../change-task.js";
import { andThen, attempt, type MaybePromise } from "../maybe-promise.js";
import { MemoryTaskStore } from "../store/memory-task-store.js";
import { isSameRun, type TaskRecord, type TaskRequest } from "../task-record.js";
import { TaskStoreError } from "../task-store-error.js";
import type { TaskStore } from "../task-store.js";
import { endTask, type TaskOutcome } from "../task-transitions.js";
import { randomId } from "./random-id.js";
import { storeError } from "./store-error.js";
import type { ServerTasksOptions, TaskSettings } from "./task-options.js";
import { taskLost, TaskRun } from "./task-run.js";

/** Tasks that are claimed from dead processes at once. */
const claimLimit = 100;

/** The mark of a request that runs again. */
export interface Restart {
  readonly record: TaskRecord;
  readonly request: TaskRequest;
}

/** Runs a tool with a context that does not end with its request. */
type Run = (detached: ServerContext) => unknown;

/** Runs tools as tasks in this process, and takes over the tasks of processes that have died. */
export class TaskRunner {
  readonly store: TaskStore;
  #workerId = "";
  readonly #runs = new Map<string, TaskRun>();
  /** Tools to run in the next turn. */
  #starting: (() => void)[] = [];
  /** Outcomes that the store did not take yet. */
  readonly #unsaved = new Map<TaskRecord, TaskOutcome>();
  /** Tasks of this process whose last change could not be read. */
  readonly #stale = new Set<string>();
  readonly #leaseMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;
  /** Called when no task runs any more. */
  #onIdle: (() => void) | undefined;

  constructor(
    readonly server: ServerHost,
    readonly options: ServerTasksOptions,
  ) {
    this.store = options.store ?? new MemoryTaskStore();
    this.#leaseMs = options.leaseMs ?? 30_000;
    // No other process has tasks in the memory of this one.
    if (!(this.store instanceof MemoryTaskStore)) this.#begin();
  }

  /** Some hosts provide no random numbers before the first request. */
  get #worker(): string {
    return (this.#workerId ||= crypto.randomUUID());
  }

  /** The task of this process with this id. */
  find(id: string): TaskRun | undefined {
    return this.#runs.get(id);
  }

  /**
   * Creates a task that runs a tool.
   * @returns its record, which the store has
   * @throws ProtocolError when the store rejects the task
   */
  create(context: ServerContext, settings: TaskSettings, run: Run): MaybePromise<TaskRecord> {
    if (this.#isClosed) throw new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
    this.#begin();
    const { principal, client } = context;
    const now = Date.now();
    const record: TaskRecord = {
      id: randomId(),
      version: 1,
      owner: principal ? { issuer: principal.issuer, subject: principal.subject } : null,
      revision: client.side.revision,
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: settings.ttlMs,
      pollIntervalMs: settings.pollIntervalMs,
      questions: [],
      worker: this.#worker,
      restartable: settings.restartable,
      attempts: 1,
    };
    const request = settings.restartable ? recordedRequest(context) : undefined;
    const creating = storeError(this.server, () => this.store.create(record, request));
    return andThen(creating, () => (context.done ? this.#forget(context, record) : this.run(context, record, run)));
  }

  /** The client of a request that was cancelled in the meantime does not know the task. */
  async #forget({ signal }: ServerContext, { id, owner }: TaskRecord): Promise<never> {
    await storeError(this.server, () => this.store.delete(id, owner));
    throw signal.reason;
  }

  /** Runs a tool as a task that the store has, and returns its record. */
  run(context: ServerContext, record: TaskRecord, run: Run): TaskRecord {
    const task = new TaskRun(context, this.store, record);
    // This process may have lost the task, and got it back, without having noticed.
    this.#runs.get(record.id)?.abort(taskLost());
    this.#runs.set(record.id, task);
    // The client receives the task before the tool runs.
    if (this.#starting.push(() => void this.#execute(task, run)) === 1) setTimeout(() => this.#start(), 0);
    return record;
  }

  #start(): void {
    const starting = this.#starting;
    this.#starting = [];
    for (const start of starting) start();
  }

  /** Ends a task. Returns its record; undefined when there is no such task. */
  end(known: Pick<TaskRecord, "id" | "owner">, outcome: TaskOutcome): MaybePromise<TaskRecord | undefined> {
    return changeTask(this.store, known, (record) => endTask(record, outcome, Date.now()));
  }

  /**
   * Lets tasks finish, and then aborts their handlers. Those that can run again are left to other processes, the others fail.
   * @param graceMs how long tasks may take
   */
  async close(graceMs = 5_000): Promise<void> {
    this.#isClosed = true;
    if (this.#runs.size > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        unref(setTimeout(resolve, timerDelay(graceMs)));
      });
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unsubscribe?.();
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    for (const run of runs) {
      run.abort(new Error("the server was closed"));
      if (!run.record.restartable || this.store instanceof MemoryTaskStore) this.#unsaved.set(run.record, closed());
    }
    await this.#saveOutcomes();
    // Without that, the lease ends later.
    await attempt(
      () => storeError(this.server, () => this.store.retire(this.#worker)),
      () => undefined,
    );
  }

  #begin(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#unsubscribe = this.store.subscribe((id) => void (this.#runs.has(id) && this.#refresh(id)));
    this.#timer = unref(setInterval(() => void this.#tick(), this.#leaseMs / 4));
    this.#beat().catch((error: unknown) => this.#report(error));
  }

  async #beat(): Promise<void> {
    await this.store.heartbeat(this.#worker, this.#leaseMs);
  }

  async #refresh(id: string): Promise<void> {
    try {
      await this.#runs.get(id)?.refresh();
    } catch (error) {
      this.#stale.add(id);
      this.#report(error);
    }
  }

  async #tick(): Promise<void> {
    try {
      await this.#beat();
      await this.#saveOutcomes();
      const stale = [...this.#stale];
      this.#stale.clear();
      for (const id of stale) await this.#refresh(id);
      if (this.store instanceof MemoryTaskStore || this.#isClosed) return;
      for (const record of await this.store.claimAbandoned(this.#worker, claimLimit)) void this.#takeOver(record);
    } catch (error) {
      this.#report(error);
    }
  }

  async #execute(task: TaskRun, run: Run): Promise<void> {
    const { context, record } = task;
    let outcome: TaskOutcome;
    try {
      if (task.aborted) throw task.aborted.reason;
      let result = await run(context);
      while (isInputRequired(result)) {
        checkRoundLimit(++context.round, this.server);
        result = await runWithAnswers(task, result, run);
      }
      outcome = { status: "completed", result: this.server.finishResult(context, result) as Record<string, unknown> };
    } catch (error) {
      outcome = this.#failure(error, task);
    }
    task.markOver();
    // Another start of the task may run by now.
    if (this.#runs.get(record.id) !== task) return;
    this.#runs.delete(record.id);
    this.#unsaved.set(record, outcome);
    const saving = this.#saveOutcome(record);
    if (isPromiseLike(saving)) await saving;
    if (this.#runs.size === 0) this.#onIdle?.();
  }

  /** Stores the outcomes that the store did not take before. */
  async #saveOutcomes(): Promise<void> {
    for (const record of [...this.#unsaved.keys()]) if (!(await this.#saveOutcome(record))) return;
  }

  /** Stores the outcome of a tool. Returns false when the store does not take it: it is tried again later. */
  #saveOutcome(record: TaskRecord): MaybePromise<boolean> {
    const outcome = this.#unsaved.get(record);
    // Another call may store it at this moment.
    if (!outcome) return true;
    this.#unsaved.delete(record);
    return attempt(
      () => andThen(this.#save(record, outcome), () => true),
      (error) => {
        this.#unsaved.set(record, outcome);
        this.#report(error);
        return false;
      },
    );
  }

  /** A result that the store cannot keep ends the task with an error. */
  #save(record: TaskRecord, outcome: TaskOutcome): MaybePromise<unknown> {
    const store = (wanted: TaskOutcome): MaybePromise<unknown> =>
      changeTask(this.store, record, (now) => (isSameRun(now, record) ? endTask(now, wanted, Date.now()) : undefined));
    return attempt(
      () => store(outcome),
      (error) => {
        const isUnusable = error instanceof TypeError || (error instanceof TaskStoreError && error.reason === "full");
        if (!isUnusable) throw error;
        return andThen(store(failure(ErrorCode.InternalError, "Internal error")), () => this.#report(error));
      },
    );
  }

  async #takeOver(record: TaskRecord): Promise<void> {
    try {
      const problem = await this.#restart(record);
      if (problem) await this.#save(record, { status: "failed", error: problem, statusMessage: problem.message });
    } catch (error) {
      this.#report(error);
    }
  }

  /** Runs the request of a task again. Returns why that is not possible. */
  async #restart(record: TaskRecord): Promise<JSONRPCErrorObject | undefined> {
    const { id, owner, restartable, attempts, revision } = record;
    const { maxAttempts = 3 } = this.options;
    if (!restartable) return died("its tool cannot run again");
    if (attempts > maxAttempts) return died(`its tool was started ${attempts - 1} times`);
    const request = await this.store.getRequest(id, owner);
    if (!request) return undefined;
    const { method, params, clientCapabilities, clientInfo } = request;
    const recorded = {
      method,
      params,
      revision,
      capabilities: clientCapabilities,
      info: clientInfo as Implementation | undefined,
      principal: owner ?? undefined,
    };
    try {
      const response = await replayRequest(this.server, recorded, { record, request } satisfies Restart);
      if ("error" in response) return response.error;
      // The tool no longer runs as a task: the response is its result.
      if (!this.#runs.has(id) && !this.#unsaved.has(record))
        await this.#save(record, { status: "completed", result: response.result as Record<string, unknown> });
      return undefined;
    } catch (error) {
      this.#report(error);
      return died(toError(error).message);
    }
  }

  /** The error with which a plain call would have responded. That of a handler that was aborted is expected. */
  #failure(error: unknown, { aborted, context }: TaskRun): TaskOutcome {
    if (aborted) return failure(ErrorCode.InternalError, "Internal error");
    const { code, message, data } = context.connection.errorObject(error, context);
    return failure(code, message, data);
  }

  #report(error: unknown): void {
    this.server.options.onerror?.(toError(error));
  }
}

/** Asks the questions that a tool returned, and calls it again with the answers. */
async function runWithAnswers(task: TaskRun, { inputRequests, requestState }: InputRequired, run: Run) {
  const { context } = task;
  try {
    const asked = Object.entries(inputRequests ?? {});
    const answers = asked.map(async ([key, request]) => [key, await task.requestInput(key, request)] as const);
    const given = Object.fromEntries(await Promise.all(answers)) as InputResponses;
    context.inputResponses = { ...context.inputResponses, ...given };
  } catch (error) {
    if (!context.errorToResult) throw error;
    return context.errorToResult(error, context);
  }
  context.requestState = requestState;
  return run(context);
}

function failure(code: number, message: string, data?: unknown): TaskOutcome {
  return {
    status: "failed",
    error: { code, message, ...(data !== undefined && { data }) },
    statusMessage: message,
  };
}

function closed(): TaskOutcome {
  return failure(ErrorCode.InternalError, "The server was closed before the task ended");
}

function died(reason: string): JSONRPCErrorObject {
  return { code: ErrorCode.InternalError, message: `The process that ran the task has died, and ${reason}` };
}

/** The request of a task without the metadata that is recorded apart, or that belongs to the first response only. */
function recordedRequest({ method, params = {}, client, inputResponses }: ServerContext): TaskRequest {
  const { _meta, requestState: _state, inputResponses: _responses, ...rest } = params;
  const dropped: readonly string[] = [
    META_PROTOCOL_VERSION,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    "progressToken",
  ];
  const meta = Object.entries(_meta ?? {}).filter(([key]) => !dropped.includes(key));
  const { capabilities, info } = client;
  return {
    method,
    params: { ...rest, ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }) },
    ...(inputResponses && { inputResponses }),
    clientCapabilities: capabilities,
    ...(info && { clientInfo: { ...info } }),
  };
}
