import { META_RELATED_TASK, NOTIFICATIONS_TASKS_STATUS } from "@mcpwright/protocol/names";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { JSON_TEXT } from "../../jsonrpc/serialize.js";
import type { ServerContext } from "../../server/contracts.js";
import { sendInputRequest } from "../../server/handshake/input-requests.js";
import { changeTask } from "../change-task.js";
import { toCoreTask } from "../core-task.js";
import { hasEnded, type TaskRecord } from "../task-record.js";
import { answerQuestions, outstandingQuestions, withdrawQuestion } from "../task-transitions.js";
import { waitForEnd } from "../wait-for-end.js";
import { findTask, type TaskIdParams } from "./find-task.js";
import { storeError } from "./store-error.js";
import type { TaskRunner } from "./task-runner.js";

const pageSize = 100;

/** The key in the store of a session under which the ids of its tasks are. */
const sessionKey = "io.modelcontextprotocol/tasks";

/** The methods of tasks in the core protocol (MCP 2025-11-25, tasks). */
export class CoreHandlers {
  /** The questions that are being sent to clients, by task and key. */
  readonly #asked = new Set<string>();

  constructor(readonly runner: TaskRunner) {}

  async get(params: TaskIdParams, context: ServerContext): Promise<object> {
    return asSent(toListedTask(await findTask(this.runner, params, context)));
  }

  /** Waits for the end of a task, and meanwhile sends its questions on the stream of this request. */
  async result(params: TaskIdParams, context: ServerContext): Promise<object> {
    const { store, server } = this.runner;
    const { id, owner } = await findTask(this.runner, params, context);
    const send = (): void => {
      storeError(server, () => store.get(id, owner)).then(
        (record) => record && this.#askAll(record, context),
        () => undefined,
      );
    };
    const unsubscribe = store.subscribe((changed) => changed === id && send());
    send();
    try {
      const record = await storeError(server, () => waitForEnd(store, id, owner, context.signal));
      if (!record) throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: the task has expired");
      return resultOf(record);
    } finally {
      unsubscribe();
    }
  }

  /** Clients that cannot be distinguished list only the tasks of their session. */
  async list({ cursor }: { readonly cursor?: string }, context: ServerContext): Promise<object> {
    const { store, server } = this.runner;
    const { principal, client, session, http } = context;
    const owner = principal ?? null;
    if (!owner && http) {
      const ids = [...sessionTasks(session)];
      const records = await Promise.all(ids.map((id) => storeError(server, () => store.get(id, owner))));
      return asSent({ tasks: records.flatMap((record) => (record ? toListedTask(record) : [])) });
    }
    const query = { owner, revision: client.side.revision, cursor, limit: pageSize };
    const { records, nextCursor } = await storeError(server, () => store.list(query));
    return asSent({ tasks: records.map(toListedTask), ...(nextCursor !== undefined && { nextCursor }) });
  }

  async cancel(params: TaskIdParams, context: ServerContext): Promise<object> {
    const { runner } = this;
    const before = await findTask(runner, params, context);
    const outcome = { status: "cancelled", statusMessage: "The task was cancelled by the client" } as const;
    const record = hasEnded(before) ? before : await storeError(runner.server, () => runner.end(before, outcome));
    if (record?.status !== "cancelled" || hasEnded(before))
      throw new ProtocolError(ErrorCode.InvalidParams, "Cannot cancel the task: it has ended");
    return asSent(toListedTask(record));
  }

  /** The result of a request that runs as a task. From now on, the client is notified of changes. */
  created(record: TaskRecord, context: ServerContext): object {
    const { connection, session } = context;
    const { store } = this.runner;
    sessionTasks(session).add(record.id);
    const unsubscribe = store.subscribe((id) => {
      if (id !== record.id) return;
      void Promise.resolve(store.get(id, record.owner)).then(
        (now) => {
          if (!now || hasEnded(now) || !connection.isOpen) unsubscribe();
          // Clients must not rely on the notification, so one that fails is ignored.
          if (now && connection.isOpen)
            connection.notify(NOTIFICATIONS_TASKS_STATUS, toListedTask(now)).catch(() => undefined);
        },
        () => unsubscribe(),
      );
    });
    return asSent({ task: toListedTask(record) });
  }

  #askAll(record: TaskRecord, context: ServerContext): void {
    for (const { key, request } of outstandingQuestions(record)) {
      const mark = `${record.id} ${key}`;
      if (this.#asked.has(mark)) continue;
      this.#asked.add(mark);
      void this.#ask(record, key, request, context).finally(() => this.#asked.delete(mark));
    }
  }

  async #ask(
    record: TaskRecord,
    key: string,
    request: TaskRecord["questions"][number]["request"],
    context: ServerContext,
  ): Promise<void> {
    const { store, server } = this.runner;
    try {
      const meta = { [META_RELATED_TASK]: { taskId: record.id } };
      const answer = (await sendInputRequest(context, key, request, { meta })) as Record<string, unknown>;
      await storeError(server, () =>
        changeTask(store, record, (known) => answerQuestions(known, { [key]: answer }, Date.now())),
      );
    } catch (error) {
      // The client has left: it is asked again when it asks for the result again.
      if (context.signal.aborted || !context.connection.isOpen) return;
      this.runner.find(record.id)?.rejectAnswer(key, error);
      await storeError(server, () =>
        changeTask(store, record, (known) => withdrawQuestion(known, key, Date.now())),
      ).catch(() => undefined);
    }
  }
}

/** A tool result that is an error makes its task `failed` in this form. */
function toListedTask(record: TaskRecord): object {
  const failed = record.status === "completed" && record.result?.["isError"] === true;
  return toCoreTask(failed ? { ...record, status: "failed" } : record);
}

function resultOf(record: TaskRecord): object {
  const { id, status, result, error } = record;
  if (error) throw new ProtocolError(error.code, error.message, error.data);
  if (status === "cancelled") throw new ProtocolError(ErrorCode.InvalidRequest, "The task was cancelled");
  const meta = isObject(result?.["_meta"]) ? result["_meta"] : {};
  return asSent({ ...result, _meta: { ...meta, [META_RELATED_TASK]: { taskId: id } } });
}

function sessionTasks(session: ServerContext["session"]): Set<string> {
  const found = session?.store.get(sessionKey) as Set<string> | undefined;
  const ids = found ?? new Set<string>();
  session?.store.set(sessionKey, ids);
  return ids;
}

/** Marks a result as one in the form of its revision, so that it is not converted. */
function asSent(result: object): object {
  return Object.defineProperty(result, JSON_TEXT, { value: JSON.stringify(result) });
}
