import {
  META_RELATED_TASK,
  NOTIFICATIONS_TASKS_STATUS,
  TASKS_CANCEL,
  TASKS_GET,
  TASKS_LIST,
  TASKS_RESULT,
} from "@mcpwright/protocol/names";
import type { ClientConnection } from "../../client/client-connection.js";
import type { ClientMessages } from "./client-messages.js";
import type { RequestContext } from "../../connection/request-context.js";
import { ErrorCode, ProtocolError, RemoteError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { JSONRPCErrorObject, Params } from "../../jsonrpc/message-types.js";
import type { Principal } from "../../transport/principal.js";
import type { ServerRequestContext } from "../../client/client-request-handlers.js";
import { changeTask } from "../change-task.js";
import { toCoreTask } from "../core-task.js";
import { hasEnded, type TaskRecord } from "../task-record.js";
import type { TaskStore } from "../task-store.js";
import { TaskStoreError } from "../task-store-error.js";
import { endTask, type TaskOutcome } from "../task-transitions.js";
import { MemoryTaskStore } from "../store/memory-task-store.js";
import { waitForEnd } from "../wait-for-end.js";
import type { TaskReceiver } from "./tasks-extension.js";

const defaultTtlMs = 3_600_000;
const pollIntervalMs = 1_000;
const pageSize = 100;

interface IdParams {
  readonly taskId: string;
}

type Run = (context: ServerRequestContext) => Promise<object>;

/**
 * Lets servers of 2025-11-25 run sampling and elicitation as tasks, which this process keeps in memory for an hour at most. Pass it to
 * `tasks`.
 * @example
 * ```ts
 * const client = new Client(info, { capabilities: { sampling: {} }, extensions: [tasks({ receiver: taskReceiver() })] });
 * ```
 */
export function taskReceiver(): TaskReceiver {
  return { attach: (messages) => new ReceivedTasks(messages) };
}

/** Runs requests of servers as tasks (MCP 2025-11-25, tasks: the client as receiver). */
class ReceivedTasks {
  readonly #store: TaskStore = new MemoryTaskStore();
  /** The handlers that run, by the id of their task. */
  readonly #running = new Map<string, { readonly controller: AbortController; readonly owner: Principal | null }>();
  /** A server owns its tasks as long as the client uses the same transport, also after it has reconnected. */
  readonly #owners = new WeakMap<object, Principal>();

  constructor(readonly messages: ClientMessages) {
    const { dispatchTable, requests } = messages.internals;
    this.#store.subscribe((id) => void this.#onChange(id));
    dispatchTable.add({
      [TASKS_GET]: async (params: IdParams, context: RequestContext) => toCoreTask(await this.#find(params, context)),
      [TASKS_RESULT]: (params: IdParams, context: RequestContext) => this.#result(params, context),
      [TASKS_LIST]: (params: { cursor?: string }, context: RequestContext) => this.#list(params.cursor, context),
      [TASKS_CANCEL]: (params: IdParams, context: RequestContext) => this.#cancel(params, context),
    });
    requests.interceptHandlers((params, context, run) => {
      const { onlyWith } = context.row.alternative ?? {};
      const asked = onlyWith === undefined ? undefined : params[onlyWith];
      return isObject(asked) ? this.#create(params, asked["ttl"], context, run) : run(context);
    });
  }

  /** Creates a task that runs the handler of a request. */
  async #create(params: Params, ttl: unknown, context: RequestContext, run: Run): Promise<object> {
    const { sender } = context;
    const now = Date.now();
    const record: TaskRecord = {
      id: crypto.randomUUID(),
      version: 1,
      owner: this.#ownerOf(context.connection),
      revision: sender.side.revision,
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: Math.min(typeof ttl === "number" && ttl >= 0 ? ttl : defaultTtlMs, defaultTtlMs),
      pollIntervalMs,
      questions: [],
      worker: "client",
      restartable: false,
      attempts: 1,
    };
    try {
      await this.#store.create(record);
    } catch (error) {
      throw error instanceof TaskStoreError ? new ProtocolError(ErrorCode.InternalError, error.message) : error;
    }
    const controller = new AbortController();
    this.#running.set(record.id, { controller, owner: record.owner });
    void this.#run(record, () => run({ signal: controller.signal, requestId: context.requestId }));
    return { task: toCoreTask(record) };
  }

  async #run(record: TaskRecord, run: () => Promise<object>): Promise<void> {
    let outcome: TaskOutcome;
    try {
      outcome = { status: "completed", result: (await run()) as Record<string, unknown> };
    } catch (error) {
      const problem = this.#errorObject(record.id, error);
      outcome = { status: "failed", error: problem, statusMessage: problem.message };
    }
    this.#running.delete(record.id);
    await this.#end(record, outcome).catch((error: unknown) => this.messages.report(error));
  }

  async #end(record: Pick<TaskRecord, "id" | "owner">, outcome: TaskOutcome): Promise<TaskRecord | undefined> {
    const ended = await changeTask(this.#store, record, (known) => endTask(known, outcome, Date.now()));
    const connection = this.messages.openConnection;
    // Servers must not rely on the notification: it may fail.
    if (ended && connection && this.#ownerOf(connection).subject === ended.owner?.subject)
      connection.notify(NOTIFICATIONS_TASKS_STATUS, toCoreTask(ended)).catch(() => undefined);
    return ended;
  }

  /** Only a `ProtocolError` is sent as it is; other errors are reported on this side only, as for other requests. */
  #errorObject(id: string, error: unknown): JSONRPCErrorObject {
    if (error instanceof ProtocolError && !(error instanceof RemoteError)) {
      const { code, message, data } = error;
      return data === undefined ? { code, message } : { code, message, data };
    }
    // A handler that was aborted is expected to fail.
    if (this.#running.get(id)?.controller.signal.aborted === false) this.messages.report(error);
    return { code: ErrorCode.InternalError, message: "Internal error" };
  }

  async #result(params: IdParams, context: RequestContext): Promise<object> {
    const { id, owner } = await this.#find(params, context);
    const record = await waitForEnd(this.#store, id, owner, context.signal);
    if (!record) throw unknownTask();
    const { status, result, error } = record;
    if (error) throw new ProtocolError(error.code, error.message, error.data);
    if (status === "cancelled") throw new ProtocolError(ErrorCode.InternalError, "The task was cancelled");
    const related = { [META_RELATED_TASK]: { taskId: id } };
    return { ...result, _meta: { ...(isObject(result?.["_meta"]) ? result["_meta"] : {}), ...related } };
  }

  async #list(cursor: string | undefined, { connection, sender }: RequestContext): Promise<object> {
    const owner = this.#ownerOf(connection);
    try {
      const page = await this.#store.list({ owner, revision: sender.side.revision, cursor, limit: pageSize });
      const tasks = page.records.map(toCoreTask);
      return page.nextCursor === undefined ? { tasks } : { tasks, nextCursor: page.nextCursor };
    } catch (error) {
      if (!(error instanceof TaskStoreError) || error.reason !== "invalid-cursor") throw error;
      throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: this list has no such cursor");
    }
  }

  async #cancel(params: IdParams, context: RequestContext): Promise<object> {
    const before = await this.#find(params, context);
    const cancelled = hasEnded(before)
      ? undefined
      : await this.#end(before, { status: "cancelled", statusMessage: "The task was cancelled by request" });
    if (cancelled?.status !== "cancelled")
      throw new ProtocolError(ErrorCode.InvalidParams, "Cannot cancel the task: it has ended");
    return toCoreTask(cancelled);
  }

  async #find({ taskId }: IdParams, { connection }: RequestContext): Promise<TaskRecord> {
    const record = await this.#store.get(taskId, this.#ownerOf(connection));
    if (record) return record;
    throw unknownTask();
  }

  #ownerOf(connection: object): Principal {
    const { transport } = connection as ClientConnection;
    let owner = this.#owners.get(transport);
    if (!owner) this.#owners.set(transport, (owner = { issuer: "transport", subject: crypto.randomUUID() }));
    return owner;
  }

  /** Aborts the handler of a task that was cancelled or has expired. */
  async #onChange(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    const record = await this.#store.get(id, running.owner);
    if (record && !hasEnded(record)) return;
    running.controller.abort(new Error(record ? "the server cancelled the task" : "the task has expired"));
    this.#running.delete(id);
  }
}

function unknownTask(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, "Invalid params: there is no task with this taskId, or no longer");
}
