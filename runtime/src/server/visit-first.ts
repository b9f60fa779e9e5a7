import { inputRequired, type InputRequired } from "../ask/question.js";
import type { InputRequests } from "../authoring.js";
import { hasCapability } from "../engine/capability.js";
import { UrlElicitationRequiredError } from "../engine/errors.js";
import type { ServerContext } from "./context.js";

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
