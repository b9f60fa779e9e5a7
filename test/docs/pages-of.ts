import type { Repository } from "../../scripts/docs/check/check-links.js";
import { readPage } from "../../scripts/docs/read/read-page.js";

/** A repository with some files: pages with a text, other files without. */
export function pagesOf(files: Readonly<Record<string, string>>): Repository {
  return {
    exists: (path) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`)),
    page(path) {
      const text = files[path];
      return text === undefined || !path.endsWith(".md") ? undefined : readPage(path, text);
    },
  };
}
