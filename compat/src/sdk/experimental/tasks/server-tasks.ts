import type {
  CancelTaskResult,
  GetTaskResult,
  ListTasksResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  Request,
  Result,
} from "../../messages.js";
import { anyResult } from "../../server/any-result.js";
import type { AnySchema, SchemaOutput } from "../../server/zod-compat.js";
import type { RequestOptions } from "../../shared/protocol.js";
import type { ResponseMessage } from "../../shared/responseMessage.js";
import { requestStream, type Send } from "./request-stream.js";

/** Requests of a server that its client runs as tasks. */
export class ExperimentalServerTasks {
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

  createMessageStream(
    params: CreateMessageRequestParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<CreateMessageResult & Result>, void, void> {
    const request = { method: "sampling/createMessage", params: params as never };
    return this.requestStream(request, anyResult, options) as never;
  }

  elicitInputStream(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<ElicitResult & Result>, void, void> {
    const request = { method: "elicitation/create", params: { mode: "form", ...params } as never };
    return this.requestStream(request, anyResult, options) as never;
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
