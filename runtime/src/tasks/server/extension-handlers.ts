import { EXTENSION_ID } from "@mcpwright/protocol/extensions/tasks";
import { NOTIFICATIONS_TASKS } from "@mcpwright/protocol/names";
import type { InputResponses } from "../../authoring.js";
import { acceptedInputResponse, inputResponseProblem } from "../../input-requests/check-input-request.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../../server/contracts.js";
import type { GrantedStream, GrantStream } from "../../server/extension-hooks.js";
import { changeTask } from "../change-task.js";
import { andThen, attempt, type MaybePromise } from "../maybe-promise.js";
import type { TaskRecord } from "../task-record.js";
import { answerQuestions, outstandingQuestions } from "../task-transitions.js";
import { toDetailedTask } from "./extension-task.js";
import { findTask, type TaskIdParams } from "./find-task.js";
import { storeError } from "./store-error.js";
import type { TaskRunner } from "./task-runner.js";

/** The capability that clients need for tasks. */
export const tasksCapability = `client.extensions.${EXTENSION_ID}`;

/** The most tasks of one stream. */
const maxTasksOfStream = 1_000;

interface UpdateParams extends TaskIdParams {
  readonly inputResponses: InputResponses;
}

/** The methods of the extension `io.modelcontextprotocol/tasks`. */
export class ExtensionHandlers {
  constructor(readonly runner: TaskRunner) {}

  get(params: TaskIdParams, context: ServerContext): MaybePromise<object> {
    return andThen(findTask(this.runner, params, context), toDetailedTask);
  }

  /** Stores responses to outstanding questions. Those to other questions are ignored. */
  async update(params: UpdateParams, context: ServerContext): Promise<object> {
    const { store, server } = this.runner;
    const record = await findTask(this.runner, params, context);
    const answers = acceptedAnswers(record, params.inputResponses, context);
    if (Object.keys(answers).length > 0)
      await storeError(server, () => changeTask(store, record, (known) => answerQuestions(known, answers, Date.now())));
    return {};
  }

  async cancel(params: TaskIdParams, context: ServerContext): Promise<object> {
    const { runner } = this;
    const record = await findTask(runner, params, context);
    await storeError(runner.server, () =>
      runner.end(record, { status: "cancelled", statusMessage: "The task was cancelled by the client" }),
    );
    return {};
  }

  /** Grants the own tasks of the client in the filter of a stream. @throws ProtocolError -32602 for too many */
  readonly grantStream: GrantStream<ServerContext> = async (filter, context) => {
    const { taskIds } = filter;
    const { client } = context;
    if (taskIds === undefined || client.session) return undefined;
    const ids = [...new Set(taskIds as string[])];
    if (ids.length > maxTasksOfStream)
      throw new ProtocolError(ErrorCode.InvalidParams, `Invalid params: a stream can have ${maxTasksOfStream} tasks`);
    const owner = context.principal ?? null;
    const { store, server } = this.runner;
    const known = await Promise.all(ids.map(async (id) => storeError(server, () => store.get(id, owner))));
    const granted = known.flatMap((record) => (record?.revision === client.side.revision ? record : []));
    return this.#stream(granted);
  };

  /** Sends each state that is newer than those before: a store may return them in another order. */
  #stream(records: readonly TaskRecord[]): GrantedStream {
    const { store, server } = this.runner;
    const sent = new Map(records.map((record) => [record.id, record]));
    return {
      filter: { taskIds: [...sent.keys()] },
      open: (send) => {
        const onChange = (id: string): void => {
          const known = sent.get(id);
          if (!known) return;
          // The client also polls, so a state that cannot be read now is not lost.
          const reading = attempt(
            () => storeError(server, () => store.get(id, known.owner)),
            () => undefined,
          );
          void Promise.resolve(reading).then((record) => {
            if (!record || record.version <= (sent.get(id)?.version ?? 0)) return;
            sent.set(id, record);
            send(NOTIFICATIONS_TASKS, toDetailedTask(record));
          });
        };
        const unsubscribe = store.subscribe(onChange);
        // Tasks may have changed since they were granted.
        for (const id of sent.keys()) onChange(id);
        return unsubscribe;
      },
    };
  }
}

/** Checks the responses to outstanding questions. @throws ProtocolError -32602 when one is invalid; then none is stored */
function acceptedAnswers(
  record: TaskRecord,
  responses: InputResponses,
  { client, connection }: ServerContext,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const accepted: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const { key, request } of outstandingQuestions(record)) {
    const response = ownMember(responses, key);
    const row = ownMember(client.side.receives.answers, request.method);
    if (response === undefined || !row) continue;
    const problem = inputResponseProblem(row, request, response, () =>
      connection.explain(client.side, row.result, response),
    );
    if (problem)
      throw new ProtocolError(
        ErrorCode.InvalidParams,
        `Invalid params: inputResponses[${JSON.stringify(key)}]: ${problem.text}`,
        problem.issues.length > 0 ? { issues: problem.issues } : undefined,
      );
    accepted[key] = acceptedInputResponse(request, response) as Readonly<Record<string, unknown>>;
  }
  return accepted;
}
