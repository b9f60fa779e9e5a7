import { META_RELATED_TASK } from "@mcpwright/protocol/names";
import { missingClientCapability } from "../../input-requests/check-input-request.js";
import { ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../../server/contracts.js";
import { readInputResponse } from "../../server/handshake/input-requests.js";
import { changeTask } from "../change-task.js";
import { attempt } from "../maybe-promise.js";
import type { TaskQuestion, TaskRecord } from "../task-record.js";
import { answerQuestions, outstandingQuestions, withdrawQuestion } from "../task-transitions.js";
import { storeError } from "./store-error.js";
import type { TaskRunner } from "./task-runner.js";

/** Where a question is sent: on the stream of a request, or, without one, on that of the session. */
export type QuestionTarget = Pick<ServerContext, "connection" | "client"> &
  Partial<Pick<ServerContext, "requestId" | "signal">>;

/** Sends the questions of tasks to clients of 2025-11-25, each to one session at a time. */
export class CoreQuestions {
  /** The questions that wait for a client, by task and key. */
  readonly #asked = new Map<string, Map<string, AbortController>>();

  constructor(readonly runner: TaskRunner) {}

  /** Sends the questions that no client has yet. Those that need a capability that this client lacks wait for another one. */
  ask(record: TaskRecord, target: QuestionTarget): void {
    const asked = this.#asked.get(record.id) ?? new Map<string, AbortController>();
    for (const { key, request } of outstandingQuestions(record)) {
      const { side, capabilities } = target.client;
      const row = ownMember(side.receives.results, request.method);
      if (asked.has(key) || !row || missingClientCapability(side, capabilities, row, request)) continue;
      asked.set(key, new AbortController());
      this.#asked.set(record.id, asked);
      void this.#ask(record, key, request, target).finally(() => {
        asked.delete(key);
        if (asked.size === 0) this.#asked.delete(record.id);
      });
    }
  }

  /** Cancels the questions that the task no longer needs. @param record undefined for a task that is gone */
  withdraw(id: string, record: TaskRecord | undefined): void {
    const outstanding = record ? outstandingQuestions(record).map(({ key }) => key) : [];
    for (const [key, over] of this.#asked.get(id) ?? [])
      if (!outstanding.includes(key)) over.abort(new Error("the task no longer needs the answer"));
  }

  async #ask(
    record: TaskRecord,
    key: string,
    request: TaskQuestion["request"],
    { connection, client, requestId, signal: left }: QuestionTarget,
  ): Promise<void> {
    const { store, server } = this.runner;
    const over = this.#asked.get(record.id)?.get(key)?.signal;
    const { side } = client;
    const row = ownMember(side.receives.results, request.method);
    if (!over || !row) return;
    try {
      const response = await connection.request(request.method, request.params, {
        signal: left ? AbortSignal.any([over, left]) : over,
        meta: { [META_RELATED_TASK]: { taskId: record.id } },
        ...(requestId !== undefined && { relatedRequestId: requestId }),
        isChecked: true,
      });
      const answer = readInputResponse({ connection, client }, key, row, request, response);
      await storeError(server, () =>
        changeTask(store, record, (known) =>
          answerQuestions(known, { [key]: answer as Readonly<Record<string, unknown>> }, Date.now()),
        ),
      );
    } catch (error) {
      // The client has left: the next one that reads the task is asked.
      if (over.aborted || left?.aborted || !connection.isOpen) return;
      this.runner.find(record.id)?.rejectAnswer(key, error);
      await attempt(
        () => storeError(server, () => changeTask(store, record, (known) => withdrawQuestion(known, key, Date.now()))),
        () => undefined,
      );
    }
  }
}
