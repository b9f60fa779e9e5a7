import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  Result,
} from "../../messages.js";
import { anyResult } from "../../server/any-result.js";
import type { RequestOptions } from "../../shared/protocol.js";
import type { ResponseMessage } from "../../shared/responseMessage.js";
import { ExperimentalTasks } from "./experimental-tasks.js";

/** Requests of a server that its client runs as tasks. */
export class ExperimentalServerTasks extends ExperimentalTasks {
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
}
