import { META_MODEL_IMMEDIATE_RESPONSE, META_RELATED_TASK } from "@mcpwright/protocol/names";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { withJsonText } from "../../jsonrpc/serialize.js";
import type { ServerContext } from "../../server/contracts.js";
import { toListedTask } from "../core-task.js";
import { hasEnded, type TaskRecord } from "../task-record.js";
import { waitForEnd } from "../wait-for-end.js";
import { CoreQuestions } from "./core-questions.js";
import { findTask, type TaskIdParams } from "./find-task.js";
import { sessionTasks } from "./session-tasks.js";
import { storeError } from "./store-error.js";
import type { TaskRunner } from "./task-runner.js";

const pageSize = 100;

/** The methods of tasks in the core protocol (MCP 2025-11-25, tasks). */
export class CoreHandlers {
  readonly #questions: CoreQuestions;

  constructor(readonly runner: TaskRunner) {
    this.#questions = new CoreQuestions(runner);
  }

  async get(params: TaskIdParams, context: ServerContext): Promise<object> {
    const record = await findTask(this.runner, params, context);
    sessionTasks(this.#questions, context).follow(record);
    return withJsonText(toListedTask(record));
  }

  /** Waits for the end of a task, and meanwhile sends its questions on the stream of this request. */
  async result(params: TaskIdParams, context: ServerContext): Promise<object> {
    const { store, server } = this.runner;
    const known = await findTask(this.runner, params, context);
    const { id, owner } = known;
    const leave = sessionTasks(this.#questions, context).followOn(known, context);
    try {
      const record = await storeError(server, () => waitForEnd(store, id, owner, context.signal));
      if (!record) throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: the task has expired");
      return resultOf(record);
    } finally {
      leave();
    }
  }

  /** Clients that cannot be distinguished list only the tasks of their session (MCP 2025-11-25, tasks: security considerations). */
  async list({ cursor }: { readonly cursor?: string }, context: ServerContext): Promise<object> {
    const { store, server } = this.runner;
    const { principal, client } = context;
    if (!principal) {
      const known = sessionTasks(this.#questions, context);
      const { ids, ...next } = await storeError(server, () => known.page(cursor, pageSize));
      const records = await Promise.all(ids.map(async (id) => storeError(server, () => store.get(id, null))));
      return withJsonText({ tasks: records.flatMap((record) => (record ? toListedTask(record) : [])), ...next });
    }
    const query = { owner: principal, revision: client.side.revision, cursor, limit: pageSize };
    const { records, nextCursor } = await storeError(server, () => store.list(query));
    return withJsonText({ tasks: records.map(toListedTask), ...(nextCursor !== undefined && { nextCursor }) });
  }

  async cancel(params: TaskIdParams, context: ServerContext): Promise<object> {
    const { runner } = this;
    const before = await findTask(runner, params, context);
    const outcome = { status: "cancelled", statusMessage: "The task was cancelled by the client" } as const;
    const record = hasEnded(before) ? before : await storeError(runner.server, () => runner.end(before, outcome));
    if (record?.status !== "cancelled" || hasEnded(before))
      throw new ProtocolError(ErrorCode.InvalidParams, "Cannot cancel the task: it has ended");
    return withJsonText(toListedTask(record));
  }

  /** The result of a request that runs as a task. From now on, the client is notified of changes. */
  created(record: TaskRecord, context: ServerContext, immediateResponse: string | undefined): object {
    sessionTasks(this.#questions, context).add(record);
    const _meta = immediateResponse !== undefined && { [META_MODEL_IMMEDIATE_RESPONSE]: immediateResponse };
    return withJsonText({ task: toListedTask(record), ...(_meta && { _meta }) });
  }
}

function resultOf({ id, status, result, error }: TaskRecord): object {
  if (error) throw new ProtocolError(error.code, error.message, error.data);
  if (status === "cancelled") throw new ProtocolError(ErrorCode.InternalError, "The task was cancelled");
  const meta = isObject(result?.["_meta"]) ? result["_meta"] : {};
  return withJsonText({ ...result, _meta: { ...meta, [META_RELATED_TASK]: { taskId: id } } });
}
