import type { Browser, Page } from "playwright-core";

/** Uses the search, the menus and the languages with the keyboard alone. @returns what cannot be done */
export async function checkKeyboard(browser: Browser, origin: string): Promise<readonly string[]> {
  return [...(await onDesktop(browser, origin)), ...(await onPhone(browser, origin))];
}

async function onDesktop(browser: Browser, origin: string): Promise<readonly string[]> {
  const page = await open(browser, `${origin}/guide/servers.html`, 1280);
  const problems: string[] = [];
  const reach = async (name: string, selector: string): Promise<boolean> => {
    const reached = await tabTo(page, selector);
    if (!reached) problems.push(`Tab does not reach ${name} (${selector})`);
    return reached;
  };

  await page.keyboard.press("Tab");
  if (!(await isFocused(page, ".VPSkipLink")))
    problems.push("the first Tab does not reach the link that skips to the text");
  if (await reach("the search", ".DocSearch-Button")) {
    await page.keyboard.press("Enter");
    await page.waitForSelector(".VPLocalSearchBox .search-input");
    if (!(await isFocused(page, ".search-input"))) problems.push("the search opens without a focus in its field");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".VPLocalSearchBox", { state: "detached" });
  }
  await reach("the entries at the top", ".VPNavBarMenuLink");
  if (await reach("the languages", ".VPNavBarTranslations button")) {
    await page.keyboard.press("Enter");
    if (await reach("the other language", '.VPNavBarTranslations a[href^="/zh/"]')) {
      await page.keyboard.press("Enter");
      await page.waitForURL(`${origin}/zh/guide/servers.html`);
    }
  }
  await page.goto(`${origin}/guide/servers.html`);
  await reach("the theme", ".VPSwitchAppearance");
  await reach("the sidebar", ".VPSidebar a");
  await reach("the text", ".vp-doc a:not(.header-anchor)");
  await page.context().close();
  return problems;
}

async function onPhone(browser: Browser, origin: string): Promise<readonly string[]> {
  const page = await open(browser, `${origin}/guide/servers.html`, 390);
  const problems: string[] = [];
  if (await tabTo(page, ".VPNavBarHamburger")) {
    await page.keyboard.press("Enter");
    await page.waitForSelector(".VPNavScreen");
    if (!(await tabTo(page, ".VPNavScreen .VPNavScreenTranslations button")))
      problems.push("on a phone, Tab does not reach the languages");
    await page.keyboard.press("Escape");
  } else problems.push("on a phone, Tab does not reach the menu");
  await page.goto(`${origin}/guide/servers.html`);
  if (!(await tabTo(page, ".VPLocalNav .menu"))) problems.push("on a phone, Tab does not reach the pages");
  await page.context().close();
  return problems;
}

async function open(browser: Browser, url: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  return page;
}

async function tabTo(page: Page, selector: string): Promise<boolean> {
  for (let presses = 0; presses < 150; presses++) {
    if (await isFocused(page, selector)) return true;
    await page.keyboard.press("Tab");
  }
  return false;
}

function isFocused(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
}
