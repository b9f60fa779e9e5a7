import { execFileSync } from "node:child_process";

/** Pages that are generated, list changes, or describe how to measure. */
const skipped =
  /^docs\/(?:zh\/)?reference\/(?:api|errors|revisions|conformance|interoperability)|^docs\/gateway-matrix\.md$/;

/** The pages whose figures are checked: the READMEs, and all written pages of `docs/`. */
export function pagesWithFigures(root: string): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "README*.md", "docs"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  return [...new Set(files)].filter((path) => path.endsWith(".md") && !skipped.test(path)).sort();
}
