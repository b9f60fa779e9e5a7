/** How long a log-in, a consent and their cookies last. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { authorizationUrl, Browser, type FlowProxy, startFlow } from "./log-in-flow.js";

const minute = 60_000;
const day = 86_400_000;

function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Whether the user is asked, or sent to the provider at once. */
async function isAsked(flow: FlowProxy, browser: Browser): Promise<boolean> {
  const { url } = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
  return url.pathname.startsWith("/consent/");
}

/** The end of a cookie in seconds, by the start of its name. */
function ageOf({ log }: Browser, name: string): number | undefined {
  const ages = log.map((line) => new RegExp(`${name}[\\w-]*=[\\w-]{43};[^"]*Max-Age=(\\d+)`).exec(line)?.[1]);
  const last = ages.findLast((age) => age !== undefined);
  return last === undefined ? undefined : Number(last);
}

describe("the response of the provider", () => {
  test.each([
    [9 * minute, 303],
    [10 * minute + 1_000, 400],
  ])("after %i ms gets %i", async (ms, status) => {
    stopClock();
    // Requests wait for an hour, and log-ins do not.
    const flow = await startFlow({ interactionSeconds: 3_600 });
    const browser = new Browser();
    const page = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
    const next = await browser.decide(page.url, (await page.response?.text()) ?? "", "allow");
    expect(ageOf(browser, "mcp-login-")).toBeGreaterThan(598);
    expect(ageOf(browser, "mcp-login-")).toBeLessThanOrEqual(600);
    const callback = await browser.logInAtProvider(next);
    advance(ms);
    expect((await browser.load(callback)).status).toBe(status);
  });
});

describe("a remembered consent", () => {
  test.each([
    [undefined, 30],
    [7, 7],
  ])("with rememberConsentDays %s ends after %i days", async (rememberConsentDays, days) => {
    stopClock();
    const flow = await startFlow({ ...(rememberConsentDays !== undefined && { rememberConsentDays }) });
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    expect(ageOf(browser, "mcp-browser")).toBe(days * 86_400);
    expect(browser.log.join("\n")).toContain(`Do not ask again in this browser for ${days} days`);
    advance(days * day - minute);
    expect(await isAsked(flow, browser)).toBe(false);
    advance(2 * minute);
    expect(await isAsked(flow, browser)).toBe(true);
  });

  test("is not prolonged by log-ins that it skips the page for", async () => {
    stopClock();
    const flow = await startFlow();
    const browser = new Browser();
    await browser.logIn(flow, {}, { remember: true });
    for (const days of [10, 10, 9]) {
      advance(days * day);
      const { url } = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
      const callback = await browser.logInAtProvider(url);
      expect((await browser.follow(callback, [flow.issuer])).url.searchParams.get("code")).toBeTruthy();
    }
    advance(2 * day);
    expect(await isAsked(flow, browser)).toBe(true);
  });
});

test("a request waits for its user for interactionSeconds", async () => {
  stopClock();
  const flow = await startFlow({ interactionSeconds: 60 });
  const browser = new Browser();
  const { url } = await browser.follow((await authorizationUrl(flow)).url, [flow.issuer]);
  advance(59_000);
  expect((await browser.load(url)).status).toBe(200);
  advance(2_000);
  expect((await browser.load(url)).status).toBe(400);
});
