import { log } from "../connection/logger.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { REFUSAL, type Refusal } from "../jsonrpc/refusal.js";
import type { ServerContext } from "../server/contracts.js";
import type { RequestLimits } from "../server/server-options.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { type LimitedRequest, toLimitedRequest } from "./limited-request.js";

/** Why a request does not run. */
export interface RequestRefusal {
  /** Milliseconds after which the client may send the request again. Default: the client does not learn it. */
  readonly retryAfterMs?: number | undefined;
  /** The message of the error. Default: `Too many requests`, with the time to wait. */
  readonly message?: string;
}

type Verdict = RequestRefusal | undefined;

/**
 * Makes the option `rateLimits` of a server from a function that decides about each request: it returns why the request does not run, or
 * undefined. It is called for requests with valid params, before anything of them runs, and again when a client sends a request again
 * with the responses of its user; not for notifications. A request that is refused receives the error 429, over HTTP with status 429 and
 * `Retry-After`. When the function throws, the request receives -32603, and the error goes to `onerror`.
 * @example
 * ```ts
 * const rateLimits = limitRequests(({ address }) => (banned.has(address) ? { retryAfterMs: 60_000 } : undefined));
 * const server = new McpServer({ name: "shop", version: "1.0.0" }, { rateLimits });
 * ```
 */
export function limitRequests(decide: (request: LimitedRequest) => Verdict | Promise<Verdict>): RequestLimits {
  return limitContexts((context) => decide(toLimitedRequest(context)));
}

/** @throws ProtocolError (also as a rejection) the error response to a refused request */
export function limitContexts(decide: (context: ServerContext) => Verdict | Promise<Verdict>): RequestLimits {
  return (context, run) => {
    const follow = (verdict: Verdict): unknown => {
      if (verdict) {
        onRefused(context, 429);
        throw tooManyRequests(verdict);
      }
      // It was cancelled meanwhile.
      if (context.done) throw new SdkError("REQUEST_CANCELLED", "the request was cancelled before it ran");
      return run();
    };
    const verdict = decide(context);
    return isPromiseLike(verdict) ? verdict.then(follow) : follow(verdict);
  };
}

/** Counts and logs a refused request. */
export function onRefused({ connection: { server }, method, extra }: ServerContext, status: number): void {
  server.refused++;
  log(
    server.options,
    "warn",
    { status, method, remoteAddress: extra?.http?.remoteAddress },
    "request refused by a limit",
  );
}

function tooManyRequests({ retryAfterMs, message }: RequestRefusal): ProtocolError {
  const isKnown = retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  // Not earlier than allowed: whole seconds, rounded up.
  const retryAfter = isKnown ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : undefined;
  const text = message ?? `Too many requests${retryAfter === undefined ? "" : `; try again in ${retryAfter} s`}`;
  return refusedError(ErrorCode.TooManyRequests, text, { status: 429, retryAfter }, isKnown ? retryAfterMs : undefined);
}

export function refusedError(code: number, message: string, refusal: Refusal, retryAfterMs?: number): ProtocolError {
  const data = { ...(retryAfterMs !== undefined && { retryAfterMs: Math.ceil(retryAfterMs) }), [REFUSAL]: refusal };
  return new ProtocolError(code, message, data);
}
