import { answerOf, checkAnswer, checkQuestion, type Question } from "../ask/check.js";
import type { InputRequired } from "../ask/question.js";
import type { InputRequests, InputResponses } from "../authoring.js";
import { ErrorCode, ProtocolError } from "../engine/errors.js";
import { isObject, ownMember } from "../engine/json-rpc.js";
import { checkRound } from "../handshake/questions.js";
import type { ServerContext } from "../server/context.js";
import { openState, refused, type RoundState, sealState } from "./state.js";

/** Makes a handler's wish for input into the result that carries it to the client. */
export async function sealRound(
  context: ServerContext,
  { inputRequests: asked = {}, requestState }: InputRequired,
): Promise<object> {
  const inputRequests = Object.keys(asked).length > 0 ? asked : undefined;
  const { client } = context;
  if (!context.row.alternatives)
    throw new TypeError(`${context.method} may not answer input_required; its handler has to do without`);
  if (inputRequests === undefined && requestState === undefined)
    throw new TypeError("inputRequired needs inputRequests or requestState");
  for (const question of Object.values(asked)) checkQuestion(client.side, client.capabilities, question);
  checkRound(context.round + 1, context.connection.server);
  const state: Omit<RoundState, "expires"> = {
    id: crypto.randomUUID(),
    round: context.round + 1,
    questions: inputRequests,
    answers: context.inputResponses,
    own: requestState,
    retried: context.unusable || undefined,
  };
  return requiredResult(context, inputRequests, await sealState(context, state));
}

export function requiredResult(
  context: ServerContext,
  inputRequests: InputRequests | undefined,
  requestState: string,
): object {
  return context.connection.server.stamp(context.client.side, {
    resultType: "input_required",
    inputRequests,
    requestState,
  });
}

/**
 * Takes up a request that brings answers: either its handler is waiting, or it is entered again with them.
 * @throws ProtocolError -32602 for a state that cannot be used, and for an answer that is wrong for the second time
 */
export async function resume(context: ServerContext): Promise<unknown> {
  const { params, connection } = context;
  const { server } = connection;
  const { requestState, inputResponses } = params as { requestState?: string; inputResponses?: InputResponses };
  if (requestState === undefined) {
    // Which questions these answer, only a handler that asks the same ones every time can tell.
    context.unclaimed = inputResponses;
    return server.dispatch(context);
  }
  const state = await openState(context, requestState);
  if (state.parked) {
    const run = server.parking?.take(state.id);
    if (!run) throw refused(context, "its handler does not wait here any more");
    run.resume(context, inputResponses ?? {});
    // The run answers in its own time.
    return new Promise<never>(() => undefined);
  }
  context.signal.throwIfAborted();
  const usable = takeAnswers(context, state.questions, inputResponses, state.retried);
  context.inputResponses = { ...state.answers, ...usable };
  context.requestState = state.own;
  context.round = state.round ?? 1;
  return server.dispatch(context);
}

/**
 * The answers to these questions, as far as they can be used.
 * @param retried one could not be used before
 * @throws ProtocolError -32602 when one cannot be used again
 */
export function takeAnswers(
  context: ServerContext,
  questions: Readonly<Record<string, Question>> = {},
  answers: InputResponses = {},
  retried = false,
): InputResponses {
  const usable: Record<string, unknown> = {};
  for (const [key, answer] of Object.entries(answers)) {
    const question = ownMember(questions, key);
    if (!question) continue;
    const taken = takeAnswer(context, key, question, answer, retried);
    if (taken) usable[key] = taken;
    else context.unusable = true;
  }
  return usable as InputResponses;
}

/**
 * An answer as handlers see it; undefined when it cannot be used, so that the question is asked once more.
 * @param retried it has been
 * @throws ProtocolError -32602 when it cannot be used again
 */
export function takeAnswer(
  { client }: ServerContext,
  key: string,
  question: Question,
  answer: unknown,
  retried: boolean,
): object | undefined {
  const row = checkQuestion(client.side, client.capabilities, question);
  const problem = isObject(answer) ? checkAnswer(row, question, answer) : "it is not an object";
  if (problem === undefined) return answerOf(question, answer as object);
  if (!retried) return undefined;
  const message = `Invalid params: inputResponses[${JSON.stringify(key.slice(0, 100))}]: ${problem}`;
  throw new ProtocolError(ErrorCode.InvalidParams, message);
}
