import type { InputRequests, InputResponses } from "../authoring.js";
import type { ServerContext } from "./contracts.js";

/**
 * Returns the input requests of a handler, which then runs once with all responses. The callback is called again after
 * each round, so it must have no side effects.
 * @param responses the responses so far, including `decline` and `cancel`
 * @returns the input requests by key; those with a response are ignored
 */
export type InputRequestsCallback<Args, Requests extends InputRequests = InputRequests> = (
  args: Args,
  responses: InputResponses,
  context: ServerContext,
) => Requests | undefined | Promise<Requests | undefined>;
