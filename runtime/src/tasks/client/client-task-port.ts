import type { InputRequest } from "../../client/client-request-handlers.js";
import { TASKS_CANCEL, TASKS_GET, TASKS_RESULT, TASKS_UPDATE, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { ClientMessages } from "./client-messages.js";
import type { SendOptions } from "../../client/send-options.js";
import { callHook } from "../../connection/error-reporting.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { PushedStates } from "./pushed-states.js";
import { readTask } from "./read-task.js";
import type { PortOptions, StateListener, StateSubscription, TaskPort } from "./task-port.js";
import type { TaskState } from "./task-state.js";

/** The messages about one task of a client. Which ones there are depends on the revision in use. */
export class ClientTaskPort implements TaskPort {
  readonly getOutcome: TaskPort["getOutcome"];

  /** @param toolParams the params of the call that created the task; unknown after a restart */
  constructor(
    readonly messages: ClientMessages,
    readonly pushed: PushedStates,
    readonly taskId: string,
    /** The time limits of each message. */
    readonly limits: Pick<SendOptions, "timeoutMs">,
    readonly toolParams: object = {},
  ) {
    const { results } = messages.connection.side.receives;
    // The server responds when the task has ended.
    if (Object.hasOwn(results, TASKS_RESULT)) this.getOutcome = this.#getOutcome.bind(this);
  }

  async get({ signal }: PortOptions): Promise<TaskState> {
    return this.#read(await this.#send(TASKS_GET, {}, { ...this.limits, signal }));
  }

  #getOutcome({ signal }: PortOptions): Promise<unknown> {
    return this.#send(TASKS_RESULT, {}, { timeoutMs: Infinity, maxTotalMs: Infinity, signal });
  }

  handleInput(request: InputRequest, signal: AbortSignal): Promise<object> {
    return this.messages.handleInput(TASKS_GET, request, signal);
  }

  async answer(key: string, answer: object): Promise<void> {
    await this.#send(TASKS_UPDATE, { inputResponses: { [key]: answer } }, this.limits);
  }

  /** Cancels the task. Returns its state where the response contains it. */
  async cancel(): Promise<TaskState | undefined> {
    const body = await this.#send(TASKS_CANCEL, {}, this.limits);
    return "taskId" in body ? this.#read(body) : undefined;
  }

  readResult(result: unknown): Record<string, unknown> {
    const read = this.messages.readResult(TOOLS_CALL, this.toolParams, result);
    if (read["resultType"] === "complete") return read;
    throw new SdkError("INVALID_RESULT", `the result of the task is not one of ${TOOLS_CALL}`, { result });
  }

  subscribe(listener: StateListener): StateSubscription {
    return this.pushed.subscribe(this.taskId, listener);
  }

  callHook(hook: () => unknown): void {
    callHook(hook, (error) => this.messages.report(error));
  }

  #send(method: string, params: object, options: SendOptions): Promise<Record<string, unknown>> {
    return this.messages.send(method, { taskId: this.taskId, ...params }, options);
  }

  #read(body: object): TaskState {
    const state = readTask(body);
    if (state.task.taskId === this.taskId) return state;
    throw new SdkError("INVALID_RESULT", "the server responded with another task", { result: body });
  }
}
