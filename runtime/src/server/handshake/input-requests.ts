import type { ResultDescriptor } from "@mcpwright/protocol/contract";
import type { InputResponses } from "../../authoring.js";
import { applyTolerances } from "../../connection/apply-tolerances.js";
import {
  acceptedInputResponse,
  checkInputRequest,
  type InputRequest,
  inputResponseProblem,
} from "../../input-requests/check-input-request.js";
import { type InputRequired, isInputRequired } from "../../input-requests/input-required.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../contracts.js";
import type { InputRequestOptions } from "../input-request-options.js";
import { checkRoundLimit } from "../round-limit.js";

/** Sends an input request to the client and waits for the response. */
export async function sendInputRequest(
  context: ServerContext,
  key: string,
  request: InputRequest,
  options?: InputRequestOptions,
): Promise<unknown> {
  const { connection, client, signal } = context;
  const row = checkInputRequest(client.side, client.capabilities, request);
  const { method, params } = request;
  const converted = params && connection.server.inputRequestConverter.convert(client.side, method, params);
  const send = (sent: object | undefined): Promise<unknown> =>
    connection.request(method, sent, {
      ...options,
      signal: options?.signal ? AbortSignal.any([signal, options.signal]) : signal,
      meta: { ...context.traceContext, ...options?.meta },
      relatedRequestId: context.requestId,
      isChecked: true,
    });
  const { sendInputRequest: sendBy } = connection.server;
  const response = await (sendBy ? sendBy(context, { method, params: converted }, options, send) : send(converted));
  return readInputResponse(context, key, row, request, response);
}

/**
 * Checks the response to an input request.
 * @returns the response as handlers receive it
 * @throws SdkError `INVALID_RESULT`
 */
export function readInputResponse(
  { connection, client: { side } }: Pick<ServerContext, "connection" | "client">,
  key: string,
  row: ResultDescriptor,
  request: InputRequest,
  received: unknown,
): object {
  const response = row.result(received) ? received : applyTolerances(received, row, side.receives);
  const problem = inputResponseProblem(row, request, response, () => connection.explain(side, row.result, response));
  if (problem) {
    const data = { issues: problem.issues, result: response };
    throw new SdkError("INVALID_RESULT", `the response to "${key}" is invalid: ${problem.text}`, data);
  }
  return acceptedInputResponse(request, response as object);
}

/** Sends the input requests of a handler's result and calls the handler again, until it returns a final result. */
export async function resolveInputRequired(context: ServerContext, first: InputRequired): Promise<object> {
  const { server } = context.connection;
  for (let current = first; ;) {
    checkRoundLimit(++context.round, server);
    const requests = Object.entries(current.inputRequests ?? {});
    let responses: InputResponses;
    try {
      const sending = requests.map(async ([key, request]) => [key, await sendInputRequest(context, key, request)]);
      responses = Object.fromEntries(await Promise.all(sending)) as InputResponses;
    } catch (error) {
      if (!context.errorToResult) throw error;
      return server.finishResult(context, context.errorToResult(error, context));
    }
    context.inputResponses = { ...context.inputResponses, ...responses };
    context.requestState = current.requestState;
    const result = await server.dispatch(context);
    if (!isInputRequired(result)) return server.finishResult(context, result);
    current = result;
  }
}
