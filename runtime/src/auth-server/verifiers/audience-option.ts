import { SdkError } from "../../jsonrpc/errors.js";

/**
 * Checks the option `audience`.
 * @returns undefined for the resource
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function audienceOption(given: string | readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const audience: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (audience.length > 0 && audience.every((item) => typeof item === "string" && item !== ""))
    return audience as readonly string[];
  throw new SdkError("INVALID_CONFIGURATION", "audience must be a string that is not empty, or a list of such strings");
}
