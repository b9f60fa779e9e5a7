const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Limits on a received JSON text; parsers may set them (RFC 8259, section 9). */
export interface JsonLimits {
  /** Maximum nesting depth of arrays and objects: recursive code would overflow the stack. Default: `1_000`. */
  readonly maxDepth?: number | undefined;
  /**
   * Maximum number of values, counted as the commas and opening brackets outside strings: two bytes of text can become
   * sixty of memory. Default: `1_000_000`.
   */
  readonly maxValues?: number | undefined;
}

/** A parsed text, or why it is rejected. */
export interface ParsedJson {
  /** Undefined when the text has too many values: it is not parsed. */
  readonly value?: unknown;
  /** Undefined when the text is within the limits. */
  readonly problem?: string;
  /** The number of values; undefined for a short text. */
  readonly values?: number;
}

/** @throws SyntaxError when the text is not JSON */
export function parseJson(text: string, { maxDepth = 1_000, maxValues = 1_000_000 }: JsonLimits): ParsedJson {
  // Each level takes two characters and each value one, so a short text is within the limits.
  if (text.length <= 2 * maxDepth && text.length <= maxValues) return { value: JSON.parse(text) };
  const { depth, values } = measureJson(text, maxValues);
  if (values > maxValues) return { problem: `The message has more than ${maxValues} values (option maxValues)` };
  const value: unknown = JSON.parse(text);
  return depth > maxDepth
    ? { value, problem: `The message is nested deeper than ${maxDepth} levels` }
    : { value, values };
}

/** Counts the levels and values of a JSON text. Stops when there are more than `maxValues`. */
export function measureJson(text: string, maxValues = Infinity): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let level = 0;
  let values = 0;
  for (let at = 0; at < text.length && values <= maxValues; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if (code === ARRAY || code === OBJECT) {
      values++;
      if (++level > depth) depth = level;
    } else if (code === ARRAY_END || code === OBJECT_END) level--;
  }
  return { depth, values };
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
