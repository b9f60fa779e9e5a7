/** A tool result with one text block. */
export function textResult(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

/** A tool result that reports an error to the model, so that it can try something else. */
export function errorResult(text: string) {
  return { ...textResult(text), isError: true };
}
