/** The anchor that GitHub gives a heading, without a number for repetitions. The site uses it, too. */
export function headingAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Separates a heading from the anchor that it states: `询问用户 {#ask-the-user}`. */
export function splitStatedAnchor(heading: string): { readonly text: string; readonly stated?: string } {
  const match = /^(.*?)\s*\{#([^\s{}#]+)\}$/.exec(heading);
  return match === null ? { text: heading } : { text: match[1] ?? "", stated: match[2] ?? "" };
}
