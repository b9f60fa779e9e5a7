import type { Side } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";

/** How long, and for which users, a client may cache a result. */
export interface CacheHint {
  /** Milliseconds for which the result stays fresh: 0 or more. */
  readonly ttlMs: number;
  /** `public` results may be reused for other users, so they must not depend on the user. */
  readonly cacheScope: "public" | "private";
}

/** The part of a request's context that its cache hints depend on. */
export interface CacheableRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Whether the principal was read while the request was handled. */
  readonly isPersonal: boolean;
}

type HintedResult = { -readonly [Member in keyof CacheHint]: CacheHint[Member] } & { nextCursor?: string };

const notToBeKept: CacheHint = { ttlMs: 0, cacheScope: "private" };
const maxCursors = 1_000;

/** @throws SdkError `INVALID_CONFIGURATION` for an invalid hint (MCP 2026-07-28, caching) */
export function checkCacheHint(where: string, { ttlMs, cacheScope }: CacheHint): void {
  const problem = ttlProblem(ttlMs) || scopeProblem(cacheScope);
  if (problem) throw hintError(where, problem);
}

function hintError(where: string, problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `cache hint of ${where}: ${problem}`);
}

function ttlProblem(ttlMs: number): string | false {
  return !(Number.isFinite(ttlMs) && ttlMs >= 0) && "ttlMs must be a finite number of 0 or more";
}

function scopeProblem(cacheScope: string): string | false {
  return !["public", "private"].includes(cacheScope) && 'cacheScope must be "public" or "private"';
}

/** Adds the hints of a server to results, and corrects those of its handlers. */
export class CacheHints {
  /** The scope of the page before, by method and cursor. */
  readonly #scopes = new Map<string, string>();
  readonly #reported = new Set<string>();

  /**
   * @param report called with each kind of invalid hint once per method
   * @throws SdkError `INVALID_CONFIGURATION` for an invalid hint, and for a method whose results have no hints
   */
  constructor(
    readonly defaults: Readonly<Record<string, CacheHint>> = {},
    sides: readonly Side[],
    readonly report: (error: SdkError) => void,
  ) {
    const hinted = sides.filter(({ profile }) => profile.cacheHints);
    for (const [method, hint] of Object.entries(defaults)) {
      checkCacheHint(method, hint);
      if (hinted[0] && !hinted.some(({ receives }) => ownMember(receives.requests, method)?.cacheable))
        throw hintError(method, "its results cannot be cached");
    }
  }

  /** Returns the result with valid hints; in doubt, with those that let clients cache less. */
  addTo(result: object, { method, params, isPersonal }: CacheableRequest): object {
    const hinted = { ...(this.defaults[method] ?? notToBeKept), ...result } as HintedResult;
    const { nextCursor } = hinted;
    const cursor = params?.["cursor"] as string | undefined;
    const before = cursor === undefined ? undefined : this.#scopes.get(`${method} ${cursor}`);
    const badTtl = ttlProblem(hinted.ttlMs);
    if (badTtl) {
      hinted.ttlMs = 0;
      this.#report(method, badTtl);
    }
    const badScope =
      scopeProblem(hinted.cacheScope) ||
      (isPersonal && hinted.cacheScope === "public" && "the principal was read, so cacheScope must be private") ||
      (before && before !== hinted.cacheScope && "all pages must have the same cacheScope");
    if (badScope) {
      hinted.cacheScope = "private";
      this.#report(method, badScope);
    }
    if (nextCursor !== undefined) {
      if (this.#scopes.size >= maxCursors) this.#scopes.clear();
      this.#scopes.set(`${method} ${nextCursor}`, hinted.cacheScope);
    }
    return hinted;
  }

  #report(method: string, problem: string): void {
    const error = hintError(`a result of ${method}`, `${problem}; sent with ttlMs 0 or as private`);
    if (this.#reported.has(error.message)) return;
    this.#reported.add(error.message);
    this.report(error);
  }
}
