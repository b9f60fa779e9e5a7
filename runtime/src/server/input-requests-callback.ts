import type { InputRequests, InputResponses } from "../authoring.js";
import type { ServerContext } from "./contracts.js";

/**
 * Says what is still to be asked, registered beside a handler: the handler then runs once, with all answers. It is called
 * again after each round, so it must not do anything but look at what it is given.
 * @param responses the answers so far; `decline` and `cancel` are answers, too
 * @returns the questions by key; those that are answered count no more
 */
export type InputRequestsCallback<Args, Requests extends InputRequests = InputRequests> = (
  args: Args,
  responses: InputResponses,
  context: ServerContext,
) => Requests | undefined | Promise<Requests | undefined>;
