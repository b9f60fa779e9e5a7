/** `mcpwright inspect --app` in Chromium, with the chart of the examples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { inspectServer } from "../../../../../generator/commands/inspect/inspect-server.js";
import type { InspectRequest } from "../../../../../generator/commands/inspect/inspection.js";
import { period, weatherService } from "../../../../../examples/verify/weather-service.js";
import { findChromium, flags } from "../../../../../scripts/hosts/find-chromium.js";
import { startDesktop } from "../../../../auth-server/desktop.js";
import { cli, root } from "../../../../cli/command-line.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";

const loader = import.meta.resolve("tsx");
const program = (path: string): string[] => [process.execPath, "--import", loader, join(root, path)];
const chart = program("examples/chart/main.ts");
const others = program("test/generator/commands/inspect/browser/app-server.ts");
const place = { latitude: 38.58, longitude: -121.49 };

const periods = [period("Monday", 71, "Sunny"), period("Tuesday", 68, "Clear")];
const service = weatherService({
  "/points/38.5800,-121.4900": { properties: { forecast: "{origin}/forecast" } },
  "/forecast": { properties: { periods } },
});
let env: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  env = { WEATHER_API: `http://127.0.0.1:${(service.address() as { port: number }).port}` };
});
afterAll(() => service.close());

/** The width and height of a PNG. */
function sizeOf(png: Buffer): readonly [number, number] {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe("in the user's browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), args: [...flags] });
  });
  afterAll(() => browser.close());

  test("the app shows the result, calls its server, and follows the theme, until the command ends", async () => {
    const pages: Promise<Page>[] = [];
    const open = async (url: string): Promise<Page> => {
      const page = await browser.newPage({ colorScheme: "light" });
      await page.goto(url);
      return page;
    };
    const desktop = await startDesktop((url) => pages.push(open(url)));
    onTestFinished(() => desktop.close());
    const before = process.env["BROWSER"];
    process.env["BROWSER"] = desktop.program;
    onTestFinished(() => {
      if (before === undefined) delete process.env["BROWSER"];
      else process.env["BROWSER"] = before;
    });
    const end = new AbortController();
    const told: string[] = [];
    const request: InspectRequest = { kind: "app", name: "forecast-chart", arguments: place };
    const inspection = inspectServer({
      target: chart,
      env,
      request,
      signal: end.signal,
      tell: (line) => told.push(line),
    });
    inspection.catch(() => undefined);
    await expect.poll(() => pages.length, { timeout: 20_000 }).toBe(1);
    const page = await (pages[0] ?? Promise.reject(new Error("no page was opened")));
    await expect.poll(() => told).toContain("press Ctrl-C to stop");
    expect(told.join("\n")).toContain(`showing the app ui://weather/chart: ${page.url()}`);

    const app = page.frameLocator("iframe").frameLocator("iframe");
    await app.getByText("Forecast for 38.58, -121.49").waitFor();
    await app.getByText("71°").waitFor();
    await app.getByRole("button", { name: "Show °C" }).click();
    await app.getByText("22°").waitFor();
    await page.getByRole("button", { name: "Dark" }).click();
    await expect.poll(() => app.locator("html").getAttribute("data-theme")).toBe("dark");
    periods[0] = period("Monday", 50, "Rain");
    await app.getByRole("button", { name: "Refresh" }).click();
    await app.getByText("10°").waitFor();
    await page.getByText(/^callTool answered .*"temperature":50/).waitFor();

    end.abort();
    await inspection.catch(() => undefined);
    await expect(fetch(page.url())).rejects.toThrow("fetch failed");
    await page.close();
  });
});

describe("--screenshot", () => {
  test("writes the app as a PNG and ends", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder("screenshot"), "chart.png");
    const args = [
      "--app",
      "forecast-chart",
      "--arg",
      "latitude=38.58",
      "--arg",
      "longitude=-121.49",
      "--screenshot",
      file,
    ];
    const { code, out, err } = await cli(
      "inspect",
      ...args,
      "--env",
      `WEATHER_API=${env["WEATHER_API"] ?? ""}`,
      "--",
      ...chart,
    );
    expect({ code, out, err }).toEqual({ code: 0, out: "", err: `server: serving on stdio\nwrote ${file}\n` });
    const png = readFileSync(file);
    const [width, height] = sizeOf(png);
    expect(width).toBe(720);
    expect(height).toBeGreaterThan(200);
    expect(height).toBeLessThan(400);
    // An empty picture of this size has less than 3 kB.
    expect(png.length).toBeGreaterThan(8_000);
  });

  test("of an app that does not connect is an error", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder("screenshot"), "silent.png");
    const { code, err } = await cli(
      "inspect",
      "--timeout",
      "3",
      "--app",
      "silent",
      "--screenshot",
      file,
      "--",
      ...others,
    );
    expect(code).toBe(1);
    expect(err).toContain(
      "error[app-silent]: the app ui://apps/silent was not shown: SdkError: the app was not ready in 3000 ms",
    );
    expect(() => readFileSync(file)).toThrow("ENOENT");
  });

  test("of an app whose size changes all the time is taken after 10 seconds", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder("screenshot"), "restless.png");
    const { code, err } = await cli("inspect", "--app", "restless", "--screenshot", file, "--", ...others);
    expect({ code, err }).toEqual({ code: 0, err: `wrote ${file}\n` });
    expect(sizeOf(readFileSync(file))[1]).toBeGreaterThan(100);
  });

  test("ends when the server does", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder("screenshot"), "ending.png");
    const { code, err } = await cli("inspect", "--app", "ending", "--screenshot", file, "--", ...others);
    expect(code).toBe(1);
    expect(err).toContain("error[server-");
    expect(() => readFileSync(file)).toThrow("ENOENT");
  });

  test("by a browser that does not work is an error", { timeout: 60_000 }, async () => {
    const before = process.env["CHROMIUM"];
    process.env["CHROMIUM"] = "/bin/false";
    onTestFinished(() => {
      if (before === undefined) delete process.env["CHROMIUM"];
      else process.env["CHROMIUM"] = before;
    });
    const file = join(temporaryFolder("screenshot"), "silent.png");
    const { code, err } = await cli("inspect", "--app", "silent", "--screenshot", file, "--", ...others);
    expect(code).toBe(1);
    expect(err).toContain("error[app-browser-failed]: /bin/false does not work: it ended with 1");
  });
});

test.each([
  ["plain", "the tool names none in _meta.ui.resourceUri", "Tools with an app: silent, restless, ending."],
  ["refresh", "the tool names none in _meta.ui.resourceUri", "Tools with an app: silent, restless, ending."],
  ["missing", "the server does not list the tool", "Tools with an app: silent, restless, ending."],
])("--app %s: there is no app", { timeout: 60_000 }, async (tool, reason, hint) => {
  const { code, err } = await cli("inspect", "--app", tool, "--", ...others);
  expect(code).toBe(1);
  expect(err).toContain(`error[app-missing]: the app of the tool ${tool} cannot be shown: ${reason}\n  ${hint}`);
});

test("a screenshot that cannot be written is an error before the tool is called", { timeout: 60_000 }, async () => {
  const { code, err } = await cli("inspect", "--app", "silent", "--screenshot", "/nowhere/a.png", "--", ...others);
  expect(code).toBe(1);
  expect(err).toContain("error[app-screenshot-unwritable]: cannot write the screenshot to /nowhere/a.png: ENOENT");
});

test("the list of tools says which have an app, and which are only for apps", { timeout: 60_000 }, async () => {
  const { code, out } = await cli("inspect", "--", ...others);
  expect(code).toBe(0);
  expect(out).toContain("  silent\n    app ui://apps/silent\n");
  expect(out).toContain("  refresh\n    only for apps\n");
  expect(out).toContain("  plain\n    ()\n");
});
