import { SdkError } from "../jsonrpc/errors.js";
import type { AuthHeaders, Authorization, AuthProvider } from "./auth-provider.js";

/** @throws SdkError `INVALID_CONFIGURATION` for anything but a provider, a function and a valid token */
export function toAuthProvider(given: Authorization): AuthProvider {
  if (typeof given === "string") {
    assertToken(given);
    return { token: () => given };
  }
  if (typeof given === "function") return { token: given };
  if (typeof (given as Partial<AuthProvider> | null)?.token === "function") return given;
  throw invalid("pass a token, a function that returns one, or an object with the function `token`");
}

/**
 * Checks that a header can carry a token. `fetch` does so, too, but shows the token in its error.
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function assertToken(token: unknown): asserts token is string | undefined {
  if (token !== undefined && (typeof token !== "string" || !/^[!-~]+$/.test(token)))
    throw invalid("the token must be a string without spaces and line breaks (is it from a file?), or undefined");
}

/**
 * Checks the headers of a provider, without showing them.
 * @returns the headers with names in lower case
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function checkedHeaders(headers: AuthHeaders): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw invalid("`headers` returned a name or value that is not valid in HTTP");
  }
}

function invalid(what: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `authProvider: ${what}`);
}
