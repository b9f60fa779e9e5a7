import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";

/**
 * Checks the URL of a client-id metadata document (MCP 2025-11-25, authorization, client ID metadata documents): https, with a
 * path, without fragment, user name, password and dot segments.
 * @param name the option, for messages
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function assertClientIdUrl(clientId: unknown, name: string): asserts clientId is string {
  const url = typeof clientId === "string" ? parseUrl(clientId) : undefined;
  const problem = url
    ? problemOf(url, String(clientId))
    : `must be a URL such as https://app.example.com/oauth/client.json`;
  if (problem !== undefined) throw new SdkError("INVALID_CONFIGURATION", `${name} ${problem}`);
}

function problemOf(url: URL, text: string): string | undefined {
  if (url.protocol !== "https:") return "must begin with https:";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (text.includes("#")) return "must not contain a fragment";
  if (url.pathname === "/") return "must have a path, such as https://app.example.com/oauth/client.json";
  // The text is compared as it is: what a URL parser would change cannot be found again.
  return url.href === text ? undefined : `must be spelled in its canonical form: ${url.href}`;
}
