import { join } from "node:path";
import { defineConfig } from "vitepress";
import { writeDocsForModels } from "../../scripts/docs/llms/llms.js";
import { headingAnchor } from "../../scripts/docs/read/heading-anchor.js";
import { linkTargets } from "./markdown/link-targets.js";
import { plainBraces } from "./markdown/plain-braces.js";
import { statedAnchors } from "./markdown/stated-anchors.js";
import { themeOf } from "./navigation/theme-texts.js";
import { siteFiles } from "./site-files.js";
import { searchedHtml } from "./search/searched-html.js";
import { searchFuzzily, searchWords } from "./search/search-words.js";
import { docsFolder, sitePath } from "./site-paths.js";

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f6b64"/><path d="M7 23V9l9 9 9-9v14" fill="none" stroke="#fff" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

export default defineConfig({
  title: "mcpwright",
  titleTemplate: ":title · mcpwright",
  description: "A TypeScript SDK of the Model Context Protocol, generated from the schema of the protocol.",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  rewrites: sitePath,
  cacheDir: "../node_modules/.cache/vitepress",
  metaChunk: true,
  // Pages with many links would load all of their targets.
  router: { prefetchLinks: false },
  locales: {
    root: { label: "English", lang: "en", themeConfig: themeOf("en") },
    zh: {
      label: "简体中文",
      lang: "zh-CN",
      description: "由协议的 schema 生成的 Model Context Protocol TypeScript SDK。",
      themeConfig: themeOf("zh"),
    },
  },
  markdown: {
    anchor: { slugify: headingAnchor },
    attrs: { disable: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      md.use(statedAnchors).use(linkTargets).use(plainBraces);
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        detailedView: false,
        _render: searchedHtml,
        miniSearch: { options: { tokenize: searchWords }, searchOptions: { fuzzy: searchFuzzily } },
        locales: {
          zh: {
            translations: {
              button: { buttonText: "搜索", buttonAriaLabel: "搜索" },
              modal: {
                displayDetails: "显示详细列表",
                resetButtonTitle: "清除",
                backButtonTitle: "关闭搜索",
                noResultsText: "没有结果：",
                footer: {
                  selectText: "打开",
                  selectKeyAriaLabel: "回车键",
                  navigateText: "移动",
                  navigateUpKeyAriaLabel: "上箭头",
                  navigateDownKeyAriaLabel: "下箭头",
                  closeText: "关闭",
                  closeKeyAriaLabel: "Esc 键",
                },
              },
            },
          },
        },
      },
    },
  },
  vite: {
    plugins: [siteFiles()],
    resolve: {
      alias: [{ find: /^.*\/composables\/langs$/, replacement: join(docsFolder, ".vitepress/theme/langs.ts") }],
    },
  },
  buildEnd: ({ outDir }) => writeDocsForModels(join(docsFolder, ".."), outDir),
});
