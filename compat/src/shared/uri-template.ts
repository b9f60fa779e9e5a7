import { UriTemplate as NativeUriTemplate } from "@mcpwright/runtime/server/core";

/** The values of a template by variable name. */
export type Variables = Record<string, string | string[]>;

/** A URI template (RFC 6570). */
export class UriTemplate {
  readonly #native: NativeUriTemplate;

  /** @throws SdkError when the template breaks the grammar of RFC 6570, section 2 */
  constructor(template: string) {
    this.#native = new NativeUriTemplate(template);
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

  /** Returns the values from which the template expands to this URI, or null if there are none. */
  match(uri: string): Variables | null {
    const found = this.#native.match(uri);
    return found && { ...found };
  }

  toString(): string {
    return this.#native.toString();
  }
}
