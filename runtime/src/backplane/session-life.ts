/*
 * Requests use a session often, but extend what the backplane keeps for it only when a part of the idle time has passed. So it is kept
 * for that part longer.
 */

/** The milliseconds after which a request extends what is kept for its session. */
export function extendAfterMs(idleMs: number): number {
  return idleMs / 8;
}

/**
 * The milliseconds that the record and the data of a session are kept after they were extended.
 * @param idleMs milliseconds after which the session ends unless it is used
 */
export function sessionTtlMs(idleMs: number): number {
  return Math.ceil(idleMs + extendAfterMs(idleMs));
}
