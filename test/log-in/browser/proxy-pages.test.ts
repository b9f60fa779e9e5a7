/** The pages of an OAuth proxy in Chromium, with https. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  arrival,
  authorizationUrl,
  type Desk,
  logInAtProvider,
  openDesk,
  type ProxySite,
  startBrowserForSite,
  startSite,
} from "./proxy-site.js";

let browser: Browser;
let site: ProxySite;
beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowserForSite(), startSite()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function begin(): Promise<{ readonly desk: Desk; readonly page: Page }> {
  const desk = await openDesk(browser, site);
  return { desk, page: await desk.context.newPage() };
}

/** Logs in, and asks the browser to remember the consent. */
async function remember(page: Page): Promise<void> {
  await page.goto(authorizationUrl(site));
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await logInAtProvider(page, site);
  expect(await arrival(page, site)).toHaveProperty("code");
}

/** Opens a page with this body. */
async function openAt(page: Page, url: string, body: string, cookies: readonly string[] = []): Promise<void> {
  site.pages.set(url, (_request, response) =>
    response.writeHead(200, { "content-type": "text/html", "set-cookie": [...cookies] }).end(body),
  );
  await page.goto(url);
}

const violations = (desk: Desk): readonly string[] =>
  desk.console.filter((line) => /policy|refused|violat/i.test(line));

test.each([
  ["Allow", { code: expect.any(String) as string }],
  ["Deny", { error: "access_denied", error_description: "the user denied the request" }],
])("after %s, the browser arrives at the client, and no policy stops it", async (name, expected) => {
  const { desk, page } = await begin();
  await page.goto(authorizationUrl(site));
  await page.getByRole("button", { name }).click();
  if (name === "Allow") await logInAtProvider(page, site);
  expect(await arrival(page, site)).toEqual({ ...expected, state: "state", iss: site.issuer });
  expect(violations(desk)).toEqual([]);
});

/** The page stays where it is when it is sent to such a URL. */
async function holdBack(page: Page, url: RegExp | string): Promise<void> {
  await page.route(url, (route) => route.fulfill({ status: 204 }));
}

test("every page is styled, within its policy", async () => {
  const { desk, page } = await begin();
  await holdBack(page, `${site.provider.issuer}/**`);
  const answer = async (name: string): Promise<void> => {
    await page.goto(authorizationUrl(site));
    await page.getByRole("button", { name }).click();
  };
  const steps: readonly (readonly [() => Promise<unknown>, string])[] = [
    [() => page.goto(authorizationUrl(site)), "Allow Web client?"],
    [() => answer("Allow"), "Log in at Acme"],
    [() => page.goto(`${site.issuer}/consent/unknown`), "The log-in cannot go on"],
    [() => page.goto(`${site.issuer}/authorize?client_id=unknown`), "The log-in cannot go on"],
    [() => page.goto(`${site.issuer}/authorize?redirect_uri=${site.issuer}/callback`), "The log-in cannot go on"],
    [() => holdBack(page, /\/authorize\//).then(() => answer("Deny")), "Denied"],
  ];
  for (const [show, title] of steps) {
    await show();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    // From the style: without it, the element is as wide as the window.
    expect(await page.evaluate<unknown>('getComputedStyle(document.querySelector("main")).maxWidth')).toBe("544px");
  }
  expect(violations(desk)).toEqual([]);
});

test("neither the client nor another host of the site can show the page in a frame", async () => {
  const { page } = await begin();
  await remember(page);
  const pages = site.provider.events.length;
  const body = `<iframe src="${authorizationUrl(site).replaceAll("&", "&amp;")}"></iframe>`;
  for (const embedder of [site.client, site.neighbour]) {
    const from = site.received.length;
    await openAt(page, `${embedder}/embedding`, body);
    const shown = [`${embedder}/embedding`, "chrome-error://chromewebdata/"];
    await expect.poll(() => page.frames().map((frame) => frame.url())).toEqual(shown);
    expect(site.received.slice(from).map(({ headers }) => headers["sec-fetch-dest"])).toContain("iframe");
  }
  expect(site.provider.events).toHaveLength(pages);
});

test("a page that is loaded in advance decides nothing", async () => {
  const { page } = await begin();
  await remember(page);
  const from = site.received.length;
  const pages = site.provider.events.length;
  const url = authorizationUrl(site, "in advance");
  const rules = JSON.stringify({ prefetch: [{ urls: [url] }] });
  const body = `<script type="speculationrules">${rules}</script><a href="${url.replaceAll("&", "&amp;")}">Log in</a>`;
  await openAt(page, `${site.neighbour}/advance`, body);
  const purposes = (): unknown[] =>
    site.received.slice(from).map(({ url: path = "", headers }) => [/^\/\w+/.exec(path)?.[0], headers["sec-purpose"]]);
  await expect.poll(purposes).toEqual([
    ["/authorize", expect.stringContaining("prefetch")],
    ["/consent", expect.stringContaining("prefetch")],
  ]);
  expect(site.provider.events).toHaveLength(pages);
});

test("two tabs of one browser log in at the same time", async () => {
  const { desk } = await begin();
  const tabs = await Promise.all(["one", "two"].map(() => desk.context.newPage()));
  const [one, two] = tabs;
  if (!one || !two) throw new Error("no tabs");
  await Promise.all([one.goto(authorizationUrl(site, "one")), two.goto(authorizationUrl(site, "two"))]);
  for (const tab of [two, one]) await tab.getByRole("button", { name: "Allow" }).click();
  await logInAtProvider(one, site);
  await logInAtProvider(two, site);
  const [first, second] = [await arrival(one, site), await arrival(two, site)];
  expect([first["state"], second["state"]]).toEqual(["one", "two"]);
  expect(first["code"]).not.toBe(second["code"]);
});

test("before the log-in, the way back leads to the page, and after it to no second code", async () => {
  const { page } = await begin();
  await page.goto(authorizationUrl(site));
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("button", { name: "Sign-in" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Allow" }).click();
  await logInAtProvider(page, site);
  expect(await arrival(page, site)).toHaveProperty("code");
  await page.goBack();
  while (new URL(page.url()).origin === site.provider.issuer) await page.goBack();
  await page.getByText("This log-in has expired, or was started in another browser.").waitFor();
});

test("another host of the site plants the cookies of its own log-in in vain", async () => {
  const attacker = await begin();
  const victim = await begin();
  await remember(victim.page);
  await attacker.page.goto(authorizationUrl(site, "of the attacker"));
  const consent = attacker.page.url();
  const planted = (await attacker.desk.context.cookies())
    .filter(({ name }) => !name.includes("resume"))
    .map(({ name, value, path }) => `${name}=${value}; Path=${path}; Domain=site.test; Secure`);
  await openAt(victim.page, `${site.neighbour}/planting`, "a shop", planted);
  const names = (await victim.desk.context.cookies())
    .filter(({ domain }) => domain === ".site.test")
    .map(({ name }) => name);
  expect(names).toEqual(["__Secure-mcp-interaction", "__Secure-mcp-interaction.sig"]);
  // The victim has consented to this client, and is not asked again.
  await victim.page.goto(consent);
  if (new URL(victim.page.url()).origin === site.provider.issuer) await logInAtProvider(victim.page, site);
  await victim.page.getByText("The log-in cannot go on").waitFor();
  await attacker.page.goto(consent.replace("/consent/", "/authorize/"));
  expect(await arrival(attacker.page, site)).toMatchObject({ error: "access_denied", state: "of the attacker" });
});
