/** Returns what is invalid in a URL elicitation (MCP, elicitation: URL mode); undefined when it is valid. */
export function urlElicitationProblem({
  message,
  url,
}: Partial<Record<"message" | "url", unknown>>): string | undefined {
  if (typeof message !== "string") return "message must be a string";
  // Other schemes run code or start programs, and clients do not open them.
  return typeof url === "string" && /^https?:/i.test(url) && URL.canParse(url)
    ? undefined
    : "url must be an absolute URL that begins with https: or http:";
}
