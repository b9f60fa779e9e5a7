/** The pages of the repository that are not in `docs/`, such as the README and the results of benchmarks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectPath, repositoryPages } from "../.vitepress/repository-pages.js";
import { root } from "../.vitepress/site-paths.js";

export default {
  paths: () =>
    repositoryPages.map((page) => ({
      params: { page: projectPath(page).replace(/^project\/|\.md$/g, ""), source: page },
      content: readFileSync(join(root, page), "utf8"),
    })),
};
