import { parseUrl } from "./parse-url.js";

/** Returns what is invalid in a URL elicitation (MCP, elicitation: URL mode); undefined when it is valid. */
export function urlElicitationProblem({
  message,
  url,
}: Partial<Record<"message" | "url", unknown>>): string | undefined {
  if (typeof message !== "string") return "message must be a string";
  // Other schemes run code or start programs, and clients do not open them.
  const parsed = typeof url === "string" && /^https?:/i.test(url) && parseUrl(url);
  if (!parsed) return "url must be an absolute URL that begins with https: or http:";
  // What stands before "@" can be mistaken for the host (RFC 3986, 7.6).
  const { username, password } = parsed;
  return username + password ? "url must not contain a user name or password" : undefined;
}
