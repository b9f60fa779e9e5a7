import { isHandWritten } from "../check/check-pages.js";
import { RepositoryPages } from "../read/repository-pages.js";

/** The pages whose figures are checked: the READMEs, and all hand-written pages of `docs/`. */
export function pagesWithFigures(root: string): readonly string[] {
  return new RepositoryPages(root).pages.filter((page) => /^README[^/]*$/.test(page) || isHandWritten(page));
}
