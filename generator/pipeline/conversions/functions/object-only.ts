/** Removes structured content that is not an object. */
export function objectOnly(content: unknown): unknown {
  return typeof content === "object" && content !== null && !Array.isArray(content) ? content : undefined;
}
