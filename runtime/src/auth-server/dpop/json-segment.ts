import { isObject } from "../../jsonrpc/guards.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const nonAscii = /[\x80-\xff]/;

/**
 * Reads a segment of a JWS that has to be a JSON object.
 * @param segment characters of base64url only
 * @returns undefined when it is not an object
 */
export function readJsonSegment(segment: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = atob(segment.replaceAll("-", "+").replaceAll("_", "/"));
    // Most proofs are ASCII, and need no decoding: this runs for every request.
    const text = nonAscii.test(bytes) ? decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))) : bytes;
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // It is not base64url, not UTF-8, or not JSON.
    return undefined;
  }
}
