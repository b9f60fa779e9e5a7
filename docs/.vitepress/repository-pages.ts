import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./site-paths.js";

/** Pages outside of `docs/` that are not for readers of the site. */
const left = /^(?:docs|templates|node_modules|\.\w+)\/|(?:^|\/)fixtures\/|^LICENSE/;

/** The Markdown pages outside of `docs/` that the site contains, below `project/`. */
export const repositoryPages: readonly string[] = execFileSync("git", ["ls-files", "-z", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && !left.test(path) && existsSync(join(root, path)));

/** The path in the site of a page outside of `docs/`, relative to `docs/`. */
export function projectPath(page: string): string {
  return `project/${page.toLowerCase()}`;
}
