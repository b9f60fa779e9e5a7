import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { type HttpServerHandle, serveHttp } from "../../../runtime/src/node.js";
import { healthChecks } from "../../../runtime/src/operations.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { call } from "../http-server/messages.js";
import { Subject } from "../http-server/subject.js";
import { until } from "../http-server/messages.js";

/** A backplane whose `get` a test replaces. */
class TestBackplane extends MemoryBackplane {
  reads = 0;
  answer: () => Promise<undefined> = () => Promise.resolve(undefined);
  override get(key: string): never {
    if (key !== "health") return super.get(key) as never;
    this.reads++;
    return this.answer() as never;
  }
}

const request = (path: string, method = "GET"): Request => new Request(`http://10.0.0.1${path}`, { method });

async function answerOf(response: Promise<Response>): Promise<readonly [number, string]> {
  const { status, text } = await response.then(async (one) => ({ status: one.status, text: await one.text() }));
  return [status, text];
}

test.each([
  ["/healthz", "GET", 200, "ok"],
  ["/healthz?from=platform", "GET", 200, "ok"],
  ["/healthz", "HEAD", 200, ""],
  ["/readyz", "GET", 200, "ok"],
  ["/readyz", "HEAD", 200, ""],
  ["/readyz", "POST", 405, "Method Not Allowed"],
  ["/", "GET", 404, "Not Found"],
  ["/readyz/x", "GET", 404, "Not Found"],
  ["/mcp", "POST", 404, "Not Found"],
])("%s %s: %i %s, by fetch and on Node", async (path, method, status, text) => {
  const handler = createMcpHandler(new Subject().server);
  const checks = healthChecks(() => handler);
  expect(await answerOf(checks.fetch(request(path, method)))).toEqual([status, text]);
  const server = createServer(checks.listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  expect([response.status, await response.text(), response.headers.get("cache-control")]).toEqual([
    status,
    text,
    "no-store",
  ]);
});

test("is not ready before there is a handler, but alive", async () => {
  const { fetch, notReady } = healthChecks(() => undefined);
  expect(await answerOf(fetch(request("/readyz")))).toEqual([503, "starting"]);
  expect(await answerOf(fetch(request("/healthz")))).toEqual([200, "ok"]);
  expect(await notReady()).toBe("starting");
});

test("is not ready while serveHttp shuts down, but alive", async () => {
  const subject = new Subject();
  const started: HttpServerHandle[] = [];
  const { listener } = healthChecks(() => started[0]?.handler);
  const served = await serveHttp(subject.server, { fallback: listener, graceMs: 5_000 });
  started.push(served);
  const check = (path: string) => answerOf(fetch(new URL(path, served.url)));
  expect(await check("/readyz")).toEqual([200, "ok"]);
  const sent = call(1, "hold", { key: "k" });
  const headers = sent.headers as Record<string, string>;
  const running = fetch(served.url, { method: "POST", headers, body: JSON.stringify(sent.body) });
  await until(() => subject.holds("k"));
  const closed = served.close();
  expect([await check("/readyz"), await check("/healthz")]).toEqual([
    [503, "draining"],
    [200, "ok"],
  ]);
  subject.release("k");
  expect((await running).status).toBe(200);
  await closed;
});

test.each([
  ["fails", () => Promise.reject(new Error("connection refused")), "connection refused"],
  ["is silent", () => new Promise<undefined>(() => undefined), "no response within 20 ms"],
  [
    "throws",
    () => {
      throw new Error("not connected");
    },
    "not connected",
  ],
] as const)("is not ready while the backplane %s, and ready again afterwards", async (_, answer, message) => {
  const backplane = new TestBackplane();
  const onerror = vi.fn();
  const server = new McpServer({ name: "s", version: "1" }, { backplane, onerror });
  const handler = createMcpHandler(server);
  const { notReady } = healthChecks(() => handler, { timeoutMs: 20, maxAgeMs: 0 });
  expect(await notReady()).toBeUndefined();
  backplane.answer = answer;
  expect(await notReady()).toBe("backplane");
  expect(onerror.mock.calls).toMatchObject([[{ message }]]);
  backplane.answer = () => Promise.resolve(undefined);
  expect(await notReady()).toBeUndefined();
});

test("an onerror that throws affects nothing", async () => {
  const backplane = new TestBackplane();
  backplane.answer = () => Promise.reject(new Error("connection refused"));
  const onerror = (): never => {
    throw new Error("the log is full");
  };
  const handler = createMcpHandler(new McpServer({ name: "s", version: "1" }, { backplane, onerror }));
  const { fetch, notReady } = healthChecks(() => handler);
  expect(await notReady()).toBe("backplane");
  expect(await answerOf(fetch(request("/readyz")))).toEqual([503, "backplane"]);
});

test("a handlerOf that throws is printed, and the process goes on", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const error = new ReferenceError("served is not defined");
  const { fetch, listener, notReady } = healthChecks(() => {
    throw error;
  });
  await expect(notReady()).rejects.toBe(error);
  expect(await answerOf(fetch(request("/readyz")))).toEqual([500, "Internal Server Error"]);
  expect(await answerOf(fetch(request("/healthz")))).toEqual([200, "ok"]);
  const statuses: number[] = [];
  await new Promise<void>((end) =>
    listener({ url: "/readyz" }, { writeHead: (status) => statuses.push(status), end: () => end() }),
  );
  expect(statuses).toEqual([500]);
  expect(printed.mock.calls).toEqual([[error], [error]]);
});

test("1,000 requests at the same time read from the backplane once", async () => {
  const backplane = new TestBackplane();
  const handler = createMcpHandler(new McpServer({ name: "s", version: "1" }, { backplane }));
  const { fetch } = healthChecks(() => handler);
  const all = await Promise.all(Array.from({ length: 1_000 }, () => answerOf(fetch(request("/readyz")))));
  expect([all.every(([status]) => status === 200), backplane.reads]).toEqual([true, 1]);
});

test("rejects a negative number", () => {
  expect(() => healthChecks(() => undefined, { timeoutMs: -1 })).toThrow("timeoutMs must be 0 or more, not -1");
});
