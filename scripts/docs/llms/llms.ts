import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isChinese, isDocsPage, isEnglishOnly } from "../languages.js";
import { RepositoryPages } from "../read/repository-pages.js";
import { listedSections, withoutLinks } from "./index-page.js";

/** The documentation for models, as files of the site: https://llmstxt.org. */
export interface DocsForModels {
  /** The list of all pages. */
  readonly index: string;
  /** The README and all hand-written pages, in the order of the list. */
  readonly full: string;
  /** The text of each English page, by its path in the site: pages link to others that the list does not name. */
  readonly pages: ReadonlyMap<string, string>;
}

/** @param root the folder of the repository */
export function docsForModels(root: string): DocsForModels {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const readme = read("README.md");
  const sections = listedSections(read("docs/README.md"));
  const paths = sections.flatMap(({ pages }) => pages.map(({ path }) => path));
  const english = new RepositoryPages(root).pages.filter((page) => isDocsPage(page) && !isChinese(page));
  const pages = new Map(english.map((page) => [page.slice("docs/".length), read(page)]));
  const lists = sections.map(({ title, pages: listed }) => {
    const lines = listed.map(({ path, purpose }) => `- [${titleOf(pages.get(path) ?? "", path)}](${path}): ${purpose}`);
    return [`## ${title}`, "", ...lines, ""].join("\n");
  });
  const summary = /^\*\*(.+?)\*\*/ms.exec(readme)?.[1]?.replaceAll("\n", " ") ?? "";
  const index = [
    "# mcpwright",
    "",
    `> ${withoutLinks(summary)}`,
    "",
    "[llms-full.txt](llms-full.txt) has the README and all hand-written pages in one file. The packages contain the API: `dist/llms.txt` of `@mcpwright/runtime`.",
    "",
    ...lists,
  ].join("\n");
  const written = paths.filter((path) => !isEnglishOnly(`docs/${path}`));
  const full = [["README.md", readme] as const, ...written.map((path) => [path, pages.get(path) ?? ""] as const)];
  return { index, full: full.map(([path, text]) => `<!-- page: ${path} -->\n\n${text.trim()}\n`).join("\n"), pages };
}

/** Writes them into the folder of a built site. */
export function writeDocsForModels(root: string, site: string): void {
  const { index, full, pages } = docsForModels(root);
  for (const [path, text] of [...pages, ["llms.txt", index] as const, ["llms-full.txt", full] as const]) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
}

function titleOf(text: string, path: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${path} has no title: begin it with a line such as "# Servers"`);
  return title;
}
