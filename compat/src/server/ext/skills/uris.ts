/** What a URI contains of a name as it is. `encodeURIComponent` encodes more, such as `&`. */
const encoded = /[^\w!$&'()*+,.:;=@[\]|~-]+/gu;

/**
 * Returns the URI of a file or folder.
 * @param base a scheme with `://`, or a URI of a folder
 * @throws URIError for names that are not Unicode text
 */
export function uriBelow(base: string, names: readonly string[]): string {
  const isScheme = base.endsWith("://");
  // The first name after a scheme is where other URIs have their host.
  const parts = names.map((name, index) => (isScheme && index === 0 ? encodeURIComponent(name) : encodeName(name)));
  return isScheme ? base + parts.join("/") : [withoutSlashes(base), ...parts].join("/");
}

function encodeName(name: string): string {
  return name.replace(encoded, encodeURIComponent);
}

/** Removes the slashes at the end. */
export function withoutSlashes(uri: string): string {
  let end = uri.length;
  while (uri[end - 1] === "/") end--;
  return uri.slice(0, end);
}

/** Returns the normal form of a URI; undefined for what is not one. */
export function normalUri(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).href : undefined;
}

/** Sorts by URI, or by other text, without regard to the language. */
export function sortedBy<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return [...items].sort((one, other) => compare(textOf(one), textOf(other)));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
