import { base64url } from "jose";
import { isObject } from "../../jsonrpc/guards.js";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a segment of a JWS that has to be a JSON object. @returns undefined when it is not */
export function readJsonSegment(segment: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(base64url.decode(segment)));
    return isObject(value) ? value : undefined;
  } catch {
    // It is not base64url, not UTF-8, or not JSON.
    return undefined;
  }
}
