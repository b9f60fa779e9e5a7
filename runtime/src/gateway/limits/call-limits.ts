import { UpstreamLimits, type UpstreamLimitsOptions } from "./upstream-limits.js";

/** Creates the limits of a server; `callLimits` returns it. */
export type CallLimits = (server: string) => UpstreamLimits;

/**
 * Limits the requests that a server of a gateway gets from all clients together, for its option `limits`: calls, reads, prompts and
 * completions, each time that they are sent. Lists, subscriptions, pings, notifications and requests about tasks are not limited. While a
 * server of the handshake era waits for the answer of a user, its call keeps its place.
 *
 * Requests above `concurrency` wait, and clients have their turns one after the other. Those above `callsPerMinute` are refused with the
 * code 429, and `retryAfterMs` in the data of the error; over HTTP with the status 429 and `Retry-After`.
 * @example
 * ```ts
 * const gateway = createGateway({
 *   servers: { mail: { url: "https://mail.example.com/mcp", limits: callLimits({ concurrency: 4, callsPerMinute: 60 }) } },
 * });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 */
export function callLimits(options: UpstreamLimitsOptions): CallLimits {
  // Checks the options now, and not when the gateway is created.
  new UpstreamLimits("", options);
  return (server) => new UpstreamLimits(server, options);
}
