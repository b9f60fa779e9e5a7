import type { DefaultTheme } from "vitepress";
import { type Language, navigation, sidebars } from "./sidebars.js";

/** The navigation and the texts of the theme in a language. */
export function themeOf(language: Language): DefaultTheme.Config {
  return { ...texts[language], nav: navigation(language), sidebar: sidebars(language) };
}

const texts: Readonly<Record<Language, DefaultTheme.Config>> = {
  en: {
    outline: { level: [2, 3], label: "On this page" },
    langMenuLabel: "Change language",
    notFound: { linkText: "To the first page", quote: "The page may have been renamed. The search finds its text." },
  },
  zh: {
    outline: { level: [2, 3], label: "本页内容" },
    docFooter: { prev: "上一页", next: "下一页" },
    darkModeSwitchLabel: "外观",
    lightModeSwitchTitle: "切换到浅色主题",
    darkModeSwitchTitle: "切换到深色主题",
    sidebarMenuLabel: "目录",
    returnToTopLabel: "回到顶部",
    langMenuLabel: "切换语言",
    skipToContentLabel: "跳到正文",
    notFound: { title: "没有这个页面", linkText: "回到首页", quote: "页面可能已改名，可以搜索它的内容。" },
  },
};
