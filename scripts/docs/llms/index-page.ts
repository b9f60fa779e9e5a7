/** A page that `docs/README.md` lists. */
export interface ListedPage {
  /** The path below `docs/`, such as `guide/servers.md`. */
  readonly path: string;
  /** What readers want who read it, as the list says. */
  readonly purpose: string;
}

export interface ListedSection {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

/** Reads the lists of `docs/README.md`, in their order. A page is in the first list that has it. */
export function listedSections(index: string): readonly ListedSection[] {
  const seen = new Set<string>();
  const sections: { title: string; pages: ListedPage[] }[] = [];
  for (const line of index.split("\n")) {
    const title = /^##+ (.+)$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, pages: [] });
    const [, purpose = "", cell = ""] = /^\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    for (const [, path = ""] of cell.matchAll(/\]\(([^)#]+\.md)(?:#[^)]*)?\)/g)) {
      if (seen.has(path)) continue;
      seen.add(path);
      sections.at(-1)?.pages.push({ path, purpose: withoutLinks(purpose) });
    }
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

/** The text of a line without the targets of its links. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
