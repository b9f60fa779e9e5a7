import { answerOf, checkAnswer, checkQuestion, type Question } from "../ask/check.js";
import { type InputRequired, isInputRequired } from "../ask/question.js";
import type { InputResponses } from "../authoring.js";
import { SdkError } from "../engine/errors.js";
import { forgive } from "../engine/forgive.js";
import type { CallOptions } from "../engine/pending.js";
import type { ServerContext } from "../server/context.js";
import type { Server } from "../server/server.js";

/** Sends a question as a request and waits for the answer. */
export async function askBySession(
  context: ServerContext,
  key: string,
  question: Question,
  options?: CallOptions,
): Promise<unknown> {
  const { connection, client, signal } = context;
  const row = checkQuestion(client.side, client.capabilities, question);
  const { method, params } = question;
  const converted = params && connection.server.questions.convert(client.side, method, params);
  let answer = await connection.request(method, converted, {
    ...options,
    signal: options?.signal ? AbortSignal.any([signal, options.signal]) : signal,
    meta: { ...context.traceContext, ...options?.meta },
    relatedRequestId: context.requestId,
    checked: true,
  });
  if (!row.result(answer)) answer = forgive(answer, row, client.side.receives);
  const problem = checkAnswer(row, question, answer);
  if (problem) throw new SdkError("INVALID_RESULT", `the answer to "${key}" cannot be used: ${problem}`, answer);
  return answerOf(question, answer as object);
}

/** Asks what a handler's result asks for and enters the handler again, until it is content. */
export async function answerBySession(context: ServerContext, asked: InputRequired): Promise<object> {
  const { server } = context.connection;
  for (let wanted = asked; ;) {
    checkRound(++context.round, server);
    const questions = Object.entries(wanted.inputRequests ?? {});
    let answers: InputResponses;
    try {
      const asking = questions.map(async ([key, question]) => [key, await askBySession(context, key, question)]);
      answers = Object.fromEntries(await Promise.all(asking)) as InputResponses;
    } catch (error) {
      if (!context.recover) throw error;
      return server.complete(context, context.recover(error, context));
    }
    context.inputResponses = { ...context.inputResponses, ...answers };
    context.requestState = wanted.requestState;
    const result = await server.dispatch(context);
    if (!isInputRequired(result)) return server.complete(context, result);
    wanted = result;
  }
}

/** @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED` when a request may not lead to that many rounds of questions */
export function checkRound(round: number, { maxRounds }: Server): void {
  if (round > maxRounds)
    throw new SdkError("INPUT_REQUIRED_ROUNDS_EXCEEDED", `a handler asked for input more than ${maxRounds} times`);
}
