import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import {
  type AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "../../../runtime/src/client/http.js";

const minutes = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => void vi.useRealTimers());

/** Logs in a user who takes some time. */
function slowUser(logInMs: number): AuthProvider & { token: () => string | undefined } {
  let token: string | undefined;
  return {
    token: () => token,
    onUnauthorized: async () => {
      await new Promise((resolve) => setTimeout(resolve, logInMs));
      token = "good";
    },
  };
}

/** Answers requests with the token after a delay, and the others with 401. */
function serverOf(delayMs: number): (url: URL, init: RequestInit) => Promise<Response> {
  return async (_url, init) => {
    if (new Headers(init.headers).get("authorization") !== "Bearer good") return new Response(null, { status: 401 });
    const { id, method } = JSON.parse(init.body as string) as { id: number; method: string };
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const base = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const discovered = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    const result = { ...base, ...(method === "server/discover" ? discovered : { tools: [] }) };
    return Response.json({ jsonrpc: "2.0", id, result });
  };
}

function clientWith(authProvider: AuthProvider, delayMs: number): [Client, StreamableHTTPClientTransport] {
  const transport = new StreamableHTTPClientTransport("https://mcp.example.com/", {
    authProvider,
    fetch: serverOf(delayMs),
  });
  return [new Client({ name: "client", version: "1" }), transport];
}

test("the time of a log-in is not the time of a request", async () => {
  const [client, transport] = clientWith(slowUser(4 * minutes), 10);
  const opened = client.connect(transport);
  await vi.advanceTimersByTimeAsync(5 * minutes);
  await opened;
  expect(client.era).toBe("stateless");
  await client.close();
});

test("the time of a log-in is not the time that a server of HTTP+SSE has for its endpoint", async () => {
  const transport = new SSEClientTransport("https://mcp.example.com/", {
    authProvider: slowUser(4 * minutes),
    fetch: (_url, init) => {
      const isGood = new Headers(init.headers).get("authorization") === "Bearer good";
      // After the log-in, the server sends no endpoint.
      return Promise.resolve(
        isGood
          ? new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })
          : new Response(null, { status: 401 }),
      );
    },
  });
  const state = { outcome: undefined as unknown };
  void transport.start().catch((error: unknown) => (state.outcome = error));
  await vi.advanceTimersByTimeAsync(4.4 * minutes);
  expect(state.outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(minutes);
  expect(state.outcome).toMatchObject({ code: "RESPONSE_LOST" });
  await transport.close();
});

test("after the log-in, the server has the usual time to answer", async () => {
  const [client, transport] = clientWith(slowUser(2 * minutes), 2 * minutes);
  const opened = client.connect(transport).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2.9 * minutes);
  expect(client.era).toBeUndefined();
  await vi.advanceTimersByTimeAsync(minutes);
  expect(await opened).toMatchObject({ code: "CONNECT_TIMEOUT" });
  await client.close();
});

test("a log-in that never ends fails the request after `maxTotalMs`", async () => {
  const [client, transport] = clientWith(slowUser(60 * minutes), 10);
  const opened = client.connect(transport).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(11 * minutes);
  expect(await opened).toMatchObject({ code: "CONNECT_TIMEOUT" });
  await client.close();
});

test.each([
  ["a request", [{ jsonrpc: "2.0", id: 7, method: "tools/list" }], [7]],
  [
    "a batch",
    [
      { jsonrpc: "2.0", id: 7, method: "tools/list" },
      { jsonrpc: "2.0", id: 8, method: "ping" },
    ],
    [7, 8],
  ],
  ["a notification", [{ jsonrpc: "2.0", method: "notifications/initialized" }], []],
  ["a response", [{ jsonrpc: "2.0", id: 7, result: {} }], []],
] as const)("a transport pauses %s", async (_what, messages, ids) => {
  const transport = new StreamableHTTPClientTransport("https://mcp.example.com/", {
    authProvider: slowUser(1_000),
    fetch: serverOf(0),
  });
  const events: string[] = [];
  transport.onwait = (id) => {
    events.push(`pause ${id}`);
    return () => void events.push(`resume ${id}`);
  };
  await transport.start();
  const sent = transport.send(messages.length === 1 ? messages[0] : [...messages]).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(500);
  expect(events).toEqual(ids.map((id) => `pause ${id}`));
  await vi.advanceTimersByTimeAsync(600);
  expect(events.slice(ids.length)).toEqual(ids.map((id) => `resume ${id}`));
  await transport.close();
  await sent;
});
