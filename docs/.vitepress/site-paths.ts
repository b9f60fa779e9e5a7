import { existsSync } from "node:fs";
import { join } from "node:path";

export const docsFolder = join(import.meta.dirname, "..");
export const root = join(docsFolder, "..");

/** The path of a page of `docs/` in the site: READMEs are the indexes of their folders, unless these have an index. */
export function sitePath(page: string): string {
  const index = page.replace(/(^|\/)README\.md$/, "$1index.md");
  return index !== page && existsSync(join(docsFolder, index)) ? page : index;
}

/** The link to a page of the site, given its path there. */
export function siteLink(path: string): string {
  return `/${path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;
}
