/** Text that is safe in a page. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

type Part = string | Html | undefined | readonly Html[];

/** A template tag: escapes all values but those that are HTML already, so that they cannot end an element or an attribute. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(texts.map((text, at) => (at === 0 ? text : `${toText(values[at - 1])}${text}`)).join(""));
}

function toText(value: Part): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escapeHtml(value);
  return value instanceof Html ? value.text : value.join("");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Makes a text of a client fit for display: one line, short, and without characters that are invisible or change the direction of the
 * text, which could make another name of it.
 */
export function displayText(text: string, maxLength: number): string {
  const clean = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu, "")
    // Marks that are stacked on one letter cover the lines above and below.
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .replace(/\s+/g, " ")
    .trim();
  // Not in the middle of a character.
  const characters = Array.from(clean);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : clean;
}
