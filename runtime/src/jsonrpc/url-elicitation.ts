/** What is wrong with a question that sends the user to a URL (MCP, elicitation: URL mode); undefined when nothing is. */
export function urlElicitationProblem({
  message,
  url,
}: Partial<Record<"message" | "url", unknown>>): string | undefined {
  if (typeof message !== "string") return "message must be text";
  // Other schemes run code or start programs, and clients do not open them.
  return typeof url === "string" && /^https?:/i.test(url) && URL.canParse(url)
    ? undefined
    : "url must be an absolute URL that begins with https: or http:";
}
