import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { isExternal, resolveTarget } from "../../../scripts/docs/read/resolve-target.js";
import { repository } from "../repository.js";
import { projectPath, repositoryPages } from "../repository-pages.js";
import { root, sitePath } from "../site-paths.js";
import type { Renderer, Token } from "./renderer.js";

interface PageEnvironment {
  /** The path of the page in the site. */
  readonly relativePath?: string;
}

/** Where each page of the site comes from, for the pages outside of `docs/`. */
const sources = new Map(repositoryPages.map((page) => [projectPath(page), page]));

/**
 * Lets links work in the site that are written for a reader of the repository: READMEs are indexes, files of `docs/` are files,
 * and files outside of it are pages of the site, files on the web, or names.
 */
export function linkTargets(md: Renderer): void {
  md.core.ruler.after("inline", "link-targets", (state) => {
    const { relativePath } = state.env as PageEnvironment;
    if (relativePath === undefined) return;
    for (const { children } of state.tokens) if (children !== null) retarget(children, relativePath);
  });
}

function retarget(tokens: Token[], page: string): void {
  const source = sources.get(page) ?? `docs/${page.replace(/(^|\/)index\.md$/, "$1README.md")}`;
  const file = existsSync(join(root, source)) ? source : `docs/${page}`;
  const open: ("link" | "name")[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "image") token.attrSet("src", imageTarget(file, token.attrGet("src") ?? ""));
    if (token.type === "link_open") {
      const kind = retargetLink(token, file, page);
      open.push(kind);
      if (kind === "name") {
        token.tag = "span";
        token.type = "html_inline";
        token.content = `<span class="repository-file" title="${token.attrGet("title") ?? ""}">`;
      }
    } else if (token.type === "link_close" && open.pop() === "name") {
      tokens[index] = Object.assign(token, { type: "html_inline", content: "</span>" });
    }
  }
}

/** Changes the target of a link; a file that the site cannot show becomes a name. */
function retargetLink(token: Token, file: string, page: string): "link" | "name" {
  const target = token.attrGet("href") ?? "";
  if (isExternal(target) || target.startsWith("#")) return "link";
  const { path, anchor } = resolveTarget(file, target);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const found = siteTarget(path);
  if (found !== undefined) {
    token.attrSet("href", `${relativeTo(page, found)}${hash}`);
  } else if (path.startsWith("docs/")) {
    // Not a page of the site: the browser loads it.
    token.attrSet("href", `/${path.slice("docs/".length)}${hash}`);
    token.attrSet("target", "_self");
  } else if (repository === undefined) {
    token.attrSet("title", path);
    return "name";
  } else {
    token.attrSet("href", `${repository}/${path}${hash}`);
  }
  return "link";
}

/** The path in the site of a page of the repository. */
function siteTarget(path: string): string | undefined {
  const page = isFolder(path) ? `${path}/README.md` : path;
  if (repositoryPages.includes(page)) return projectPath(page);
  return page.startsWith("docs/") && page.endsWith(".md") ? sitePath(page.slice("docs/".length)) : undefined;
}

/** Images are found by their path from the page, which pages outside of `docs/` have elsewhere. */
function imageTarget(file: string, target: string): string {
  if (isExternal(target) || file.startsWith("docs/")) return target;
  return posix.relative("docs/project", resolveTarget(file, target).path);
}

function relativeTo(page: string, path: string): string {
  return posix.relative(posix.dirname(page), path);
}

function isFolder(path: string): boolean {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
}
