import type { CancelTaskResult, GetTaskResult, ListTasksResult, Request, Result } from "../../messages.js";
import { anyResult } from "../../server/any-result.js";
import type { AnySchema, SchemaOutput } from "../../server/zod-compat.js";
import type { RequestOptions } from "../../shared/protocol.js";
import type { ResponseMessage } from "../../shared/responseMessage.js";
import { requestStream, type Send } from "./request-stream.js";

/** Requests that the peer runs as tasks. */
export abstract class ExperimentalTasks {
  readonly #send: Send<RequestOptions>;

  constructor(send: Send<RequestOptions>) {
    this.#send = send;
  }

  requestStream<T extends AnySchema>(
    request: Request,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void> {
    return requestStream(this.#send, request, resultSchema, options);
  }

  async getTask(taskId: string, options?: RequestOptions): Promise<GetTaskResult> {
    return (await this.#send({ method: "tasks/get", params: { taskId } }, anyResult, options)) as never;
  }

  async getTaskResult<T extends AnySchema>(
    taskId: string,
    resultSchema?: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const request = { method: "tasks/result", params: { taskId } };
    return (await this.#send(request, resultSchema ?? anyResult, options)) as SchemaOutput<T>;
  }

  async listTasks(cursor?: string, options?: RequestOptions): Promise<ListTasksResult> {
    const request = { method: "tasks/list", ...(cursor !== undefined && { params: { cursor } }) };
    return (await this.#send(request, anyResult, options)) as never;
  }

  async cancelTask(taskId: string, options?: RequestOptions): Promise<CancelTaskResult> {
    return (await this.#send({ method: "tasks/cancel", params: { taskId } }, anyResult, options)) as never;
  }
}
