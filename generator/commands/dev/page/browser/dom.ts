type Child = Node | string | undefined | false;

/**
 * Makes an element. Children that are strings become text, so that nothing of a server is read as HTML.
 * @param attributes true sets an attribute without a value, false and undefined set none
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** @throws Error if the page has no such element */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/** Makes a button with its action. */
export function button(
  text: string,
  onClick: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

let lastId = 0;

/** An id that no other element has. */
export function freshId(): string {
  return `id-${++lastId}`;
}
