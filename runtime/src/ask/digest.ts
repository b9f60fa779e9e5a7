import { isObject } from "../engine/json-rpc.js";
import { toBase64Url } from "./base64url.js";

/**
 * JSON text that is the same for equal values: what `JSON.stringify` prints, without spaces, and with the members of
 * every object in one order, that of their names (names that are array indices come first, by number).
 * @returns `null` for what JSON cannot say
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) as string | undefined;
  return text ?? "null";
}

/**
 * Digest by which a retry is known to ask for the same as the first request (MCP, multi round-trip requests): SHA-256
 * of the canonical JSON, as base64url. Left out is what may or must differ: `_meta`, `inputResponses` and
 * `requestState`.
 */
export async function digestParams(params: object = {}): Promise<string> {
  const relevant = { ...params, _meta: undefined, inputResponses: undefined, requestState: undefined };
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(relevant)))),
  );
}
