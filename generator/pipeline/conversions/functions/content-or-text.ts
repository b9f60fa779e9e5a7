/** Returns the content of a tool result; if it is empty and the structured content cannot be sent, that as a text block. */
export function contentOrText(content: unknown, result: unknown): unknown {
  const { structuredContent } = result as { readonly structuredContent?: unknown };
  const lost =
    structuredContent !== undefined &&
    (typeof structuredContent !== "object" || structuredContent === null || Array.isArray(structuredContent));
  return lost && Array.isArray(content) && content.length === 0
    ? [{ type: "text", text: JSON.stringify(structuredContent) }]
    : content;
}
