import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { isLoopbackUrl } from "../discovery/secure-url.js";
import type { ApplicationType } from "./client-metadata.js";

/** Schemes whose URIs a browser runs or opens by itself. */
const forbiddenSchemes: ReadonlySet<string> = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "javascript:",
  "vbscript:",
  "view-source:",
]);

const examples = "https://app.example.com/callback, http://127.0.0.1:3000/callback or com.example.app:/callback";

/**
 * Checks the redirect URI of an application: https, http on a loopback address, or a scheme of its own (MCP, authorization:
 * communication security; RFC 8252, section 7).
 * @throws SdkError `INVALID_CONFIGURATION`
 */
export function assertRedirectUri(redirectUri: unknown, name = "redirectUri"): asserts redirectUri is string {
  const problem = problemOf(redirectUri);
  if (problem !== undefined)
    throw new SdkError("INVALID_CONFIGURATION", `${name} ${problem}: use for example ${examples}`);
}

function problemOf(redirectUri: unknown): string | undefined {
  const url = typeof redirectUri === "string" ? parseUrl(redirectUri) : undefined;
  if (!url) return "must be an absolute URL";
  if (/[\s#]/.test(String(redirectUri))) return "must not contain spaces or a fragment";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (url.protocol === "http:") return isLoopbackUrl(url) ? undefined : "must be https, except on a loopback address";
  return forbiddenSchemes.has(url.protocol) ? `must not have the scheme ${url.protocol}` : undefined;
}

/** Returns `native` for a redirect URI that only a program on the user's device can receive (RFC 8252). */
export function applicationTypeOf(redirectUri: string): ApplicationType {
  const url = parseUrl(redirectUri);
  return url?.protocol === "https:" && !isLoopbackUrl(url) ? "web" : "native";
}
