import { expect, test } from "vitest";
import { contents } from "../../docs/.vitepress/navigation/contents.js";
import { navigation, sidebars } from "../../docs/.vitepress/navigation/sidebars.js";
import { isChinese, isDocsPage } from "../../scripts/docs/languages.js";
import { RepositoryPages } from "../../scripts/docs/read/repository-pages.js";
import { root } from "../cli/command-line.js";

const listed = contents.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages)).sort();
const pages = new RepositoryPages(root).pages
  .filter((file) => isDocsPage(file) && !isChinese(file) && !/^docs\/reference\/api\/(?!README)/.test(file))
  .map((file) => file.slice("docs/".length, -".md".length));

test("the navigation of the site lists each page once: add new ones to docs/.vitepress/navigation/contents.ts", () => {
  expect(listed).toEqual(pages.sort());
});

test("titles come from the pages, and pages in English only are linked from both languages", () => {
  const [english, chinese] = [JSON.stringify(sidebars("en")), JSON.stringify(sidebars("zh"))];
  expect(english).toContain('{"text":"Servers","link":"/guide/servers"}');
  expect(chinese).toContain('{"text":"服务器","link":"/zh/guide/servers"}');
  expect(chinese).toContain('"link":"/reference/errors/"');
  expect(english).toContain('{"text":"auth/server","link":"/reference/api/auth/server"}');
});

test("an entry at the top is active on the pages of its part", () => {
  const match = (path: string) =>
    navigation("zh").flatMap((item) =>
      "activeMatch" in item && new RegExp(item.activeMatch ?? "^$").test(path) ? [item.text] : [],
    );
  expect(match("/zh/guide/servers.html")).toEqual(["指南"]);
  expect(match("/cli/new.html")).toEqual(["命令"]);
  expect(match("/versioning.html")).toEqual(["参考"]);
  expect(match("/")).toEqual([]);
});
