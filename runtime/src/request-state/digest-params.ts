import { canonicalJson } from "../jsonrpc/canonical-json.js";
import { toBase64Url } from "./base64url.js";

/**
 * Computes a digest that shows whether a retry has the same params as the first request (MCP, multi round-trip requests):
 * SHA-256 of the canonical JSON, as base64url. Excludes the members that may or must differ: `_meta`, `inputResponses` and
 * `requestState`.
 */
export async function digestParams(params: object = {}): Promise<string> {
  const relevant = { ...params, _meta: undefined, inputResponses: undefined, requestState: undefined };
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(relevant)))),
  );
}
