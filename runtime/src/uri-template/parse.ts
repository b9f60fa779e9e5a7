import { SdkError } from "../jsonrpc/errors.js";

/** Longer templates are rejected, and longer URIs do not match. */
export const MAX_LENGTH = 65_536;

/** The `max` of a variable without prefix modifier. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** RFC 3986, section 2.2. */
export const RESERVED = ":/?#[]@!$&'()*+,;=";

/** One variable of an expression with its modifier (RFC 6570, section 2.4). */
export interface Variable {
  readonly name: string;
  readonly explode: boolean;
  /** The number of characters of the value to use. */
  readonly max: number;
}

/** An expression in braces, with the properties of its operator (RFC 6570, appendix A). */
export interface Expression {
  /** The character before the first value. */
  readonly first: string;
  readonly separator: string;
  /** Whether values are written as `name=value`. */
  readonly named: boolean;
  /** Whether reserved characters and percent-encoded triplets in values are kept. */
  readonly reserved: boolean;
  readonly variables: readonly Variable[];
}

/** Literal text, encoded for a URI, or an expression. */
export type Token = string | Expression;

type Operator = readonly [first: string, separator: string, named: boolean, reserved: boolean];

const SIMPLE: Operator = ["", ",", false, false];
const operators: Readonly<Record<string, Operator>> = {
  "+": ["", ",", false, true],
  "#": ["#", ",", false, true],
  ".": [".", ".", false, false],
  "/": ["/", "/", false, false],
  ";": [";", ";", true, false],
  "?": ["?", "&", true, false],
  "&": ["&", "&", true, false],
};

const variableSyntax = /^(?!\.)((?:\.?(?:\w|%[\dA-Fa-f]{2}))+)(?:(\*)|:([1-9]\d{0,3}))?$/;

/** @throws SdkError `INVALID_CONFIGURATION` for a template that RFC 6570, section 2, does not allow */
export function parse(template: string): readonly Token[] {
  function refuse(position: number, problem: string, remedy: string): never {
    const message = `Invalid URI template at position ${position}: ${problem}; ${remedy}.`;
    throw new SdkError("INVALID_CONFIGURATION", message, { template, position });
  }

  function parseExpression(start: number, body: string): Expression {
    const sign = body.charAt(0);
    if (/[=,!@|]/.test(sign)) refuse(start, `the operator "${sign}" is reserved`, "use one of + # . / ; ? & or none");
    const operator = operators[sign];
    const [first, separator, named, reserved] = operator ?? SIMPLE;
    let position = start + (operator ? 1 : 0);
    const variables = template
      .slice(position, start + body.length)
      .split(",")
      .map((text) => {
        const [, name, star, digits] = variableSyntax.exec(text) ?? [];
        if (name === undefined) {
          const rule = 'a name has letters, digits, "_", "%XX" and dots between; after it may come * or :1 to :9999';
          refuse(position, `"${text}" is not a variable`, rule);
        }
        position += text.length + 1;
        return { name, explode: star !== undefined, max: digits === undefined ? WHOLE : Number(digits) };
      });
    return { first, separator, named, reserved, variables };
  }

  if (template.length > MAX_LENGTH) {
    refuse(MAX_LENGTH, `it has ${template.length} characters`, `shorten it to ${MAX_LENGTH}`);
  }
  const tokens: Token[] = [];
  for (let at = 0; at < template.length;) {
    const open = template.indexOf("{", at);
    const literal = template.slice(at, open < 0 ? undefined : open);
    const stray = literal.indexOf("}");
    if (stray >= 0) refuse(at + stray, 'no "{" comes before this "}"', 'add "{", or write %7D for the character');
    if (literal) tokens.push(encode(literal, true));
    if (open < 0) break;
    const close = template.indexOf("}", open);
    if (close < 0) refuse(open, 'no "}" closes this "{"', 'add "}", or write %7B for the character');
    tokens.push(parseExpression(open + 1, template.slice(open + 1, close)));
    at = close + 1;
  }
  return tokens;
}

/** The first characters of a string (RFC 6570, section 2.4.1). */
export function cut(text: string, max: number): string {
  return max === WHOLE ? text : Array.from(text).slice(0, max).join("");
}

/** RFC 6570, sections 1.5 and 3.1. A lone surrogate becomes U+FFFD, as in all web APIs. */
export function encode(text: string, reserved: boolean): string {
  return text.replace(reserved ? /%[\dA-Fa-f]{2}|[^\w.~:/?#[\]@!$&'()*+,;=-]/gu : /[^\w.~-]/gu, (found) =>
    found.length > 2
      ? found
      : Array.from(
          new TextEncoder().encode(found),
          (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
        ).join(""),
  );
}
