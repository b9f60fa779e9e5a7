import { SdkError } from "./jsonrpc/errors.js";
import { compile, match, type MatchedVariables, type Part } from "./uri-template/match.js";
import { cut, encode, type Expression, parse, type Token, WHOLE } from "./uri-template/parse.js";

export type { MatchedVariables };

/** Values by variable name: strings, lists, or maps, which RFC 6570 calls associative arrays (section 2.3). */
export type Variables = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;

/**
 * A URI template with every level of RFC 6570: expands to URIs, and finds the values that a URI was expanded from.
 *
 * Expressions have the operators `+ # . / ; ? &` or none, and variables the modifiers `*` and `:3`. Outside of expressions,
 * characters that URIs do not allow are percent-encoded.
 */
export class UriTemplate {
  /** The names of the variables (RFC 6570, section 2.3), each once, in the order of the template. */
  readonly variableNames: readonly string[];
  readonly #template: string;
  readonly #tokens: readonly Token[];
  readonly #parts: readonly Part[];

  /**
   * @throws SdkError `INVALID_CONFIGURATION` when the template breaks the grammar of RFC 6570, section 2, or is longer than
   * 65,536 characters; `data` contains the `template` and the `position` of the mistake
   */
  constructor(template: string) {
    this.#template = template;
    this.#tokens = parse(template);
    this.#parts = compile(this.#tokens);
    const names = this.#tokens.flatMap((token) =>
      typeof token === "string" ? [] : token.variables.map(({ name }) => name),
    );
    this.variableNames = [...new Set(names)];
  }

  /** Whether a string contains an expression in braces. The expression may be invalid. */
  static isTemplate(text: string): boolean {
    return /\{[^{}\s]+\}/.test(text);
  }

  /**
   * The URI for these values (RFC 6570, section 3). Missing variables, and empty lists and maps, are undefined: they expand to
   * nothing.
   *
   * @throws SdkError `INVALID_CONFIGURATION` for a list or a map whose variable has a prefix modifier (section 2.4.1)
   */
  expand(variables: Variables): string {
    return this.#tokens.map((token) => (typeof token === "string" ? token : expand(token, variables))).join("");
  }

  /**
   * Returns the values from which the template expands to this URI, or null if there are none. RFC 6570 does not define this
   * inverse of expansion (section 3). The object has no prototype, and no entry for undefined variables.
   *
   * - `{a}` matches one character or more, up to a reserved one (RFC 3986, section 2.2) such as `/`. `{+a}` matches reserved
   *   ones as well, except a `?` or `#` that begins a later expression. Expressions with another operator may be missing.
   * - `{?a,b}`, `{&a,b}` and `{;a,b}` match their parameters in any order, and a parameter without `=` as empty. There is no
   *   match when the URI has a parameter that the template lacks.
   * - `{/a*}` returns a list, even of one item; without `*` a value is a string. Maps are not recognized.
   * - Values are percent-decoded. `{+a}` and `{#a}` keep reserved characters encoded if they are encoded in the URI, because
   *   expansion would not encode them. Text that is not percent-encoded UTF-8 does not match.
   * - A variable that occurs more than once must have the same value each time, or the start of it for `{a:3}`.
   * - If several splits are possible, a value matches as much as possible; before an expression that may be missing, as
   *   little as possible, so that `{name}{.ext}` finds the extension.
   *
   * Time and memory grow with the length of the URI times the length of the template. URIs of more than 65,536 characters do
   * not match, nor do URIs longer than 33,554,432 divided by the length of the template.
   */
  match(uri: string): MatchedVariables | null {
    return match(this.#parts, this.#template.length, uri);
  }

  /** The original template. */
  toString(): string {
    return this.#template;
  }
}

/** RFC 6570, section 3.2.1. Untyped code may pass other values than strings: they are printed; null is undefined. */
function expand({ first, separator, named, reserved, variables }: Expression, values: Variables): string {
  const write = (text: unknown) => encode(String(text), reserved);
  const labelled = (name: string, value: string) =>
    !named ? value : value || separator === "&" ? `${name}=${value}` : name;
  const results = variables.flatMap(({ name, explode, max }) => {
    const value: unknown = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) return [];
    if (typeof value !== "object") return labelled(name, write(cut(`${value as string | number}`, max)));
    if (max !== WHOLE) {
      const message = `URI template variable "${name}": a list or map cannot have a prefix of ${max} characters; pass a string, or remove ":${max}" from the template.`;
      throw new SdkError("INVALID_CONFIGURATION", message);
    }
    const isList = Array.isArray(value);
    const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
    if (members.length === 0) return [];
    if (explode) {
      return members.map(([key, member]) => {
        if (isList) return labelled(name, write(member));
        return named ? labelled(write(key), write(member)) : `${write(key)}=${write(member)}`;
      });
    }
    const text = members.flatMap((member) => (isList ? member.slice(1) : member).map(write)).join(",");
    return labelled(name, text);
  });
  return results.length > 0 ? first + results.join(separator) : "";
}
