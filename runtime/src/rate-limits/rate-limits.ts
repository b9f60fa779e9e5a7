import { PING, TOOLS_CALL } from "@mcpwright/protocol/names";
import { toError } from "../jsonrpc/error-conversion.js";
import { ErrorCode, SdkError } from "../jsonrpc/errors.js";
import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { ServerContext } from "../server/contracts.js";
import type { RequestLimits } from "../server/server-options.js";
import { withTimeLimit } from "../timing/with-time-limit.js";
import { boundedKey, type ClientKey, clientKeyOf } from "./client-key.js";
import { CountedKeys } from "./counted-keys.js";
import { limitContexts, onRefused, refusedError, type RequestRefusal } from "./limit-requests.js";
import { type LimitedRequest, toLimitedRequest } from "./limited-request.js";
import { msBeforeNext, type RateLimiter } from "./rate-limiter.js";

/** One limit: which requests it counts, and how many points each client has for them. */
export interface RateLimit {
  /** Counts the points of each client: a limiter of the package `rate-limiter-flexible`. Each limit needs its own `keyPrefix`. */
  readonly limiter: RateLimiter;
  /** The methods that the limit counts. Default: all except `ping`; with `tools`, none but their calls. */
  readonly methods?: readonly string[];
  /** The tools whose calls the limit counts. */
  readonly tools?: readonly string[];
  /**
   * The points that a request takes, a whole number that is at most the points of the limiter; 0 for a request that is not counted. A
   * function that returns something else lets the request fail with -32603, and `onerror` gets the reason. Default: `1`.
   */
  readonly cost?: number | ((request: LimitedRequest) => number);
}

export interface RateLimitsOptions {
  /**
   * Returns a key for the client that sent a request, such as the address that a proxy of yours puts into a header; undefined for the
   * default. Default: the principal; for anonymous clients their address, of which IPv6 counts the first 64 bits. Those without an
   * address share one key.
   */
  readonly keyOf?: (request: LimitedRequest) => string | undefined;
  /**
   * What happens to requests while the store of a limiter fails: `admit` serves them without a limit, `refuse` responds with -32603, over
   * HTTP with 503 and `Retry-After`. The failure is reported to `onerror`, at most every 10 seconds. Default: `"admit"`.
   */
  readonly onStoreFailure?: "admit" | "refuse";
  /** Milliseconds after which a store that does not respond has failed; longer for limiters with `execEvenly`. Default: `1_000`. */
  readonly storeTimeoutMs?: number;
  /**
   * The most clients that each limit counts separately at a time, in this process: as many with a principal, and as many without one.
   * Further ones share the points of one client, so that memory is bounded. Default: `100_000`.
   */
  readonly maxClients?: number;
}

const reportEveryMs = 10_000;

/**
 * Makes the option `rateLimits` of a server from limiters of the package `rate-limiter-flexible`. Each client has points of its own. A
 * request needs points of every limit that counts it; they are taken in order, up to the first limit that refuses it.
 * @example
 * ```ts
 * import { RateLimiterMemory } from "rate-limiter-flexible";
 *
 * const requests = new RateLimiterMemory({ keyPrefix: "requests", points: 100, duration: 60 });
 * const searches = new RateLimiterMemory({ keyPrefix: "searches", points: 10, duration: 60 });
 * const server = new McpServer(
 *   { name: "shop", version: "1.0.0" },
 *   { rateLimits: rateLimits([{ limiter: searches, tools: ["search"] }, { limiter: requests }]) },
 * );
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when a limiter, a cost or an option is invalid
 */
export function rateLimits(limits: readonly RateLimit[], options: RateLimitsOptions = {}): RequestLimits {
  const { keyOf, onStoreFailure = "admit", storeTimeoutMs = 1_000, maxClients = 100_000 } = options;
  assertNumberOptions(options);
  if (!["admit", "refuse"].includes(onStoreFailure))
    throw new SdkError("INVALID_CONFIGURATION", 'onStoreFailure must be "admit" or "refuse"');
  const counted = limits.map((limit) => new CountedLimit(limit, storeTimeoutMs, maxClients));
  let reportedAt = -Infinity;

  const onFailure = (context: ServerContext, cause: unknown): void => {
    const now = performance.now();
    if (now - reportedAt >= reportEveryMs) {
      reportedAt = now;
      const outcome = onStoreFailure === "admit" ? "requests are admitted" : "requests are refused";
      const reason = toError(cause).message;
      const message = `a rate limit cannot be checked, so ${outcome}: ${reason}`;
      context.connection.report(new SdkError("STORE_FAILED", message, undefined, { cause }));
    }
    if (onStoreFailure === "refuse") {
      const refusal = { status: 503, retryAfter: 1 };
      onRefused(context, refusal.status);
      throw refusedError(ErrorCode.InternalError, "Rate limits cannot be checked; try again later", refusal, 1_000);
    }
  };

  const check = async (
    context: ServerContext,
    request: LimitedRequest,
    applied: readonly CountedLimit[],
  ): Promise<RequestRefusal | undefined> => {
    const { kind, key } = clientKeyOf(request, keyOf);
    const client = { kind, key: await boundedKey(key) };
    for (const limit of applied) {
      const cost = limit.costOf(request);
      if (cost === 0) continue;
      try {
        const refusal = await limit.take(client, cost);
        if (refusal) return refusal;
      } catch (error) {
        onFailure(context, error);
      }
    }
    return undefined;
  };

  return limitContexts((context) => {
    const request = toLimitedRequest(context);
    const applied = counted.filter((limit) => limit.counts(request));
    return applied.length === 0 ? undefined : check(context, request, applied);
  });
}

/** A limit, with the clients that it counts. */
class CountedLimit {
  readonly #clients: Readonly<Record<ClientKey["kind"], CountedKeys>>;

  constructor(
    readonly limit: RateLimit,
    readonly timeoutMs: number,
    maxClients: number,
  ) {
    const { limiter, cost = 1 } = limit;
    assertMethods(limiter, ["consume"], "limiter must be a limiter of rate-limiter-flexible");
    if (typeof cost === "number") this.#assertCost(cost);
    const clients = (): CountedKeys => new CountedKeys(maxClients);
    this.#clients = { principal: clients(), address: clients(), key: clients() };
  }

  counts({ method, tool }: LimitedRequest): boolean {
    const { methods, tools } = this.limit;
    if (methods?.includes(method)) return true;
    if (tools) return method === TOOLS_CALL && tools.includes(tool ?? "");
    return !methods && method !== PING;
  }

  costOf(request: LimitedRequest): number {
    const { cost = 1 } = this.limit;
    if (typeof cost === "number") return cost;
    const returned = cost(request);
    this.#assertCost(returned);
    return returned;
  }

  /** Takes points of a client. Returns when there are enough again; undefined if there were. Throws when the store fails. */
  async take({ kind, key }: ClientKey, points: number): Promise<RequestRefusal | undefined> {
    const clients = this.#clients[kind];
    const isSeparate = clients.admit(key);
    const consumed = this.limit.limiter.consume(isSeparate ? `${kind}:${key}` : `others:${kind}`, points);
    const late = (): Error => new Error(`the store did not respond within ${this.timeoutMs} ms`);
    const outcome: unknown = await withTimeLimit(consumed, this.timeoutMs, late).catch((reason: unknown) => {
      if (msBeforeNext(reason) === undefined) throw reason;
      return new Refused(reason);
    });
    const ms = msBeforeNext(outcome instanceof Refused ? outcome.reason : outcome);
    if (isSeparate && ms !== undefined) clients.keep(key, ms);
    return outcome instanceof Refused ? { retryAfterMs: ms } : undefined;
  }

  /** A request that costs more than the limiter has would be refused each time, and asked to come again. */
  #assertCost(cost: number): void {
    const { points } = this.limit.limiter as { readonly points?: unknown };
    if (!Number.isSafeInteger(cost) || cost < 0)
      throw new SdkError("INVALID_CONFIGURATION", `cost must be a whole number that is 0 or more, not ${cost}`);
    if (typeof points === "number" && cost > points)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `cost must be at most the points of the limiter, ${points}: not ${cost}`,
      );
  }
}

/** What a limiter rejected with because a client has too few points. */
class Refused {
  constructor(readonly reason: unknown) {}
}
