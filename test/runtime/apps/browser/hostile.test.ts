/** Apps and other frames that do not behave, in the host of ours, in Chromium. */
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../../../auth-server/browser-user.js";
import { appHtml, forbiddenServer, Site } from "./site.js";
import type { OpenOptions } from "./pages/driver.js";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The start of an app that speaks without a library: `ask` sends a request, `tell` any message, and `heard` has all that arrives. */
const bare = `<!doctype html><script>
  var heard = [], waiting = new Map();
  addEventListener("message", ({ data }) => { heard.push(data); waiting.get(data.id)?.(data); });
  var tell = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  var ids = 0;
  var ask = (method, params) => new Promise((resolve) => {
    const id = ++ids;
    waiting.set(id, resolve);
    tell({ id, method, params });
  });
  var begin = async () => {
    await ask("ui/initialize", { appInfo: { name: "bare", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" });
    tell({ method: "ui/notifications/initialized", params: {} });
  };
</script>`;
const ready = `${bare}<script>begin()</script>`;

/** A host with this app. */
async function show(html: string, options: Partial<OpenOptions> = {}): Promise<Site> {
  const site = await Site.open(browser, "our-host");
  await site.page.evaluate((given) => driver.open(given), { html, sandboxUrl: site.sandboxUrl, ...options });
  return site;
}

/** Sends a request as the app. @returns the response */
function ask(frame: Frame, method: string, params: object = {}): Promise<Record<string, unknown>> {
  return frame.evaluate<Record<string, unknown>, [string, object]>(
    ([name, given]) => (globalThis as unknown as { ask: Ask }).ask(name, given),
    [method, params],
  );
}
type Ask = (method: string, params: object) => Promise<Record<string, unknown>>;

const frames = (site: Site): Promise<number> => site.page.evaluate(() => document.querySelectorAll("iframe").length);

test("messages of other windows and origins get no answer, and are reported once", async () => {
  const site = await show(ready);
  const other = await Site.open(browser, "our-host");
  const answers = await site.page.evaluate(async (origin) => {
    const request = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "now" } };
    const text = `<script>
      let answers = 0;
      addEventListener("message", () => answers++);
      for (let times = 0; times < 3; times++) parent.postMessage(${JSON.stringify(request)}, "*");
      setTimeout(() => parent.postMessage({ answers }, "*"), 300);
    </script>`;
    const told = new Promise<number>((resolve) =>
      addEventListener("message", ({ data }: MessageEvent<{ answers?: number }>) => {
        if (typeof data.answers === "number") resolve(data.answers);
      }),
    );
    const stranger = document.createElement("iframe");
    stranger.srcdoc = text;
    document.body.append(stranger);
    // The page itself is another window, too.
    postMessage(request, origin);
    return told;
  }, site.origin);
  expect(answers).toBe(0);
  expect(await site.events()).toEqual([
    ["error", "a message was ignored, because it came from another window; further ones are only counted"],
  ]);
  expect(other.origin).not.toBe(site.origin);
});

test("the sandbox passes nothing on that comes from another window or origin", async () => {
  const site = await show(ready);
  const sandbox = site.page.frames().find((frame) => frame.url().startsWith(site.sandboxUrl));
  // Another frame inside of the sandbox's page, and the sandbox's own window.
  await sandbox?.evaluate(() => {
    const note = { jsonrpc: "2.0", method: "ui/notifications/request-teardown", params: {} };
    const stranger = document.createElement("iframe");
    stranger.srcdoc = `<script>parent.postMessage(${JSON.stringify(note)}, "*")</script>`;
    document.body.append(stranger);
    postMessage(note, "*");
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await site.events()).toEqual([]);
});

test("an app that floods its host is removed", async () => {
  const site = await show(
    `${ready}<script>setTimeout(() => { for (let n = 0; n < 6000; n++) tell({ method: "notifications/message", params: { level: "info", data: n } }) }, 200)</script>`,
  );
  await expect
    .poll(() => site.events(), { timeout: 10_000 })
    .toContainEqual(["closed", "the app sent more than 1000 messages in a second (option maxMessagesPerSecond)"]);
  expect(await frames(site)).toBe(0);
  expect(((await site.events()) as string[][]).filter(([kind]) => kind === "log").length).toBeLessThanOrEqual(2_000);
});

test("a message that is too long, and requests beyond the limit, are refused", async () => {
  const site = await show(ready, { limits: { maxMessageLength: 10_000, maxConcurrentRequests: 3 } });
  const frame = await site.app();
  expect(await ask(frame, "tools/call", { name: "now", arguments: { text: "x".repeat(20_000) } })).toMatchObject({
    error: { code: -32600, message: "The message is longer than 10000 characters" },
  });
  void frame.evaluate(() => {
    const { ask } = globalThis as unknown as { ask: Ask };
    for (let times = 0; times < 3; times++) void ask("tools/call", { name: "wait" });
  });
  await expect.poll(async () => (await ask(frame, "ping")) as object).toMatchObject({ error: { code: 429 } });
});

test("an app gets only what it was granted", async () => {
  const site = await show(ready, {
    asks: { camera: {}, geolocation: {} },
    grants: { geolocation: {}, microphone: {} },
  });
  const frame = await site.app();
  expect(await ask(frame, "tools/call", { name: "delete" })).toMatchObject({
    error: { code: -32000, message: "The tool delete is not for apps" },
  });
  expect(await ask(frame, "tools/call", { name: "unknown" })).toMatchObject({ error: { code: -32602 } });
  expect(await ask(frame, "ui/download-file", { contents: [] })).toMatchObject({ error: { code: -32601 } });
  expect(await ask(frame, "sampling/createMessage", {})).toMatchObject({ error: { code: -32601 } });
  expect(await ask(frame, "ui/open-link", { url: "javascript:alert(1)" })).toMatchObject({ error: { code: -32602 } });
  expect(
    await ask(frame, "ui/initialize", {
      appInfo: { name: "a", version: "1" },
      appCapabilities: {},
      protocolVersion: "1",
    }),
  ).toMatchObject({
    error: { code: -32600 },
  });
  expect(await site.events()).toEqual([]);
  const allowed = await frame.evaluate(() => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } };
    return ["camera", "microphone", "geolocation"].filter((name) => featurePolicy.allowsFeature(name));
  });
  expect(allowed).toEqual(["geolocation"]);
});

test("an app that the host refuses everything can do nothing", async () => {
  const site = await show(ready, { refuses: true });
  const frame = await site.app();
  const refused = { error: { code: -32000, message: "The user or the host refused" } };
  expect(await ask(frame, "tools/call", { name: "now" })).toMatchObject(refused);
  expect(await ask(frame, "resources/read", { uri: "file:///note" })).toMatchObject(refused);
  expect(await ask(frame, "ui/update-model-context", {})).toMatchObject(refused);
  expect(await ask(frame, "ui/open-link", { url: "https://example.com/" })).toMatchObject({
    result: { isError: true },
  });
  expect(await ask(frame, "ui/message", { role: "user", content: [] })).toMatchObject({ result: { isError: true } });
  expect(await ask(frame, "ui/request-display-mode", { mode: "fullscreen" })).toMatchObject({
    result: { mode: "inline" },
  });
  expect(((await site.events()) as string[][]).map(([kind]) => kind)).toEqual(Array(6).fill("consent"));
});

test("an app that asks before it has introduced itself is refused", async () => {
  const site = await show(bare, { hasty: true });
  const frame = await site.app();
  expect(await ask(frame, "tools/call", { name: "now" })).toMatchObject({
    error: { code: -32600, message: "Send ui/initialize before tools/call" },
  });
});

test("an app gets nothing before it is ready", async () => {
  const site = await show(bare, { hasty: true });
  const frame = await site.app();
  await site.page.evaluate(() => {
    driver.input({ city: "Vienna" });
    driver.theme("light");
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const heard = (): Promise<{ method?: string }[]> => frame.evaluate("heard");
  expect(await heard()).toEqual([]);
  await frame.evaluate("begin()");
  await expect
    .poll(async () => (await heard()).map(({ method }) => method))
    .toEqual([undefined, "ui/notifications/tool-input"]);
});

test.each(["location", "link"])("an app that navigates away (by %s) is removed, and reaches nothing", async (way) => {
  const forbidden = await forbiddenServer();
  const to = `${forbidden.origin}/stolen?data`;
  const leave =
    way === "location"
      ? `location.href = ${JSON.stringify(to)}`
      : `document.body.innerHTML = '<a href=${JSON.stringify(to)}>x</a>', document.querySelector("a").click()`;
  const site = await show(`${ready}<body><script>setTimeout(() => { ${leave} }, 300)</script>`);
  await expect.poll(() => site.events()).toContainEqual(["closed", "the frame of the app has navigated away"]);
  expect(await frames(site)).toBe(0);
  expect(forbidden.requests).toEqual([]);
});

test("an app cannot navigate its host or the sandbox", async () => {
  const forbidden = await forbiddenServer();
  const site = await show(ready);
  const frame = await site.app();
  const outcomes = await frame.evaluate((to) => {
    const attempt = (run: () => unknown): string => {
      try {
        return String(run());
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      attempt(() => (parent.location.href = to)),
      attempt(() => top && (top.location.href = to)),
      attempt(() => parent.document.title),
      attempt(() => localStorage.length),
      attempt(() => open(to)),
      self.origin,
    ];
  }, forbidden.origin);
  expect(outcomes).toEqual(["SecurityError", "SecurityError", "SecurityError", "SecurityError", "null", "null"]);
  expect(site.page.url()).toBe(`${site.origin}/`);
  expect(forbidden.requests).toEqual([]);
});

test("an app that never becomes ready is removed", async () => {
  const site = await Site.open(browser, "our-host");
  const options = { html: bare, sandboxUrl: site.sandboxUrl, limits: { readyTimeoutMs: 500 } };
  const opened = site.page.evaluate((given) => driver.open(given), options);
  await expect(opened).rejects.toThrow("the app was not ready in 500 ms (option readyTimeoutMs)");
  expect(await frames(site)).toBe(0);
});

test("a sandbox that does not load is given up", async () => {
  const forbidden = await forbiddenServer();
  const site = await Site.open(browser, "our-host");
  const options = { html: bare, sandboxUrl: forbidden.origin, limits: { readyTimeoutMs: 500 } };
  const opened = site.page.evaluate((given) => driver.open(given), options);
  await expect(opened).rejects.toThrow("the sandbox did not load in 500 ms (option readyTimeoutMs)");
  expect(await frames(site)).toBe(0);
});

test("an app that does not answer is removed after the time limit", async () => {
  const site = await show(ready);
  const started = performance.now();
  expect(await site.page.evaluate(() => driver.close())).toBe(false);
  expect(performance.now() - started).toBeGreaterThanOrEqual(500);
  expect(await frames(site)).toBe(0);
  expect(await site.events()).toEqual([
    ["error", "ui/resource-teardown got no response in 500 ms (option timeoutMs)"],
    ["closed", undefined],
  ]);
});

test("a frame that is removed in the middle of a call ends the call", async () => {
  const site = await show(ready);
  const frame = await site.app();
  void ask(frame, "tools/call", { name: "wait" }).catch(() => undefined);
  await expect.poll(() => site.events()).toContainEqual(["consent", "callTool", "wait"]);
  await site.page.evaluate(() => document.querySelector("iframe")?.remove());
  await expect.poll(() => site.events()).toContainEqual(["closed", "the frame of the app was removed from the page"]);
  await expect.poll(() => site.events()).toContainEqual(["aborted"]);
  expect(await site.page.evaluate(() => driver.close())).toBe(false);
});

/** All ways to reach the network that a page without user gestures has. `%` is the origin to reach. */
const attempts = `
<img src="%/img"><link rel="stylesheet" href="%/css"><script src="%/script"></script><link rel="prefetch" href="%/prefetch">
<link rel="preload" as="image" href="%/preload"><link rel="icon" href="%/icon"><link rel="manifest" href="%/manifest">
<link rel="modulepreload" href="%/modulepreload"><style>@import "%/import"; @font-face { font-family: far; src: url("%/font") }
body { font-family: far; background: url("%/background") }</style><video src="%/video" autoplay></video><audio src="%/audio" autoplay></audio>
<iframe src="%/iframe"></iframe><object data="%/object"></object><embed src="%/embed"><svg><image href="%/svg"/><use href="%/use#a"/></svg>
<form action="%/form" method="post"><input name="a"></form><input type="image" src="%/input">text
<script type="module">import("%/dynamic").catch(() => undefined);</script>
<script>
  const quietly = (run) => { try { Promise.resolve(run()).catch(() => undefined) } catch {} };
  quietly(() => fetch("%/fetch"));
  quietly(() => fetch("%/no-cors", { mode: "no-cors", keepalive: true }));
  quietly(() => { const request = new XMLHttpRequest(); request.open("GET", "%/xhr"); request.send(); });
  quietly(() => new WebSocket("%/socket".replace("http", "ws")));
  quietly(() => new EventSource("%/events"));
  quietly(() => navigator.sendBeacon("%/beacon", "data"));
  quietly(() => new Image().src = "%/image");
  quietly(() => new Worker("%/worker"));
  quietly(() => new Worker(URL.createObjectURL(new Blob(['fetch("%/blob-worker")']))));
  quietly(() => navigator.serviceWorker.register("%/service-worker"));
  quietly(() => document.forms[0].submit());
  quietly(() => window.open("%/open"));
  quietly(() => document.write('<base href="%/"><img src="relative">'));
  quietly(() => { const frame = document.createElement("iframe"); frame.srcdoc = '<img src="%/nested">'; document.body.append(frame); });
  quietly(() => { const link = document.createElement("a"); link.href = "#x"; link.ping = "%/ping"; document.body.append(link); link.click(); });
</script>`;
/** A policy of the app's own cannot allow more. */
const looser = `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'">`;

test("HTML that tries everything reaches no origin that it has not declared", async () => {
  const forbidden = await forbiddenServer();
  const html = looser + ready + attempts.replaceAll("%", forbidden.origin);
  const site = await show(html, { hasty: true });
  const frame = await site.app();
  await frame.waitForFunction(() => document.links.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(forbidden.requests).toEqual([]);
  // It is still there, so that it had the time to try.
  expect(await frames(site)).toBe(1);
  expect(await frame.evaluate(() => document.links.length)).toBe(1);
});

test("an app that refreshes itself to another page reaches nothing", async () => {
  const forbidden = await forbiddenServer();
  const site = await show(`<meta http-equiv="refresh" content="0; url=${forbidden.origin}/refresh">${ready}`, {
    hasty: true,
  });
  await expect.poll(() => site.events()).toContainEqual(["closed", "the frame of the app has navigated away"]);
  expect(forbidden.requests).toEqual([]);
});

test("the same HTML reaches the origins that it has declared", async () => {
  const { origin, requests } = await forbiddenServer();
  const csp = {
    connectDomains: [origin, origin.replace("http", "ws")],
    resourceDomains: [origin],
    frameDomains: [origin],
  };
  await show(ready + attempts.replaceAll("%", origin), { csp, hasty: true });
  await expect
    .poll(() => requests)
    .toEqual(
      expect.arrayContaining([
        "/img",
        "/css",
        "/script",
        "/import",
        "/font",
        "/iframe",
        "/fetch",
        "/xhr",
        "/socket",
        "/events",
        "/beacon",
      ]),
    );
  // These have no list of domains.
  expect(requests).not.toEqual(expect.arrayContaining(["/form"]));
  expect(requests).not.toEqual(expect.arrayContaining(["/object"]));
  expect(requests).not.toEqual(expect.arrayContaining(["/open"]));
});

test("a link within the app does not leave it", async () => {
  const site = await show(`${ready}<a href="#end">end</a><p id="end">The end</p>`);
  const frame = await site.app();
  await frame.click("a");
  expect(await frame.evaluate(() => location.href)).toBe("about:srcdoc#end");
  expect(await ask(frame, "ping")).toMatchObject({ result: {} });
});

test("a host may allow an app the origin of the sandbox", async () => {
  const site = await show(await appHtml("our-app"), { appSandbox: "allow-scripts allow-same-origin" });
  const frame = await site.app();
  expect(await frame.evaluate(() => self.origin)).toBe(new URL(site.sandboxUrl).origin);
  expect(await frame.evaluate(() => driver.call("now", {}))).toMatchObject({ content: [{ text: "sunny" }] });
});
