import type { CacheHint } from "../../server/cache-hint.js";

/** A joined list is as fresh as its oldest part, and as private as its most private one. */
export function joinHints(parts: readonly Partial<CacheHint>[]): Required<CacheHint> {
  const ttlMs = parts.reduce((least, part) => Math.min(least, part.ttlMs ?? 0), Infinity);
  return {
    ttlMs: ttlMs === Infinity ? 0 : ttlMs,
    cacheScope: parts.every(({ cacheScope }) => cacheScope === "public") ? "public" : "private",
  };
}
