import { SdkError } from "../engine/errors.js";

/** How long, and for whom, a client may keep a result. */
export interface CacheHint {
  /** Milliseconds that the result stays fresh: 0 or more. */
  readonly ttlMs: number;
  /** `public` results may be shown to other callers: they must not depend on who asks. */
  readonly cacheScope: "public" | "private";
}

/** @throws SdkError `INVALID_CONFIGURATION` for a hint that is not legal (MCP 2026-07-28, caching) */
export function checkCacheHint(where: string, { ttlMs, cacheScope }: CacheHint): void {
  if (!Number.isFinite(ttlMs) || ttlMs < 0)
    throw new SdkError("INVALID_CONFIGURATION", `cache hint of ${where}: ttlMs must be milliseconds, 0 or more`);
  if (!["public", "private"].includes(cacheScope))
    throw new SdkError("INVALID_CONFIGURATION", `cache hint of ${where}: cacheScope must be public or private`);
}
