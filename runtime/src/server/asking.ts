import { inputRequired, type InputRequired } from "../ask/question.js";
import type { InputRequests, InputResponses } from "../authoring.js";
import { hasCapability } from "../engine/capability.js";
import { UrlElicitationRequiredError } from "../engine/errors.js";
import { takeAnswers } from "../per-request/questions.js";
import type { ServerContext } from "./context.js";

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
  try {
    let given = context.inputResponses ?? {};
    let questions = await ask?.(args, given, context);
    if (ask && questions && context.unclaimed) {
      given = takeAnswers(context, questions, context.unclaimed);
      questions = await ask(args, given, context);
    }
    const open = Object.entries(questions ?? {}).filter(([key]) => !Object.hasOwn(given, key));
    return open.length > 0 ? inputRequired({ inputRequests: Object.fromEntries(open) }) : await handler(given);
  } catch (error) {
    const visit = visitFirst(error, context);
    if (!visit) throw error;
    return visit;
  }
}

/**
 * The questions that stand for a `UrlElicitationRequiredError` where questions are carried in results; undefined for other
 * errors, other revisions, and clients that cannot open URLs.
 */
export function visitFirst(error: unknown, { client }: ServerContext): InputRequired | undefined {
  if (!(error instanceof UrlElicitationRequiredError)) return undefined;
  if (client.side.profile.serverRequests !== "inResult") return undefined;
  if (!hasCapability(client.capabilities, "client.elicitation.url")) return undefined;
  const questions = error.elicitations.map(({ elicitationId, message, url }) => [
    elicitationId,
    inputRequired.elicitUrl({ message, url }),
  ]);
  return inputRequired({ inputRequests: Object.fromEntries(questions) as InputRequests });
}
