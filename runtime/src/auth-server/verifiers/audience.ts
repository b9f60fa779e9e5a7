import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";

/**
 * Whether a token with this audience is intended for one of the accepted ones. They are compared exactly; only the slash of a URL
 * without a path does not count, which programs add that parse it (RFC 3986, section 6.2.3).
 */
export function isIntendedFor(audience: readonly string[], accepted: readonly string[]): boolean {
  return audience.some((given) => accepted.some((own) => given === own || withSlash(given) === withSlash(own)));
}

function withSlash(text: string): string {
  // Only a URL without a path becomes its origin and a slash.
  return text.endsWith("/") || parseUrl(text)?.href !== `${text}/` ? text : `${text}/`;
}

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
