import type { Page, Problem } from "../read/page.js";
import { isExternal, resolveTarget } from "../read/resolve-target.js";

/** What links can lead to. */
export interface Repository {
  /** Whether a file, or a folder that contains one, exists at a path from the root. */
  exists(path: string): boolean;
  /** The page at a path; `undefined` for other files. */
  page(path: string): Page | undefined;
}

/** Finds the links of a page to files and anchors that do not exist. */
export function checkLinks(page: Page, repository: Repository): readonly Problem[] {
  return page.links.flatMap(({ line, target }) => {
    const message = isExternal(target) ? undefined : problemOf(page.file, target, repository);
    return message === undefined ? [] : [{ file: page.file, line, message: `the link ${target} is dead: ${message}` }];
  });
}

function problemOf(file: string, target: string, repository: Repository): string | undefined {
  if (target === "") return "write a target";
  if (target.startsWith("/")) return "write a path relative to the page";
  const { path, anchor } = resolveTarget(file, target);
  if (path.startsWith("../")) return "it leads out of the repository";
  if (!repository.exists(path)) return `${path} does not exist`;
  if (anchor === undefined || anchor === "") return undefined;
  const page = repository.page(path);
  if (page === undefined) return `${path} is not a page, so it has no anchors`;
  if (page.anchors.has(anchor)) return undefined;
  return `${path} has no heading "${anchor}": name one of its headings`;
}
