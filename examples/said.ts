/** A tool result of one text. */
export function said(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

/** One that tells the model what went wrong, so that it can try something else. */
export function failed(text: string) {
  return { ...said(text), isError: true };
}
