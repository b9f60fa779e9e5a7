import { isObject } from "../jsonrpc/guards.js";

/** @returns undefined when the text is not JSON, or something other than an object */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
