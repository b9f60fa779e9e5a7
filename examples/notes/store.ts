export interface Note {
  readonly slug: string;
  readonly title: string;
  readonly text: string;
}

/** Keeps notes by slug in memory, and notifies listeners of changes. */
export class NoteStore {
  readonly #notes = new Map<string, Note>();
  readonly #listeners: ((slug: string, what: "added" | "changed" | "removed") => void)[] = [];

  onChange(listener: (slug: string, what: "added" | "changed" | "removed") => void): void {
    this.#listeners.push(listener);
  }

  get(slug: string): Note | undefined {
    return this.#notes.get(slug);
  }

  all(): readonly Note[] {
    return [...this.#notes.values()];
  }

  slugs(start = ""): string[] {
    return [...this.#notes.keys()].filter((slug) => slug.startsWith(start));
  }

  put(title: string, text: string): Note {
    const note = { slug: slugOf(title), title, text };
    const what = this.#notes.has(note.slug) ? "changed" : "added";
    this.#notes.set(note.slug, note);
    this.#tell(note.slug, what);
    return note;
  }

  remove(slug: string): boolean {
    const isGone = this.#notes.delete(slug);
    if (isGone) this.#tell(slug, "removed");
    return isGone;
  }

  #tell(slug: string, what: "added" | "changed" | "removed"): void {
    for (const listener of this.#listeners) listener(slug, what);
  }
}

export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
