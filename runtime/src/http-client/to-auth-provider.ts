import { SdkError } from "../jsonrpc/errors.js";
import type { Authorization, AuthProvider } from "./auth-provider.js";

/** @throws SdkError `INVALID_CONFIGURATION` for anything but a provider, a function and a valid token */
export function toAuthProvider(given: Authorization): AuthProvider {
  if (typeof given === "string") {
    assertToken(given);
    return { token: () => given };
  }
  if (typeof given === "function") return { token: given };
  if (typeof (given as Partial<AuthProvider> | null)?.token === "function") return given;
  throw invalid("must be an object with the function `token`, a function that returns a token, or a token");
}

/**
 * Checks that a header can carry a token. `fetch` does so, too, but shows the token in its error.
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function assertToken(token: unknown): asserts token is string {
  if (typeof token !== "string") throw invalid("the token must be a string, or undefined for none");
  if (token === "") throw invalid("the token is empty; return undefined for none");
  const at = token.search(/[^!-~]/);
  if (at < 0) return;
  const code = (token.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const hint = token.trim() === token ? "" : "; trim it, because a file may end with a line break";
  throw invalid(`the token contains the character U+${code}, which a header cannot carry${hint}`);
}

/**
 * Checks the headers of a provider, without showing them.
 * @returns the headers with names in lower case
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalid("`headers` returned a name that is not valid in a header");
      if (typeof value === "string" && /^[!-~]([ -~]*[!-~])?$/.test(value)) return [name.toLowerCase(), value];
      throw invalid(`\`headers\` returned a value of ${name} that is empty or not valid in a header`);
    }),
  );
}

function invalid(what: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `authProvider: ${what}`);
}
