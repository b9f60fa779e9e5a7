import { SdkError } from "../jsonrpc/errors.js";

/** How long, and for which users, a client may cache a result. */
export interface CacheHint {
  /** Milliseconds for which the result stays fresh: 0 or more. */
  readonly ttlMs: number;
  /** `public` results may be reused for other users, so they must not depend on the user. */
  readonly cacheScope: "public" | "private";
}

/** @throws SdkError `INVALID_CONFIGURATION` for an invalid hint (MCP 2026-07-28, caching) */
export function checkCacheHint(where: string, { ttlMs, cacheScope }: CacheHint): void {
  const problem =
    !Number.isFinite(ttlMs) || ttlMs < 0
      ? "ttlMs must be a finite number of 0 or more"
      : !["public", "private"].includes(cacheScope) && 'cacheScope must be "public" or "private"';
  if (problem) throw new SdkError("INVALID_CONFIGURATION", `cache hint of ${where}: ${problem}`);
}
