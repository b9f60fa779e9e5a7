import type { JsonLimits } from "../jsonrpc/parse-json.js";
import { parseJsonObject } from "../jsonrpc/parse-json-object.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const nonAscii = /[\x80-\xff]/;

/**
 * Reads a segment of a JWS that has to be a JSON object.
 * @param segment characters of base64url only
 * @returns undefined when it is not base64url, UTF-8 or a JSON object, or is beyond the limits
 */
export function readJsonSegment(segment: string, limits?: JsonLimits): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = atob(segment.replaceAll("-", "+").replaceAll("_", "/"));
    // Most segments are ASCII, and need no decoding: this runs for every request.
    const text = nonAscii.test(bytes) ? decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))) : bytes;
    return parseJsonObject(text, limits);
  } catch {
    // The error may contain a part of the token.
    return undefined;
  }
}
