/** Our app side and our host side, with each other and with those of the official library, in Chromium. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPinned } from "../../../../scripts/pinned.js";
import { startBrowser } from "../../../auth-server/browser-user.js";
import { appHtml, Site } from "./site.js";
import "./pages/driver.js";

let browser: Browser;
beforeAll(async () => {
  installPinned(join(import.meta.dirname, "../../../interop"));
  browser = await startBrowser();
}, 600_000);
afterAll(() => browser.close());

const pairs = [
  { host: "our-host", app: "our-app" },
  { host: "our-host", app: "official-app" },
  { host: "official-host", app: "our-app" },
];

async function start({ host, app }: (typeof pairs)[number], refuses = false) {
  const site = await Site.open(browser, host);
  const options = { html: await appHtml(app), sandboxUrl: site.sandboxUrl, refuses };
  await site.page.evaluate((given) => driver.open(given), options);
  return { site, frame: await site.app() };
}

describe.each(pairs)("$app in $host", (pair) => {
  test("the tool call arrives in order", async () => {
    const { site, frame } = await start(pair);
    await site.page.evaluate(() => {
      driver.partial({ city: "Vie" });
      driver.input({ city: "Vienna" });
      driver.result("sunny");
    });
    await expect
      .poll(() => frame.evaluate(() => [...driver.events]))
      .toEqual([
        ["partial", { city: "Vie" }],
        ["input", { city: "Vienna" }],
        ["result", [{ type: "text", text: "sunny" }]],
      ]);
  });

  test("a cancelled call and changes of the context arrive", async () => {
    const { site, frame } = await start(pair);
    await site.page.evaluate(() => {
      driver.theme("light");
      driver.input({});
      driver.cancelled("stopped");
    });
    await expect
      .poll(() => frame.evaluate(() => [...driver.events]))
      .toEqual([
        ["context", { theme: "light" }],
        ["input", {}],
        ["cancelled", "stopped"],
      ]);
  });

  test("the app calls tools, reads resources, and uses the host", async () => {
    const { site, frame } = await start(pair);
    const results = await frame.evaluate(async () => [
      await driver.call("now", {}),
      await driver.call("refresh", {}),
      await driver.read("file:///note"),
      await driver.openLink("https://example.com/"),
      await driver.send("hello"),
      await driver.updateContext("the user has chosen Vienna"),
      await driver.show("fullscreen"),
      await driver.log("drawn"),
    ]);
    expect(results.slice(0, 3)).toMatchObject([
      { content: [{ type: "text", text: "sunny" }] },
      { content: [{ type: "text", text: "refreshed" }] },
      { contents: [{ uri: "file:///note", text: "a note" }] },
    ]);
    expect(results[3]).not.toHaveProperty("isError");
    expect(results[6]).toMatchObject({ mode: "fullscreen" });
    await expect.poll(() => site.events()).toContainEqual(["log", "drawn"]);
    const done = (await site.events()) as [string, ...unknown[]][];
    expect(done.filter(([kind]) => !["consent", "called"].includes(kind))).toEqual([
      ["opened", "https://example.com/"],
      ["message", [{ type: "text", text: "hello" }]],
      ["model", { content: [{ type: "text", text: "the user has chosen Vienna" }] }],
      ["log", "drawn"],
    ]);
  });

  test("a refused link is not opened", async () => {
    const { site, frame } = await start(pair, true);
    expect(await frame.evaluate(() => driver.openLink("https://example.com/"))).toMatchObject({ isError: true });
    expect(await site.events()).not.toContainEqual(["opened", "https://example.com/"]);
  });

  test("the frame gets the height of the content", async () => {
    const { site, frame } = await start(pair);
    const height = (): Promise<string | undefined> =>
      site.page.evaluate(() => document.querySelector("iframe")?.style.height);
    await expect.poll(height).toBe("150px");
    await frame.evaluate(() => {
      const div = document.querySelector("div");
      if (div) div.style.height = "80px";
    });
    await expect.poll(height).toBe("80px");
  });

  test("the app asks for its end, and can finish before the frame goes", async () => {
    const { site, frame } = await start(pair);
    await frame.evaluate(() => driver.leave());
    await expect.poll(() => site.events()).toContainEqual(["leave"]);
    expect(await site.page.evaluate(() => driver.close())).toBe(true);
    expect(await site.page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
    expect(await site.events()).toContainEqual(["closed", undefined]);
  });
});
