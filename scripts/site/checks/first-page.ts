import type { Browser } from "playwright-core";
import type { ServedSite } from "../serve-site.js";

/** The most bytes, compressed, that the first page of a visit may load. */
export const firstPageBudget = 120_000;

/** Opens a page as the first of a visit. @returns what it loads, and the sum of the compressed sizes */
export async function measureFirstPage(
  browser: Browser,
  site: ServedSite,
  path: string,
): Promise<{ readonly total: number; readonly parts: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  site.takeRequests();
  await page.goto(`${site.origin}${path}`, { waitUntil: "networkidle" });
  const requests = site.takeRequests();
  await context.close();
  return {
    total: requests.reduce((sum, { size }) => sum + size, 0),
    parts: requests.map((request) => `${request.size} ${request.path}`),
  };
}
