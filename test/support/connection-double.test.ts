import type { HandlerContext, Progress } from "@mcpwright/protocol/contract";
import * as handshake from "@mcpwright/protocol/2025-11-25";
import * as stateless from "@mcpwright/protocol/2026-07-28";
import { describe, expect, test, vi } from "vitest";
import { connectionPair, internalError, invalidParams, methodNotFound, RpcError } from "./connection-double.js";

const call = { name: "t" };
const until = async (condition: () => boolean): Promise<void> => {
  await expect.poll(condition, { interval: 1 }).toBe(true);
};

describe("errors are JSON-RPC errors", () => {
  const { client, server } = connectionPair(handshake);
  server.handle({
    "tools/call": ({ name }: { name: string }) => {
      if (name === "refuses") throw new RpcError(-32042, "no", { why: "because" });
      throw new Error("the tool is broken");
    },
    "tools/list": () => ({ tools: [], size: 10n }),
    "prompts/list": () => ({ prompts: [NaN] }),
    "not/in/the/protocol": () => ({}),
  });

  test.each<[string, object | undefined, object]>([
    ["no/such/method", {}, { code: methodNotFound }],
    ["not/in/the/protocol", {}, { code: methodNotFound }],
    ["resources/list", {}, { code: methodNotFound }],
    ["constructor", {}, { code: methodNotFound }],
    ["__proto__", {}, { code: methodNotFound }],
    ["toString", {}, { code: methodNotFound }],
    ["tools/call", {}, { code: invalidParams }],
    ["tools/call", undefined, { code: invalidParams }],
    ["tools/call", { name: "x", arguments: [] }, { code: invalidParams }],
    ["tools/call", { name: "breaks" }, { code: internalError, message: "the tool is broken" }],
    ["tools/call", { name: "refuses" }, { code: -32042, message: "no", data: { why: "because" } }],
    ["tools/list", undefined, { code: internalError }],
    ["prompts/list", undefined, { code: internalError }],
  ])("%s %j: %j", async (method, params, expected) => {
    await expect(client.request(method, params)).rejects.toMatchObject({ name: "RpcError", ...expected });
  });

  test.each([{ a: () => 1 }, { a: Symbol("a") }, { a: 1n }, { a: [Infinity] }])(
    "params that are not JSON are not sent: %s",
    async (params) => {
      await expect(client.request("tools/call", params)).rejects.toBeInstanceOf(TypeError);
      await expect(client.notify("notifications/cancelled", params)).rejects.toBeInstanceOf(TypeError);
    },
  );
});

test("arriving values are copies", async () => {
  const { client, server } = connectionPair(handshake);
  const seen: unknown[] = [];
  const result = { content: [] };
  server.handle({ "tools/call": (params) => (seen.push(params), result) });
  const params = { name: "t", arguments: { at: undefined } };
  const answer = await client.request("tools/call", params);
  expect(answer).toEqual(result);
  expect(answer).not.toBe(result);
  expect(seen).toStrictEqual([{ name: "t", arguments: {} }]);
});

test("both sides may send requests at once, and responses in another order find their request", async () => {
  const { client, server } = connectionPair(handshake);
  const release: (() => void)[] = [];
  server.handle({
    "tools/call": async ({ name }: { name: string }) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return { content: [], name };
    },
  });
  client.handle({ "roots/list": () => ({ roots: [{ uri: "file:///a" }] }) });
  const [first, second] = [client.request("tools/call", { name: "1" }), client.request("tools/call", { name: "2" })];
  expect(await server.request("roots/list", undefined)).toEqual({ roots: [{ uri: "file:///a" }] });
  await until(() => release.length === 2);
  release.reverse().forEach((answer) => answer());
  expect(await Promise.all([first, second])).toMatchObject([{ name: "1" }, { name: "2" }]);
});

test("a later handler replaces an earlier one", async () => {
  const { client, server } = connectionPair(handshake);
  server.handle({ ping: () => ({ by: "first" }) });
  server.handle({ ping: () => ({ by: "second" }) });
  expect(await client.request("ping", undefined)).toEqual({ by: "second" });
});

describe("_meta", () => {
  const identity = { clientInfo: { name: "me", version: "1" }, clientCapabilities: { sampling: {} } };
  const own = (revision: string): object => ({
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": identity.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": identity.clientCapabilities,
  });

  test("is completed in revisions where every request carries it, and the caller's members stay", async () => {
    const { client, server } = connectionPair(stateless, identity);
    const seen: unknown[] = [];
    server.handle({ "tools/list": (params) => (seen.push(params), {}) });
    await client.request("tools/list", undefined);
    await client.request("tools/list", { cursor: "c", _meta: { trace: 1 } }, { meta: { span: 2 } });
    const other = { "io.modelcontextprotocol/clientCapabilities": {} };
    await client.request("tools/list", { _meta: other });
    expect(seen).toEqual([
      { _meta: own("2026-07-28") },
      { cursor: "c", _meta: { ...own("2026-07-28"), trace: 1, span: 2 } },
      { _meta: { ...own("2026-07-28"), ...other } },
    ]);
  });

  test("is left unchanged in revisions with a handshake", async () => {
    const { client, server } = connectionPair(handshake, identity);
    const seen: unknown[] = [];
    server.handle({ "tools/list": (params) => (seen.push(params), {}) });
    await client.request("tools/list", undefined);
    await client.request("tools/list", undefined, { meta: { span: 2 } });
    expect(seen).toEqual([undefined, { _meta: { span: 2 } }]);
  });
});

describe("progress", () => {
  test.each([handshake, stateless])("is delivered to the request that asked for it: %#", async (revision) => {
    const { client, server, unheard } = connectionPair(revision);
    server.handle({
      "tools/call": async ({ _meta }: { _meta: { progressToken: number } }, context: HandlerContext) => {
        const { progressToken } = _meta;
        await context.notify("notifications/progress", { progressToken, progress: 1 });
        await context.notify("notifications/progress", { progressToken, progress: 2, total: 2, message: "m" });
        return {};
      },
    });
    const seen: Progress[] = [];
    await client.request("tools/call", call, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1 }, { progress: 2, total: 2, message: "m" }]);
    expect(unheard).toEqual([]);
  });

  test("for an unknown request is passed to the handler, if there is one", async () => {
    const { client, server, unheard } = connectionPair(handshake);
    const params = { progressToken: "p", progress: 1 };
    await server.notify("notifications/progress", params);
    await until(() => unheard.length === 1);
    const heard: unknown[] = [];
    client.handle({ "notifications/progress": (found) => void heard.push(found) });
    await server.notify("notifications/progress", params);
    await until(() => heard.length === 1);
    expect([unheard, heard]).toEqual([[{ method: "notifications/progress", params }], [params]]);
  });
});

test.each<[string, object | undefined]>([
  ["notifications/unknown", {}],
  ["__proto__", {}],
  ["notifications/message", undefined],
  ["notifications/message", { level: "loud", data: 1 }],
])("a notification that is not valid for the receiver is not handled: %s %j", async (method, params) => {
  const { client, server, unheard } = connectionPair(handshake);
  const handler = vi.fn();
  client.handle({ [method]: handler });
  await server.notify(method, params);
  await until(() => unheard.length === 1);
  expect(handler).not.toHaveBeenCalled();
});

describe("cancelling", () => {
  function hanging() {
    const pair = connectionPair(handshake);
    const aborted: unknown[] = [];
    const hang = (_: unknown, { signal }: HandlerContext): Promise<object> =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted.push((signal.reason as Error).message);
          resolve({ too: "late" });
        });
      });
    pair.server.handle({ "tools/call": hang });
    pair.client.handle({ "roots/list": hang });
    return { ...pair, aborted };
  }

  test.each(["client", "server"] as const)(
    "by a signal of the %s reaches the handler; its result is not sent",
    async (from) => {
      const { traffic, aborted, ...sides } = hanging();
      const abort = new AbortController();
      const request = sides[from].request(
        ...((from === "client" ? ["tools/call", call] : ["roots/list", {}]) as [string, object]),
        {
          signal: abort.signal,
        },
      );
      await Promise.resolve();
      abort.abort(new Error("changed my mind"));
      await expect(request).rejects.toThrow("changed my mind");
      await until(() => aborted.length === 1);
      const requestId = from === "client" ? 1 : "s1";
      expect(aborted).toEqual(["cancelled by the peer"]);
      expect(traffic.map(({ message }) => message).slice(1)).toEqual([
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "changed my mind" } },
      ]);
    },
  );

  test("before sending sends nothing", async () => {
    const { client, traffic } = hanging();
    await expect(client.request("tools/call", call, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow(
      "no",
    );
    expect(traffic).toEqual([]);
  });

  test("after the response does nothing", async () => {
    const { client, server, traffic } = hanging();
    server.handle({ ping: () => ({}) });
    const abort = new AbortController();
    await client.request("ping", undefined, { signal: abort.signal });
    abort.abort();
    expect(traffic).toHaveLength(2);
  });

  test.each([{ timeoutMs: 5 }, { maxTotalMs: 5 }])("by a time-out: %j", async (options) => {
    const { client, aborted } = hanging();
    await expect(client.request("tools/call", call, options)).rejects.toThrow("tools/call timed out");
    await until(() => aborted.length === 1);
  });

  test("progress restarts the time-out, but not the total time", async () => {
    vi.useFakeTimers();
    try {
      const { client, server } = hanging();
      const onProgress = vi.fn();
      const outcome = client.request("tools/call", call, { timeoutMs: 100, maxTotalMs: 250, onProgress }).catch(String);
      for (const progress of [1, 2, 3, 4]) {
        await vi.advanceTimersByTimeAsync(60);
        await server.notify("notifications/progress", { progressToken: 1, progress });
      }
      await vi.advanceTimersByTimeAsync(5);
      expect(onProgress).toHaveBeenCalledTimes(4);
      await vi.advanceTimersByTimeAsync(10);
      expect(await outcome).toBe("Error: tools/call timed out");
    } finally {
      vi.useRealTimers();
    }
  });

  test("closing aborts all open and later requests on both sides", async () => {
    const { client, server, close, aborted } = hanging();
    const open = client.request("tools/call", call);
    await Promise.resolve();
    close();
    await expect(open).rejects.toThrow("the connection is closed");
    await until(() => aborted.length === 1);
    await expect(server.request("roots/list", {})).rejects.toThrow("the connection is closed");
    await expect(client.notify("notifications/initialized")).rejects.toThrow("the connection is closed");
  });
});
