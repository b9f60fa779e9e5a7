const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Rejects JSON whose arrays and objects are nested deeper than `maxDepth` levels: recursive code would overflow the stack.
 * Parsers may limit the depth (RFC 8259, section 9).
 * @param text valid JSON
 * @param maxDepth Default: `1_000`
 * @returns the problem; undefined when there is none
 */
export function depthProblem(text: string, maxDepth = 1_000): string | undefined {
  // Each level takes two characters, so a short text cannot be too deep.
  if (text.length <= 2 * maxDepth || !isDeeper(text, maxDepth)) return undefined;
  return `The message is nested deeper than ${maxDepth} levels`;
}

function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === ARRAY || code === OBJECT) {
      if (++depth > maxDepth) return true;
    } else if (code === ARRAY_END || code === OBJECT_END) depth--;
  }
  return false;
}

/** Returns the index of the closing quote of the string that begins at `start`: the next quote that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
