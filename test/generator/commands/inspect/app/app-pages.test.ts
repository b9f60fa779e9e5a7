import { once } from "node:events";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { RemoteError } from "@mcpwright/runtime/errors";
import { serveAppPages } from "../../../../../generator/commands/inspect/app/app-pages.js";
import { statusOf } from "../../../../support/status-of.js";

const data = {
  tool: { name: "forecast", inputSchema: { type: "object" as const } },
  arguments: { city: "Rome" },
  result: { content: [] },
  resource: { uri: "ui://weather/chart", html: "<b>Chart</b>", meta: {} },
  readyTimeoutMs: 1_000,
};

async function pages() {
  const asked: unknown[] = [];
  const served = await serveAppPages(data, {
    listTools: async () => Promise.resolve({ tools: [{ name: "refresh", inputSchema: { type: "object" } }] }),
    callTool: async (params, options) => {
      asked.push(params);
      if (params.name === "wait") await once(options?.signal ?? new EventTarget(), "abort");
      if (params.name === "wait") asked.push("cancelled");
      if (params.name === "fail") throw new RemoteError(-32602, "Unknown tool: fail", { name: "fail" });
      if (params.name === "break") throw new Error("the connection is gone");
      return Promise.resolve({ resultType: "complete", content: [] });
    },
    readResource: async ({ uri }) =>
      Promise.resolve({ resultType: "complete", contents: [{ uri, text: "a" }] } as never),
  });
  onTestFinished(served.close);
  return { url: served.url, asked };
}

test("the page, its script and its data are served at a secret path, and cannot load anything else", async () => {
  const { url } = await pages();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f]{32}\/$/);
  const page = await fetch(url);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain('<script type="module" src="host.js"></script>');
  const shown = (await (await fetch(`${url}data.json`)).json()) as { sandboxUrl: string; version: string };
  expect(shown).toMatchObject({
    ...data,
    sandboxUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string,
  });
  expect(new URL(shown.sandboxUrl).origin).not.toBe(new URL(url).origin);
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src ${new URL(shown.sandboxUrl).origin}; frame-ancestors 'none'`,
  );
  const script = await fetch(`${url}host.js`);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect((await script.text()).length).toBeGreaterThan(10_000);
});

test("the sandbox has the policy of the app, and is for the page alone", async () => {
  const { url } = await pages();
  const { sandboxUrl } = (await (await fetch(`${url}data.json`)).json()) as { sandboxUrl: string };
  const csp = encodeURIComponent(JSON.stringify({ connectDomains: ["https://api.example.com"] }));
  const sandbox = await fetch(`${sandboxUrl}?csp=${csp}`);
  const policy = sandbox.headers.get("content-security-policy");
  expect(policy).toContain("connect-src https://api.example.com;");
  expect(policy).toContain(`frame-ancestors ${new URL(url).origin}`);
  expect((await fetch(`${sandboxUrl}?csp={`)).status).toBe(400);
  expect((await fetch(sandboxUrl, { method: "POST" })).status).toBe(404);
  expect(await statusOf(sandboxUrl, { host: "example.com" })).toBe(404);
});

test.each([
  ["without the secret", (url: string) => fetch(new URL("/", url))],
  ["with another secret", (url: string) => fetch(new URL(`/${"0".repeat(32)}/data.json`, url))],
  ["of another file", (url: string) => fetch(new URL("../package.json", url))],
  ["with another method", (url: string) => fetch(`${url}data.json`, { method: "POST" })],
])("a request %s is not found", async (_, ask) => {
  const { url } = await pages();
  expect((await ask(url)).status).toBe(404);
});

test("requests with another host or origin, as those of other pages, are not answered", async () => {
  const { url, asked } = await pages();
  const { host, origin } = new URL(url);
  expect(await statusOf(url, { host })).toBe(200);
  expect(await statusOf(url, { host: "example.com" })).toBe(404);
  expect(await statusOf(`${url}request`, { host, origin: "https://example.com" }, "POST")).toBe(404);
  expect(await statusOf(`${url}request`, { host, origin: "null" }, "POST")).toBe(404);
  expect(await statusOf(`${url}data.json`, { host, origin })).toBe(200);
  expect(asked).toEqual([]);
});

test.each([
  [{ kind: "listTools", params: {} }, { result: { tools: [{ name: "refresh", inputSchema: { type: "object" } }] } }],
  [{ kind: "callTool", params: { name: "refresh" } }, { result: { resultType: "complete", content: [] } }],
  [
    { kind: "readResource", params: { uri: "a://b" } },
    { result: { resultType: "complete", contents: [{ uri: "a://b", text: "a" }] } },
  ],
  [
    { kind: "callTool", params: { name: "fail" } },
    { error: { code: -32602, message: "Unknown tool: fail", data: { name: "fail" } } },
  ],
  [{ kind: "callTool", params: { name: "break" } }, { error: { code: -32603, message: "the connection is gone" } }],
])("the app's request %j is passed on", async (body, expected) => {
  const { url } = await pages();
  const response = await fetch(`${url}request`, { method: "POST", body: JSON.stringify(body) });
  expect(await response.json()).toEqual(expected);
});

test("many requests on one connection leave no listeners on it", async () => {
  const { url, asked } = await pages();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const sockets = new Set<unknown>();
  for (let times = 0; times < 15; times++) {
    const asking = send(`${url}request`, { method: "POST", agent });
    asking.end(JSON.stringify({ kind: "callTool", params: { name: "refresh" } }));
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    sockets.add(response.socket.localPort);
    await text(response);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(asked).toHaveLength(15);
  expect(sockets.size).toBe(1);
  expect(warnings).toEqual([]);
});

test("a call is cancelled when the page does not wait for it any more", async () => {
  const { url, asked } = await pages();
  const stop = new AbortController();
  const body = JSON.stringify({ kind: "callTool", params: { name: "wait" } });
  const asking = fetch(`${url}request`, { method: "POST", body, signal: stop.signal });
  await expect.poll(() => asked).toEqual([{ name: "wait" }]);
  stop.abort(new Error("closed"));
  await expect(asking).rejects.toThrow("closed");
  await expect.poll(() => asked).toEqual([{ name: "wait" }, "cancelled"]);
});

test("a request that is too long, or not JSON, is an error", async () => {
  const { url } = await pages();
  const post = async (body: string) =>
    (await (await fetch(`${url}request`, { method: "POST", body })).json()) as {
      error: { code: number; message: string };
    };
  expect((await post(" ".repeat(10_000_001))).error.message).toBe("The request is longer than 10000000 bytes");
  expect((await post("{")).error.code).toBe(-32603);
  expect((await post('{"kind":"eval","params":{}}')).error).toMatchObject({ code: -32600 });
});

test("nothing is served after the end", async () => {
  const served = await serveAppPages(data, {} as never);
  await served.close();
  await expect(fetch(served.url).then((response) => text(response.body as never))).rejects.toThrow("fetch failed");
});
