import { inputRequired } from "../ask/question.js";
import type { InputRequests, InputResponses } from "../authoring.js";
import { takeAnswers } from "../per-request/questions.js";
import type { ServerContext } from "./context.js";
import { visitFirst } from "./visit-first.js";

/**
 * Says what is still to be asked, registered beside a handler: the handler then runs once, with all answers. It is called
 * again after each round, so it must not do anything but look at what it is given.
 * @param given the answers so far; `decline` and `cancel` are answers, too
 * @returns the questions by key; those that are answered count no more
 */
export type Ask<Args, Asked extends InputRequests = InputRequests> = (
  args: Args,
  given: InputResponses,
  context: ServerContext,
) => Asked | undefined | Promise<Asked | undefined>;

/** Runs `handler` once everything is answered; until then the result says what is to be asked. */
export async function answered<Args>(
  ask: Ask<Args> | undefined,
  args: Args,
  context: ServerContext,
  handler: (given: InputResponses) => unknown,
): Promise<unknown> {
  let given = context.inputResponses ?? {};
  let questions = await ask?.(args, given, context);
  if (ask && questions && context.unclaimed) {
    given = takeAnswers(context, questions, context.unclaimed);
    questions = await ask(args, given, context);
  }
  const open = Object.entries(questions ?? {}).filter(([key]) => !Object.hasOwn(given, key));
  return open.length > 0 ? inputRequired({ inputRequests: Object.fromEntries(open) }) : handler(given);
}

/** Catches a `UrlElicitationRequiredError` where a question can take its place. */
export function askedToVisit(context: ServerContext): (error: unknown) => unknown {
  return (error) => {
    const visit = visitFirst(error, context);
    if (!visit) throw error;
    return visit;
  };
}
