/** The status page of `mcpwright gateway --http --status` in Chromium, also with hostile servers. */
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findChromium, flags } from "../../../../../scripts/hosts/find-chromium.js";
import { createGateway } from "../../../../../runtime/src/gateway.js";
import { createStatusPage } from "../../../../../runtime/src/gateway/status.js";
import { serveHttp } from "../../../../../runtime/src/node.js";
import { McpServer } from "../../../../../runtime/src/server.js";
import { clientOf } from "../../../../runtime/api/pair.js";
import { join } from "../../../../runtime/gateway/in-memory.js";

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
});
afterAll(() => browser.close());

test("the page shows what servers send as text, follows changes, and loads nothing from elsewhere", async () => {
  const attack = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;
  const hostile = new McpServer({ name: attack, version: "1.0.0" });
  hostile.registerTool("one", {}, () => ({ content: [] }));
  const gateway = createGateway({
    servers: {
      hostile: { server: hostile },
      [`broken ${attack}`]: { transport: () => Promise.reject(new Error(`cannot start ${attack}`)) },
    },
    onerror: () => undefined,
  });
  const served = await serveHttp(gateway, { fallback: createStatusPage(gateway).listener });
  onTestFinished(() => served.close());
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const requested: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(message.text()));
  await page.goto(new URL("/status", served.url).href);
  await page.getByText("2 servers, 0 client connections").waitFor();
  await page.getByText("Nothing was lost so far.").waitFor();

  const { client } = clientOf("2026-07-28");
  await join(gateway, client);
  await client.listTools();
  await page.getByText(/2 servers, 1 client connection, [\d.]+ calls per second/).waitFor();
  const [first, second] = await page.locator("#servers tr").allTextContents();
  expect(first).toContain(`hostile (${attack} 1.0.0)connected`);
  expect(second).toContain(`cannot start ${attack}`);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.title()).toBe("gateway");
  expect(await page.locator("th[scope=row]").count()).toBe(2);
  expect(new Set(requested.map((url) => new URL(url).origin))).toEqual(new Set([served.url.origin]));
  expect(problems.filter((text) => !text.includes("favicon"))).toEqual([]);

  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await background()).not.toBe(light);
});
