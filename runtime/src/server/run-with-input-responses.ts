import { ELICITATION_CREATE } from "@mcpwright/protocol/names";
import type { InputRequests, InputResponses } from "../authoring.js";
import { hasCapability } from "../connection/capability.js";
import { type InputRequired, requireInput } from "../input-requests/input-required.js";
import { UrlElicitationRequiredError } from "../jsonrpc/errors.js";
import type { ServerContext } from "./contracts.js";
import type { InputRequestsCallback } from "./input-requests-callback.js";
import { checkInputResponses } from "./stateless/input-requests.js";

/** Runs `handler` when all input requests have responses; until then, returns the remaining input requests. */
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
    return open.length > 0 ? requireInput({ inputRequests: Object.fromEntries(open) }) : await handler(responses);
  } catch (error) {
    const result = urlInputRequired(error, context);
    if (!result) throw error;
    return result;
  }
}

/**
 * Converts a `UrlElicitationRequiredError` to input requests, in revisions that send these in results. Returns undefined
 * for other errors, other revisions, and clients that cannot open URLs.
 */
export function urlInputRequired(error: unknown, { client }: ServerContext): InputRequired | undefined {
  if (!(error instanceof UrlElicitationRequiredError)) return undefined;
  if (client.side.profile.serverRequests !== "inResult") return undefined;
  if (!hasCapability(client.capabilities, "client.elicitation.url")) return undefined;
  const requests = error.elicitations.map(({ elicitationId, message, url }) => [
    elicitationId,
    { method: ELICITATION_CREATE, params: { mode: "url", message, url } },
  ]);
  return requireInput({ inputRequests: Object.fromEntries(requests) as InputRequests });
}
