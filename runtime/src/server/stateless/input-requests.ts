import type { InputRequests, InputResponses } from "../../authoring.js";
import {
  acceptedInputResponse,
  inputResponseProblem,
  checkInputRequest,
  type InputRequest,
} from "../../input-requests/check-input-request.js";
import type { InputRequired } from "../../input-requests/input-required.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { isObject, ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../contracts.js";
import { checkRoundLimit } from "../round-limit.js";
import { openState, invalidRequestState, type RequestStatePayload, sealState } from "./request-state.js";

/** Makes a handler's wish for input into the result that carries it to the client. */
export async function sealInputRequired(
  context: ServerContext,
  { inputRequests: asked = {}, requestState }: InputRequired,
): Promise<object> {
  const inputRequests = Object.keys(asked).length > 0 ? asked : undefined;
  const { client } = context;
  if (!context.row.alternatives)
    throw new TypeError(`${context.method} may not answer input_required; its handler has to do without`);
  if (inputRequests === undefined && requestState === undefined)
    throw new TypeError("inputRequired needs inputRequests or requestState");
  for (const inputRequest of Object.values(asked)) checkInputRequest(client.side, client.capabilities, inputRequest);
  checkRoundLimit(context.round + 1, context.connection.server);
  const state: Omit<RequestStatePayload, "expires"> = {
    id: crypto.randomUUID(),
    round: context.round + 1,
    inputRequests,
    inputResponses: context.inputResponses,
    handlerState: requestState,
    retried: context.hasInvalidResponse || undefined,
  };
  return inputRequiredResult(context, inputRequests, await sealState(context, state));
}

export function inputRequiredResult(
  context: ServerContext,
  inputRequests: InputRequests | undefined,
  requestState: string,
): object {
  return context.connection.server.withResultType(context.client.side, {
    resultType: "input_required",
    inputRequests,
    requestState,
  });
}

/**
 * Takes up a request that brings answers: either its handler is waiting, or it is entered again with them.
 * @throws ProtocolError -32602 for a state that cannot be used, and for an answer that is wrong for the second time
 */
export async function resumeRequest(context: ServerContext): Promise<unknown> {
  const { params, connection } = context;
  const { server } = connection;
  const { requestState, inputResponses } = params as { requestState?: string; inputResponses?: InputResponses };
  if (requestState === undefined) {
    // Which questions these answer, only a handler that asks the same ones every time can tell.
    context.unmatchedResponses = inputResponses;
    return server.dispatch(context);
  }
  const state = await openState(context, requestState);
  if (state.suspended) {
    const run = server.suspendedCalls?.take(state.id);
    if (!run) throw invalidRequestState(context, "its handler does not wait here any more");
    run.resume(context, inputResponses ?? {});
    // The run answers in its own time.
    return new Promise<never>(() => undefined);
  }
  context.signal.throwIfAborted();
  const usable = checkInputResponses(context, state.inputRequests, inputResponses, state.retried);
  context.inputResponses = { ...state.inputResponses, ...usable };
  context.requestState = state.handlerState;
  context.round = state.round ?? 1;
  return server.dispatch(context);
}

/**
 * The answers to these questions, as far as they can be used.
 * @param retried one could not be used before
 * @throws ProtocolError -32602 when one cannot be used again
 */
export function checkInputResponses(
  context: ServerContext,
  questions: Readonly<Record<string, InputRequest>> = {},
  answers: InputResponses = {},
  retried = false,
): InputResponses {
  const usable: Record<string, unknown> = {};
  for (const [key, response] of Object.entries(answers)) {
    const inputRequest = ownMember(questions, key);
    if (!inputRequest) continue;
    const accepted = checkInputResponse(context, key, inputRequest, response, retried);
    if (accepted) usable[key] = accepted;
    else context.hasInvalidResponse = true;
  }
  return usable as InputResponses;
}

/**
 * An answer as handlers see it; undefined when it cannot be used, so that the question is asked once more.
 * @param retried it has been
 * @throws ProtocolError -32602 when it cannot be used again
 */
export function checkInputResponse(
  { client }: ServerContext,
  key: string,
  inputRequest: InputRequest,
  response: unknown,
  retried: boolean,
): object | undefined {
  const row = checkInputRequest(client.side, client.capabilities, inputRequest);
  const problem = isObject(response) ? inputResponseProblem(row, inputRequest, response) : "it is not an object";
  if (problem === undefined) return acceptedInputResponse(inputRequest, response as object);
  if (!retried) return undefined;
  const message = `Invalid params: inputResponses[${JSON.stringify(key.slice(0, 100))}]: ${problem}`;
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}
