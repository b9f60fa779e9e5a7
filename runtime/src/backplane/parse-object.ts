import { isObject } from "../jsonrpc/guards.js";

/** Parses the text of an object, which another program may have written. Returns undefined when it is something else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
