/**
 * Another host of the same site can plant cookies in the browser of a victim, except those with the prefix `__Host-`. An attacker plants
 * the cookies of an authorization of their own: neither do they get the code of the victim, nor the victim a code of theirs.
 */
import { describe, expect, test } from "vitest";
import { authorizationUrl, Browser, type FlowProxy, startFlow } from "./log-in-flow.js";

/** With https, these cookies have the prefix `__Secure-`; all others have `__Host-`. */
const plantable = /^mcp-(?:interaction|resume)(?:\.sig)?=/;

/** @param path where the victim's browser sends the cookies; those of longer paths come first. Default: where the attacker's does */
function plant(from: Browser, into: Browser, path?: string): void {
  for (const [key, cookie] of from.cookies)
    if (plantable.test(cookie.value))
      into.cookies.set(`${key} planted`, { ...cookie, ...(path !== undefined && { path }) });
}

/** Begins an authorization. @returns the URL of its consent page */
async function begin(flow: FlowProxy, browser: Browser, prompt = ""): Promise<URL> {
  const { url } = await authorizationUrl(flow, { prompt });
  const began = await browser.load(url);
  return new URL(began.headers.get("location") ?? "", url);
}

function resumeOf(consent: URL): URL {
  return new URL(consent.href.replace("/consent/", "/authorize/"));
}

/** Answers the page, and logs in. @returns the URL that the provider redirects to */
async function answer(browser: Browser, consent: URL, login = "ada"): Promise<URL> {
  const page = await browser.load(consent);
  return browser.logInAtProvider(await browser.decide(consent, await page.text(), "allow"), login);
}

/** The code with which an authorization ends in a browser, if it does. */
async function codeOf(flow: FlowProxy, browser: Browser, url: URL): Promise<string | undefined> {
  return (await browser.follow(url, [flow.issuer])).url.searchParams.get("code") ?? undefined;
}

describe("the attacker gets no code", () => {
  test.each([false, true])(
    "of a victim who answers the page, with the cookie that resumes planted: %s",
    async (all) => {
      const flow = await startFlow();
      const [attacker, victim] = [new Browser(), new Browser()];
      const consent = await begin(flow, attacker);
      plant(attacker, victim);
      if (!all) for (const key of victim.cookies.keys()) if (key.includes("mcp-resume")) victim.cookies.delete(key);
      const callback = await answer(victim, consent);
      expect((await victim.load(callback)).status).toBe(303);
      const { url } = await attacker.follow(resumeOf(consent), [flow.issuer]);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        error: "access_denied",
        error_description: "the user logged in with another browser",
      });
      expect(await codeOf(flow, attacker, resumeOf(consent))).toBeUndefined();
      expect(await codeOf(flow, victim, resumeOf(consent))).toBeUndefined();
    },
  );

  test("of a victim whose browser remembers the consent", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    await victim.logIn(flow, {}, { remember: true });
    const consent = await begin(flow, attacker);
    plant(attacker, victim);
    const { url } = await victim.follow(consent, [flow.issuer]);
    expect(url.origin).toBe(flow.provider.issuer);
    const callback = await victim.logInAtProvider(url);
    expect((await victim.load(callback)).status).toBe(303);
    expect(await codeOf(flow, attacker, resumeOf(consent))).toBeUndefined();
  });

  test("with a cookie of the log-in that is guessed", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    const consent = await begin(flow, attacker);
    plant(attacker, victim);
    const callback = await answer(victim, consent);
    for (const [key, cookie] of victim.cookies) {
      const [name = ""] = cookie.value.split("=");
      if (name.startsWith("mcp-login-")) attacker.cookies.set(key, { ...cookie, value: `${name}=${"x".repeat(43)}` });
    }
    expect((await victim.load(callback)).status).toBe(303);
    expect(await codeOf(flow, attacker, resumeOf(consent))).toBeUndefined();
  });
});

describe("the victim gets no code of the attacker's account", () => {
  test("from a log-in that the attacker has finished", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    const consent = await begin(flow, attacker);
    const callback = await answer(attacker, consent, "mallory");
    expect((await attacker.load(callback)).status).toBe(303);
    plant(attacker, victim);
    expect(await codeOf(flow, victim, resumeOf(consent))).toBeUndefined();
  });

  test("from a log-in that the victim was sent into at the provider", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    const callback = await answer(attacker, await begin(flow, attacker), "mallory");
    plant(attacker, victim, "/");
    expect((await victim.load(callback)).status).toBe(400);
  });

  test("when cookies for all paths are planted: the victim's own log-in goes on", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    const theirs = await begin(flow, attacker);
    plant(attacker, victim, "/");
    const consent = await begin(flow, victim);
    expect(consent.href).not.toBe(theirs.href);
    const callback = await answer(victim, consent);
    expect(await codeOf(flow, victim, callback)).toBeTruthy();
  });

  test("when such cookies come first: the log-in ends", async () => {
    const flow = await startFlow();
    const [attacker, victim] = [new Browser(), new Browser()];
    await begin(flow, attacker);
    const consent = await begin(flow, victim);
    const planted = new Browser();
    plant(attacker, planted, consent.pathname);
    const mixed = new Browser();
    for (const [key, cookie] of [...planted.cookies, ...victim.cookies]) mixed.cookies.set(key, cookie);
    expect((await mixed.load(consent)).status).toBe(400);
  });
});

test("the cookie of the log-in is cleared when the code is given", async () => {
  const flow = await startFlow();
  const browser = new Browser();
  await browser.logIn(flow);
  expect([...browser.cookies.values()].filter(({ value }) => value.startsWith("mcp-form-"))).toHaveLength(1);
  expect([...browser.cookies.values()].filter(({ value }) => value.startsWith("mcp-login-"))).toEqual([]);
});
