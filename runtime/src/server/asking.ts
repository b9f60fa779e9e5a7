import { inputRequired, type InputRequired } from "../ask/question.js";
import type { InputRequests, InputResponses } from "../authoring.js";
import { hasCapability } from "../engine/capability.js";
import { UrlElicitationRequiredError } from "../engine/errors.js";
import { checkInputResponses } from "../per-request/questions.js";
import type { ServerContext } from "./context.js";

/**
 * Says what is still to be asked, registered beside a handler: the handler then runs once, with all answers. It is called
 * again after each round, so it must not do anything but look at what it is given.
 * @param given the answers so far; `decline` and `cancel` are answers, too
 * @returns the questions by key; those that are answered count no more
 */
export type InputRequestsCallback<Args, Requests extends InputRequests = InputRequests> = (
  args: Args,
  responses: InputResponses,
  context: ServerContext,
) => Requests | undefined | Promise<Requests | undefined>;

/** Runs `handler` once everything is answered; until then the result says what is to be asked. */
export async function runWithInputResponses<Args>(
  callback: InputRequestsCallback<Args> | undefined,
  args: Args,
  context: ServerContext,
  handler: (responses: InputResponses) => unknown,
): Promise<unknown> {
  try {
    let responses = context.inputResponses ?? {};
    let requests = await callback?.(args, responses, context);
    if (callback && requests && context.unmatchedResponses) {
      responses = checkInputResponses(context, requests, context.unmatchedResponses);
      requests = await callback(args, responses, context);
    }
    const open = Object.entries(requests ?? {}).filter(([key]) => !Object.hasOwn(responses, key));
    return open.length > 0 ? inputRequired({ inputRequests: Object.fromEntries(open) }) : await handler(responses);
  } catch (error) {
    const result = urlInputRequired(error, context);
    if (!result) throw error;
    return result;
  }
}

/**
 * The questions that stand for a `UrlElicitationRequiredError` where questions are carried in results; undefined for other
 * errors, other revisions, and clients that cannot open URLs.
 */
export function urlInputRequired(error: unknown, { client }: ServerContext): InputRequired | undefined {
  if (!(error instanceof UrlElicitationRequiredError)) return undefined;
  if (client.side.profile.serverRequests !== "inResult") return undefined;
  if (!hasCapability(client.capabilities, "client.elicitation.url")) return undefined;
  const requests = error.elicitations.map(({ elicitationId, message, url }) => [
    elicitationId,
    inputRequired.elicitUrl({ message, url }),
  ]);
  return inputRequired({ inputRequests: Object.fromEntries(requests) as InputRequests });
}
