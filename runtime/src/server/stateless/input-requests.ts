import type { InputRequests, InputResponses } from "../../authoring.js";
import { reportDeprecated } from "../../connection/deprecation.js";
import {
  acceptedInputResponse,
  inputResponseProblem,
  checkInputRequest,
  type InputRequest,
} from "../../input-requests/check-input-request.js";
import type { InputRequired } from "../../input-requests/input-required.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../contracts.js";
import { checkRoundLimit } from "../round-limit.js";
import { openState, invalidRequestState, type RequestStatePayload, sealState } from "./request-state.js";

/** Converts the input requests of a handler to the result that is sent to the client, with a sealed state. */
export async function sealInputRequired(
  context: ServerContext,
  { inputRequests: asked = {}, requestState }: InputRequired,
): Promise<object> {
  const inputRequests = Object.keys(asked).length > 0 ? asked : undefined;
  const { client } = context;
  if (!context.row.alternatives)
    throw new TypeError(
      `the handler of ${context.method} must not return inputRequired: the method has no input_required result`,
    );
  if (inputRequests === undefined && requestState === undefined)
    throw new TypeError("inputRequired needs inputRequests or requestState");
  for (const inputRequest of Object.values(asked)) checkInputRequest(client.side, client.capabilities, inputRequest);
  const run = context.resumes ?? context.suspended;
  if (run?.isAsking(context)) return run.park(context, inputRequests);
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
  const { client, connection } = context;
  const { server } = connection;
  const convert = ({ method, params }: InputRequest): InputRequest => {
    reportDeprecated(server.options, method, client.side.receives.answers?.[method]?.deprecated);
    return params ? { method, params: server.inputRequestConverter.convert(client.side, method, params) } : { method };
  };
  const converted =
    inputRequests && Object.fromEntries(Object.entries(inputRequests).map(([key, request]) => [key, convert(request)]));
  return server.withResultType(client.side, { resultType: "input_required", inputRequests: converted, requestState });
}

/**
 * Handles a request that contains input responses: resumes its waiting handler, or calls the handler again.
 * @throws ProtocolError -32602 for an invalid state, and for a response that is invalid for the second time
 */
export async function resumeRequest(context: ServerContext): Promise<unknown> {
  const { params, connection } = context;
  const { server } = connection;
  const { requestState, inputResponses } = params as { requestState?: string; inputResponses?: InputResponses };
  if (requestState === undefined) {
    // Without a state, only an `inputRequests` callback can match these responses to input requests.
    context.unmatchedResponses = inputResponses;
    return server.dispatch(context);
  }
  const passed = context.extra?.openedState as RequestStatePayload | undefined;
  const state = passed ?? (await openState(context, requestState));
  if (state.suspended) {
    const run = server.suspendedCalls?.take(state.id);
    if (!run && !passed && state.node !== undefined && server.node)
      return server.node.forward(state.node, context, state);
    if (!run) throw invalidRequestState(context, "its handler no longer waits");
    run.claim(context);
    return server.dispatch(context);
  }
  context.signal.throwIfAborted();
  const usable = checkInputResponses(context, state.inputRequests, inputResponses, state.retried);
  context.inputResponses = { ...state.inputResponses, ...usable };
  context.requestState = state.handlerState;
  context.round = state.round ?? 1;
  return server.dispatch(context);
}

/**
 * Returns the valid responses to these input requests.
 * @param retried whether a response was invalid in the previous round
 * @throws ProtocolError -32602 when a response is invalid for the second time
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
 * Returns a response as handlers receive it; undefined when it is invalid, so that the input request is sent once more.
 * @param retried whether the input request has already been sent once more
 * @throws ProtocolError -32602 when the response is invalid for the second time
 */
export function checkInputResponse(
  { client, connection }: ServerContext,
  key: string,
  inputRequest: InputRequest,
  response: unknown,
  retried: boolean,
): object | undefined {
  const row = checkInputRequest(client.side, client.capabilities, inputRequest);
  const problem = inputResponseProblem(row, inputRequest, response, () =>
    connection.explain(client.side, row.result, response),
  );
  if (problem === undefined) return acceptedInputResponse(inputRequest, response as object);
  if (!retried) return undefined;
  const message = `Invalid params: inputResponses[${JSON.stringify(key.slice(0, 100))}]: ${problem.text}`;
  const { issues } = problem;
  throw new ProtocolError(ErrorCode.InvalidParams, message, issues.length > 0 ? { issues } : undefined);
}
