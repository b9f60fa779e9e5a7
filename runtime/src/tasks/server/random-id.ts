/** Of RFC 4648, section 5: 6 bits per character. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const length = 43;
/** Random bytes for several ids, because getting them costs about the same for one. */
const pool = /* @__PURE__ */ new Uint8Array(length * 64);
let next = pool.length;

/** Returns 258 random bits: without authorization, the id of a task is the only proof that it belongs to a client. */
export function randomId(): string {
  if (next === pool.length) {
    crypto.getRandomValues(pool);
    next = 0;
  }
  const codes: number[] = [];
  for (const end = next + length; next < end; next++) {
    codes.push(alphabet.charCodeAt((pool[next] ?? 0) & 63));
    pool[next] = 0;
  }
  // In one piece: an id that is put together from parts keeps them in memory.
  return String.fromCharCode(...codes);
}
