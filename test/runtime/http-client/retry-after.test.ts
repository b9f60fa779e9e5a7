/** What the client does with requests that the server refuses with a time to wait. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import type { StreamableHTTPClientTransportOptions } from "../../../runtime/src/client/http.js";
import { serveHttp } from "../../../runtime/src/node.js";
import { rateLimits } from "../../../runtime/src/rate-limits.js";
import { McpServer } from "../../../runtime/src/server.js";
import { fakeServer, type Reply, type Seen } from "./fake-server.js";

type Refuse = (reply: Reply, seen: Seen) => void;
type RetryAfter = string | (() => string);

const header = (retryAfter: RetryAfter | undefined): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": typeof retryAfter === "string" ? retryAfter : retryAfter() };

/** Refuses with a text, as a proxy does. */
const withStatus =
  (status: number, retryAfter?: RetryAfter, text = "busy"): Refuse =>
  (reply) =>
    reply.status(status, text, header(retryAfter));

/** Refuses with an error, as a server does. */
const withError =
  (status: number, retryAfter?: RetryAfter): Refuse =>
  (reply, { message: { id } }) =>
    reply.json({ jsonrpc: "2.0", id, error: { code: status, message: "Try again later" } }, status, header(retryAfter));

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Lets time pass until a promise settles. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const state = { isSettled: false };
  const settle = (): void => void (state.isSettled = true);
  promise.then(settle, settle);
  while (!state.isSettled) {
    await vi.advanceTimersByTimeAsync(50);
    await pass(1);
  }
  return promise;
}

/** Lets sockets work. */
async function pass(turns: number): Promise<void> {
  for (; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until a client waits. */
async function refusal(server: { of(method: string): readonly unknown[] }): Promise<void> {
  while (server.of("tools/call").length === 0) await pass(1);
  await pass(100);
}

/** A server that refuses the first calls. */
async function start(refusals: number, refuse: Refuse, options: StreamableHTTPClientTransportOptions = {}) {
  let left = refusals;
  const server = await fakeServer((seen, reply) => {
    const { message } = seen;
    if (message.method !== "tools/call" && message.method !== "notifications/roots/list_changed")
      return reply.json({ jsonrpc: "2.0", id: message.id, result: {} });
    if (left-- > 0) return refuse(reply, seen);
    if (message.id === undefined) reply.status(202);
    else reply.json({ jsonrpc: "2.0", id: message.id, result: { content: [], resultType: "complete" } });
  });
  const transport = new StreamableHTTPClientTransport(server.url, options);
  const received: Seen["message"][] = [];
  transport.onmessage = (message) => void received.push(message as Seen["message"]);
  await transport.start();
  onTestFinished(() => transport.close());
  const call = (id: number): Promise<void> =>
    transport.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } });
  return { server, transport, received, call };
}

const soon = (): string => new Date(Date.now() + 900).toUTCString();

describe("sends the request again", () => {
  test.each([
    ["after 429 with an error", withError(429, "1")],
    ["after 429 with seconds", withStatus(429, "1")],
    ["after 503 with seconds", withError(503, "1")],
    ["after 503 with a date", withError(503, soon)],
    ["after 429 with a date in the past", withStatus(429, "Mon, 01 Jan 2024 00:00:00 GMT")],
    ["after 429 with 0 seconds", withStatus(429, "0")],
  ])("%s", async (_, refuse) => {
    const { server, received, call } = await start(1, refuse);
    await inTime(call(1));
    expect(server.of("tools/call")).toHaveLength(2);
    expect(received).toMatchObject([{ id: 1, result: { content: [] } }]);
  });

  test("not before the time is over", async () => {
    const { server, call } = await start(1, withStatus(429, "1"));
    const calling = call(1);
    await refusal(server);
    await vi.advanceTimersByTimeAsync(999);
    await pass(100);
    expect(server.of("tools/call")).toHaveLength(1);
    await inTime(calling);
    expect(server.of("tools/call")).toHaveLength(2);
  });

  test("when it is a notification", async () => {
    const { server, transport } = await start(1, withStatus(429, "0"));
    await inTime(transport.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" }));
    expect(server.of("notifications/roots/list_changed")).toHaveLength(2);
  });

  test("five times at most", async () => {
    const { server, call } = await start(100, withError(503, "0"));
    await expect(inTime(call(1))).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 503 } });
    expect(server.of("tools/call")).toHaveLength(6);
  });
});

describe("does not send it again", () => {
  test.each<readonly [string, Refuse, StreamableHTTPClientTransportOptions]>([
    ["without a time", withStatus(429), {}],
    ["with a time that is not valid", withError(503, "soon"), {}],
    ["with a negative time", withError(503, "-1"), {}],
    ["with a time beyond maxRetryWaitMs", withError(503, "31"), {}],
    ["with a number that is larger than any time", withError(503, "9".repeat(400)), {}],
    ["after 503 of a proxy", withStatus(503, "1"), {}],
    ["after 503 of a proxy that speaks JSON", withStatus(503, "1", '{"error":"busy"}'), {}],
    ["after 503 with a long text", withStatus(503, "1", "x".repeat(2 ** 21)), {}],
    ["after 503 with a result", withStatus(503, "1", '{"jsonrpc":"2.0","id":1,"result":{}}'), {}],
    ["with maxRetryWaitMs: 0", withStatus(429, "0"), { maxRetryWaitMs: 0 }],
    ["after 500", withStatus(500, "1"), {}],
    ["after 502", withStatus(502, "1"), {}],
  ])("%s", async (_, refuse, options) => {
    const { server, call } = await start(1, refuse, options);
    await expect(inTime(call(1))).rejects.toMatchObject({ code: "HTTP_ERROR" });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("when all waits together take longer than maxRetryWaitMs", async () => {
    const { server, call } = await start(9, withError(503, "0"), { maxRetryWaitMs: 250 });
    await expect(inTime(call(1))).rejects.toMatchObject({ code: "HTTP_ERROR" });
    expect(server.of("tools/call")).toHaveLength(3);
  });

  test("but returns the error of the server, when it has one", async () => {
    const { server, received, call } = await start(1, withError(429, "1"), { maxRetryWaitMs: 0 });
    await call(1);
    expect(server.of("tools/call")).toHaveLength(1);
    expect(received).toMatchObject([{ id: 1, error: { code: 429 } }]);
  });

  test.each([
    ["is cancelled", (transport: StreamableHTTPClientTransport) => transport.cancelRequest(1), "REQUEST_CANCELLED"],
    [
      "is not needed any more, because the transport closes",
      (transport: StreamableHTTPClientTransport) => void transport.close(),
      "NOT_CONNECTED",
    ],
  ])("when it %s while it waits", async (_, end) => {
    const { server, transport, call } = await start(1, withStatus(429, "20"));
    const sent = call(1).then(
      () => "over",
      () => "failed",
    );
    await refusal(server);
    end(transport);
    expect(await inTime(sent)).toBe("over");
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("with an invalid option", () => {
    const make = () => new StreamableHTTPClientTransport("http://localhost/", { maxRetryWaitMs: -1 });
    expect(make).toThrow("maxRetryWaitMs must be 0 or more, not -1");
  });
});

test("a client calls a server beyond its limit, and every call succeeds", async () => {
  const limiter = new RateLimiterMemory({ points: 3, duration: 1 });
  const server = new McpServer(
    { name: "shop", version: "1.0.0" },
    { rateLimits: rateLimits([{ limiter, tools: ["buy"] }]) },
  );
  let calls = 0;
  server.registerTool("buy", {}, () => ({ content: [{ type: "text", text: String(++calls) }] }));
  const served = await serveHttp(server, { port: 0 });
  onTestFinished(() => served.close());
  const client = new Client({ name: "buyer", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(served.url));
  onTestFinished(() => client.close());
  for (let count = 0; count < 7; count++) await inTime(client.callTool({ name: "buy" }));
  expect(calls).toBe(7);
});
