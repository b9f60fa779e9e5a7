/** The syntax tree of a regular expression with the flag `u`. */
export type PatternNode =
  /** One character; `source` is a regular expression of a character or class. */
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "sequence" | "choice"; readonly items: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly of: PatternNode; readonly least: number; readonly most: number }
  /** Matches no characters: an anchor or a word boundary. */
  | { readonly kind: "position" }
  | { readonly kind: "look"; readonly of: PatternNode }
  | { readonly kind: "backreference" };

/** Parses a pattern that is known to be valid. */
export function parsePattern(pattern: string): PatternNode {
  return new Parser(Array.from(pattern)).choice();
}

const position: PatternNode = { kind: "position" };

class Parser {
  private at = 0;

  constructor(private readonly characters: readonly string[]) {}

  choice(): PatternNode {
    const items = [this.sequence()];
    while (this.take("|")) items.push(this.sequence());
    const [only, ...more] = items;
    return only && more.length === 0 ? only : { kind: "choice", items };
  }

  private sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.at < this.characters.length && !this.isNext("|") && !this.isNext(")")) items.push(this.term());
    return { kind: "sequence", items };
  }

  private term(): PatternNode {
    const of = this.atom();
    const count = this.quantifier();
    if (!count) return of;
    this.take("?");
    return { kind: "repeat", of, ...count };
  }

  private quantifier(): { readonly least: number; readonly most: number } | undefined {
    if (this.take("*")) return { least: 0, most: Infinity };
    if (this.take("+")) return { least: 1, most: Infinity };
    if (this.take("?")) return { least: 0, most: 1 };
    const [found, least = "", comma, most = ""] =
      /^\{(\d+)(,)?(\d*)\}/.exec(this.characters.slice(this.at, this.at + 40).join("")) ?? [];
    if (found === undefined) return undefined;
    this.at += found.length;
    return { least: Number(least), most: comma === undefined ? Number(least) : most === "" ? Infinity : Number(most) };
  }

  private atom(): PatternNode {
    const character = this.next();
    switch (character) {
      case "^":
      case "$":
        return position;
      case "(":
        return this.group();
      case "[":
        return this.characterClass();
      case "\\":
        return this.escape();
      default:
        return { kind: "character", source: character };
    }
  }

  private group(): PatternNode {
    const opening = /^\?(?:[:=!]|<[=!]|<[^>]*>)/u.exec(this.characters.slice(this.at).join(""))?.[0] ?? "";
    this.at += Array.from(opening).length;
    const of = this.choice();
    this.take(")");
    return /[=!]$/.test(opening) ? { kind: "look", of } : of;
  }

  private characterClass(): PatternNode {
    let source = "[";
    for (let character = this.next(); character !== ""; character = this.next()) {
      source += character;
      if (character === "\\") source += this.next();
      else if (character === "]") break;
    }
    return { kind: "character", source };
  }

  private escape(): PatternNode {
    const rest = this.characters.slice(this.at, this.at + 40).join("");
    const escaped =
      /^(?:u\{[^}]*\}|ud[89ab]..\\ud[c-f]..|u....|x..|c.|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)/isu.exec(rest)?.[0] ?? "";
    this.at += Array.from(escaped).length;
    if (/^[bB]$/.test(escaped)) return position;
    return /^(?:k<|[1-9])/.test(escaped) ? { kind: "backreference" } : { kind: "character", source: `\\${escaped}` };
  }

  private isNext(character: string): boolean {
    return this.characters[this.at] === character;
  }

  private take(character: string): boolean {
    const found = this.isNext(character);
    if (found) this.at++;
    return found;
  }

  private next(): string {
    return this.characters[this.at++] ?? "";
  }
}
