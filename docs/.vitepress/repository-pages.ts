import { RepositoryPages } from "../../scripts/docs/read/repository-pages.js";
import { root } from "./site-paths.js";

/** The Markdown pages outside of `docs/` that the site contains, below `project/`: not forms and templates of the host of the repository. */
export const repositoryPages: readonly string[] = new RepositoryPages(root).pages.filter(
  (page) => !/^(?:docs|\.\w+)\//.test(page),
);

/** The path in the site of a page outside of `docs/`, relative to `docs/`. */
export function projectPath(page: string): string {
  return `project/${page.toLowerCase()}`;
}
