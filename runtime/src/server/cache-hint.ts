import { SdkError } from "../jsonrpc/errors.js";

/** How long, and for whom, a client may keep a result. */
export interface CacheHint {
  /** Milliseconds that the result stays fresh: 0 or more. */
  readonly ttlMs: number;
  /** `public` results may be shown to other callers: they must not depend on who asks. */
  readonly cacheScope: "public" | "private";
}

/** @throws SdkError `INVALID_CONFIGURATION` for a hint that is not legal (MCP 2026-07-28, caching) */
export function checkCacheHint(where: string, { ttlMs, cacheScope }: CacheHint): void {
  const problem =
    !Number.isFinite(ttlMs) || ttlMs < 0
      ? "ttlMs must be milliseconds, 0 or more"
      : !["public", "private"].includes(cacheScope) && "cacheScope must be public or private";
  if (problem) throw new SdkError("INVALID_CONFIGURATION", `cache hint of ${where}: ${problem}`);
}
