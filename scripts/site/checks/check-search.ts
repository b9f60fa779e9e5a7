import type { Browser } from "playwright-core";

/** A search, and a part of the path of a page that it must find among its first results. */
interface Search {
  readonly start: string;
  readonly words: string;
  readonly finds: RegExp;
}

const searches: readonly Search[] = [
  { start: "/", words: "gateway", finds: /^\/(?:guide|cli)\/gateway/ },
  { start: "/", words: "registerTool", finds: /^\/(?:guide|reference)\// },
  { start: "/zh/", words: "服务器", finds: /^\/zh\// },
  { start: "/zh/", words: "访问令牌", finds: /^\/zh\/guide\// },
  { start: "/zh/", words: "如何在工具中询问用户", finds: /^\/zh\/(?:concepts\/asking-the-user|guide\/user-input)/ },
  { start: "/zh/", words: "Redis", finds: /^\/zh\/guide\// },
];

/** Types words into the search of both languages. @returns the searches that find nothing */
export async function checkSearch(browser: Browser, origin: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { start, words, finds } of searches) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${origin}${start}`, { waitUntil: "networkidle" });
    await page.keyboard.press("/");
    await page.waitForSelector(".search-input");
    await page.fill(".search-input", words);
    await page.waitForSelector(".VPLocalSearchBox .result, .VPLocalSearchBox .no-results");
    const links = await page.$$eval(".VPLocalSearchBox .result", (results) =>
      results.map((result) => result.getAttribute("href") ?? ""),
    );
    if (!links.some((link) => finds.test(link)))
      problems.push(`"${words}" finds ${links.length} results, but no page like ${String(finds)}: ${links.join(" ")}`);
    await context.close();
  }
  return problems;
}
