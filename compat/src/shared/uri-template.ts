import { UriTemplate as NativeUriTemplate } from "@mcpwright/runtime/server/core";

/** The values of a template by variable name. */
export type Variables = Record<string, string | string[]>;

/** A URI template (RFC 6570). */
export class UriTemplate {
  readonly #native: NativeUriTemplate;
  /** Matches URIs without percent signs, so that nothing is decoded. */
  readonly #raw: NativeUriTemplate;

  /** @throws SdkError when the template breaks the grammar of RFC 6570, section 2 */
  constructor(template: string) {
    this.#native = new NativeUriTemplate(template);
    this.#raw = template.includes("%") ? new NativeUriTemplate(withoutPercent(template)) : this.#native;
  }

  static isTemplate(str: string): boolean {
    return NativeUriTemplate.isTemplate(str);
  }

  get variableNames(): string[] {
    return [...this.#native.variableNames];
  }

  /** Returns the URI for these values; missing ones expand to nothing. */
  expand(variables: Variables): string {
    return this.#native.expand(variables);
  }

  /**
   * Returns the parts of a URI that stand for the variables, or null if it is not one of the template. They are not decoded: programs for the
   * official SDK do that, and rely on a value without slashes where it has `%2F`.
   */
  match(uri: string): Variables | null {
    const found = this.#raw.match(withoutPercent(uri));
    if (!found) return null;
    return Object.fromEntries(
      Object.entries(found).map(([name, value]) => [
        name,
        typeof value === "string" ? withPercent(value) : value.map(withPercent),
      ]),
    );
  }

  toString(): string {
    return this.#native.toString();
  }
}

/** A character that is not part of any text, and that URIs may contain as it is. */
const standIn = "\uE000";

function withoutPercent(text: string): string {
  return text.replaceAll("%", standIn);
}

function withPercent(text: string): string {
  return text.replaceAll(standIn, "%");
}
