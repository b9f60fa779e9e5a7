/** A name or URI of a server for messages: in quotation marks, with line breaks escaped, and no longer than 100 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
}
