import { isObject } from "../jsonrpc/guards.js";

/** The part of the limiters of the package `rate-limiter-flexible` that is used, such as `RateLimiterMemory` and `RateLimiterRedis`. */
export interface RateLimiter {
  /** Takes points of a key. Rejects with the time to wait when there are not enough, or with an `Error` when the store has failed. */
  consume(key: string, points?: number): Promise<unknown>;
}

/**
 * The milliseconds until the points are reset, of what `consume` resolves or rejects with: of several limiters, which
 * `RateLimiterUnion` joins, the longest. Undefined for anything else, such as an error.
 */
export function msBeforeNext(outcome: unknown): number | undefined {
  if (!isObject(outcome) || outcome instanceof Error) return undefined;
  const parts = "msBeforeNext" in outcome ? [outcome] : Object.values(outcome);
  const times = parts.map((part) => (isObject(part) ? part["msBeforeNext"] : undefined));
  if (times.length === 0 || !times.every((ms) => typeof ms === "number")) return undefined;
  // Points that are never reset have -1.
  return times.some((ms) => ms < 0) ? -1 : Math.max(...times);
}
