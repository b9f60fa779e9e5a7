import type { Browser } from "playwright-core";
import { findPaleTexts } from "./contrast.js";

/** What is wrong with a page of the site. */
export interface SiteProblem {
  readonly path: string;
  readonly message: string;
}

/** Opens pages on a phone's width, in both themes: contrast, width, errors of scripts. */
export async function checkPages(
  browser: Browser,
  origin: string,
  paths: readonly string[],
): Promise<readonly SiteProblem[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  // The compiler of these scripts names functions with a function that pages do not have.
  await context.addInitScript("globalThis.__name = (value) => value");
  const page = await context.newPage();
  const problems: SiteProblem[] = [];
  let path = "";
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push({ path, message: `the console shows: ${message.text()}` });
  });
  page.on("pageerror", (error) => problems.push({ path, message: `a script failed: ${error.message}` }));
  for (path of paths) {
    await page.goto(`${origin}${path}`, { waitUntil: "load" });
    // The theme adds this class when its scripts have taken the page over.
    for (const theme of ["light", "dark"] as const) {
      await page.evaluate((dark) => document.documentElement.classList.toggle("dark", dark), theme === "dark");
      for (const { element, text, ratio } of await page.evaluate(findPaleTexts))
        problems.push({ path, message: `in ${theme} colours, "${text}" has a contrast of ${ratio}: ${element}` });
    }
    const { content, window } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      window: document.documentElement.clientWidth,
    }));
    if (content > window) problems.push({ path, message: `it is ${content} pixels wide in a window of ${window}` });
  }
  await context.close();
  return problems;
}
