/**
 * Replaces comments and trailing commas with spaces, so that `JSON.parse` accepts the text and all positions stay the same. Other
 * deviations from JSON remain, and so do comments that are not closed.
 */
export function blankComments(text: string): string {
  const blanks: { readonly from: number; readonly to: number }[] = [];
  /** The last token that is not a comment, and the one before it. */
  let [last, before] = [start, start];
  for (let token = nextToken(text, 0); token; token = nextToken(text, token.to)) {
    if (token.kind === "comment") {
      blanks.push(token);
      continue;
    }
    const closes = token.kind === "}" || token.kind === "]";
    if (closes && last.kind === "," && !opens.has(before.kind)) blanks.push(last);
    [last, before] = [token, last];
  }
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of blanks.sort((a, b) => a.from - b.from)) {
    pieces.push(text.slice(done, from), text.slice(from, to).replace(/[^\r\n]/g, " "));
    done = to;
  }
  return pieces.join("") + text.slice(done);
}

interface Token {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

const start: Token = { kind: "", from: 0, to: 0 };

/** After these tokens, a comma does not follow a value. */
const opens = new Set(["", "{", "[", ",", ":"]);

/** A string, also one that is not closed on its line; a comment or its begin; a sign; a word. */
const token = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*|[{}[\],:]|[^\s{}[\],:"/]+|[^\s]/y;
const space = /\s*/y;

function nextToken(text: string, at: number): Token | undefined {
  space.lastIndex = at;
  space.test(text);
  const from = space.lastIndex;
  token.lastIndex = from;
  const [word] = token.exec(text) ?? [];
  if (word === undefined) return undefined;
  const to = from + word.length;
  if (word.startsWith("//")) return { kind: "comment", from, to };
  if (word !== "/*") return { kind: word, from, to };
  const end = text.indexOf("*/", to);
  // The rest of the text is one word, which `JSON.parse` rejects at its begin.
  return end < 0 ? { kind: word, from, to: text.length } : { kind: "comment", from, to: end + 2 };
}
