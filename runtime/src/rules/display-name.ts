/** An item with a programmatic name and an optional title. */
export interface NamedItem {
  readonly name: string;
  readonly title?: string | undefined;
  readonly annotations?: { readonly title?: string | undefined } | object | undefined;
}

/** The name to show: the title, then (for tools) the title of the annotations, then the name. */
export function getDisplayName({ name, title, annotations }: NamedItem): string {
  return title ?? (annotations as { readonly title?: string } | undefined)?.title ?? name;
}
