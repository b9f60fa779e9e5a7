import { isObject } from "./guards.js";
import { type JsonLimits, parseJson } from "./parse-json.js";

/**
 * Parses a JSON text of another program.
 * @returns undefined when it is not JSON, not an object, or beyond the limits
 */
export function parseJsonObject(text: string, limits: JsonLimits = {}): Readonly<Record<string, unknown>> | undefined {
  try {
    const { value, problem } = parseJson(text, limits);
    return problem === undefined && isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
