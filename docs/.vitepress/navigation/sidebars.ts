import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { chineseOf, isEnglishOnly } from "../../../scripts/docs/languages.js";
import { docsFolder, siteLink, sitePath } from "../site-paths.js";
import { contents, type Group, type Part } from "./contents.js";

export type Language = "en" | "zh";

/** The entries at the top of each page. */
export function navigation(language: Language): DefaultTheme.NavItem[] {
  return contents.map(({ title, first, groups }) => ({
    text: title[language],
    link: linkTo(first, language),
    activeMatch: activeMatch(groups.flatMap(({ pages }) => pages)),
  }));
}

/** The sidebar of each page, by the start of its path: that of its part of the site. */
export function sidebars(language: Language): DefaultTheme.SidebarMulti {
  const start = language === "zh" ? "/zh" : "";
  const sides = contents.flatMap((part) => {
    // Readers open the groups that they need; that of the page is open.
    const items = part.groups.map((group, index) => ({ ...itemOf(group, language), collapsed: index > 1 }));
    return prefixesOf(part).map((prefix): [string, DefaultTheme.SidebarItem[]] => [`${start}${prefix}`, items]);
  });
  // Pages in English only have the sidebar of their language.
  const reference = contents.find(({ first }) => first === "reference/api/README");
  const api = (reference?.groups ?? []).map((group) => itemOf(group, language));
  return { ...Object.fromEntries(sides), ...(language === "en" ? { "/reference/api/": [...api, apiGroup()] } : {}) };
}

function itemOf({ title, pages }: Group, language: Language): DefaultTheme.SidebarItem {
  return {
    text: title[language],
    items: pages.flatMap((page) => {
      const text = titleOf(page, language);
      return text === undefined ? [] : [{ text, link: linkTo(page, language) }];
    }),
  };
}

/** The modules of the API reference, by their names. */
function apiGroup(): DefaultTheme.SidebarItem {
  const names = readdirSync(join(docsFolder, "reference/api"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort();
  return {
    text: "Modules",
    items: names.map((name) => ({ text: name.slice(0, -3), link: siteLink(sitePath(`reference/api/${name}`)) })),
  };
}

/** The folders of a part, and its pages that are in none. */
function prefixesOf({ groups }: Part): readonly string[] {
  const pages = groups.flatMap((group) => group.pages);
  return [
    ...new Set(
      pages.map((page) => (page.includes("/") ? `/${page.replace(/\/.*/, "/")}` : siteLink(sitePath(`${page}.md`)))),
    ),
  ];
}

function activeMatch(pages: readonly string[]): string {
  const folders = new Set(
    pages.map((page) => (page.includes("/") ? page.replace(/\/.*/, "/") : `${page}(?:\\.html)?$`)),
  );
  return `^/(?:zh/)?(?:${[...folders].filter((folder) => !folder.startsWith("README")).join("|")})`;
}

function linkTo(page: string, language: Language): string {
  return siteLink(sitePath(fileOf(page, language)));
}

/** The page in a language, or the English page if there is no other. */
function fileOf(page: string, language: Language): string {
  const file = `${page}.md`;
  return language === "en" || isEnglishOnly(`docs/${file}`) ? file : chineseOf(`docs/${file}`).slice("docs/".length);
}

/** The title of a page: its first heading, without markup. */
function titleOf(page: string, language: Language): string | undefined {
  const file = join(docsFolder, fileOf(page, language));
  if (!existsSync(file)) return undefined;
  const heading = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1];
  return heading?.replace(/[`\\]/g, "").trim();
}
