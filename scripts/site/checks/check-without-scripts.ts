import type { Browser } from "playwright-core";

/** Reads pages with scripts switched off. @returns the pages that do not show their text */
export async function checkWithoutScripts(
  browser: Browser,
  origin: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(`${origin}${path}`);
    const texts = page.locator(".vp-doc > div > *:not(.line-numbers)");
    const count = await texts.count();
    const shown = await Promise.all([texts.first().isVisible(), texts.last().isVisible()]);
    if (count < 2 || shown.includes(false)) problems.push(`${path} does not show its text without scripts`);
  }
  await context.close();
  return problems;
}
