/** What has a name for programs and may have one for people. */
export interface NamedItem {
  readonly name: string;
  readonly title?: string | undefined;
  readonly annotations?: { readonly title?: string | undefined } | object | undefined;
}

/** The name to show: the title, then (for tools) that of the annotations, then the name. */
export function getDisplayName({ name, title, annotations }: NamedItem): string {
  return title ?? (annotations as { readonly title?: string } | undefined)?.title ?? name;
}
