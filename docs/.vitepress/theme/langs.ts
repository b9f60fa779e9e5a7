import { useData } from "vitepress";
import { computed, type ComputedRef } from "vue";
import { isEnglishOnly } from "../../../scripts/docs/languages.js";

interface Languages {
  readonly localeLinks: ComputedRef<{ text: string; link: string }[]>;
  readonly currentLang: ComputedRef<{ label: string | undefined; link: string }>;
}

/**
 * The links to the other languages: VitePress's own, which assumes that each page exists in all of them. From a page in English
 * only, the link leads to the first page.
 */
export function useLangs({ correspondingLink = false }: { readonly correspondingLink?: boolean } = {}): Languages {
  const { site, localeIndex, page, hash } = useData();
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: linkOf(localeIndex.value),
  }));
  const localeLinks = computed(() =>
    Object.entries(site.value.locales)
      .filter(([name]) => name !== localeIndex.value)
      .map(([name, { label }]) => {
        const path = page.value.relativePath.slice(currentLang.value.link.length - 1);
        const corresponds = correspondingLink && path !== "" && hasTranslation(path);
        return { text: label, link: corresponds ? `${linkOf(name)}${withoutEnding(path)}${hash.value}` : linkOf(name) };
      }),
  );
  return { localeLinks, currentLang };
}

function hasTranslation(path: string): boolean {
  return !isEnglishOnly(`docs/${path.replace(/(^|\/)index\.md$/, "$1README.md")}`) && !path.startsWith("project/");
}

function linkOf(locale: string): string {
  return locale === "root" ? "/" : `/${locale}/`;
}

function withoutEnding(path: string): string {
  return path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
}
