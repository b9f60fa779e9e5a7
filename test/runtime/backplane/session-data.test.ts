/** The data of a session in a backplane: all nodes read and change one value. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { BackplaneError, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { deleteSessionData, extendSessionData } from "../../../runtime/src/backplane/session-data.js";
import { McpServer, sessionKey } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { JsonSessionStore } from "../../../runtime/src/server/json-session-store.js";
import type { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { clientOf, type Revision } from "../api/pair.js";

const count = sessionKey<number>("count");
const name = sessionKey<string>("name");
const id = "5cf7ac8f-6fd7-4a5c-8a4a-47f9f7b5a3d1";

/** The store of the session as a node has it. */
function storeAt(backplane: MemoryBackplane, idleMs = 60_000) {
  const node = backplane.connectServer({
    name: "shared",
    stateKeys: undefined,
    deliver: () => undefined,
    accept: () => undefined,
    onerror: (error) => {
      throw error;
    },
  });
  onTestFinished(() => node.end());
  return new JsonSessionStore(node.sessionData(id, idleMs));
}

test("what one node writes, all others read", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [storeAt(backplane), storeAt(backplane)];
  await a.set(name, "Ada");
  await b.set(count, 1);
  expect([await a.get(count), await b.get(name)]).toEqual([1, "Ada"]);
  expect(JSON.parse(backplane.get(`session-data:${id}`)?.text ?? "")).toEqual({ name: "Ada", count: 1 });
  expect([await b.delete(name), await a.delete(name), await a.get(name)]).toEqual([true, false, undefined]);
});

test("no update is lost when several nodes change a value at the same time", async () => {
  const backplane = new MemoryBackplane();
  const nodes = [storeAt(backplane), storeAt(backplane), storeAt(backplane)];
  let calls = 0;
  const change = (now = 0): number => {
    calls++;
    return now + 1;
  };
  await Promise.all(nodes.flatMap((node) => Array.from({ length: 20 }, () => node.update(count, change))));
  expect(await nodes[0]?.get(count)).toBe(60);
  // Some were called again, because another node was faster.
  expect(calls).toBeGreaterThan(60);
});

test("calls of one node that are not awaited are applied in their order", async () => {
  const store = storeAt(new MemoryBackplane());
  const text = sessionKey<string>("text");
  await Promise.all(["a", "b", "c", "d"].map((letter) => store.update(text, (now = "") => now + letter)));
  expect(await store.get(text)).toBe("abcd");
});

test("a change that other nodes forestall each time is given up with an error", async () => {
  const backplane = new MemoryBackplane();
  const store = storeAt(backplane);
  await store.set(count, 1);
  const change = vi.fn((now: number | undefined = 0) => {
    backplane.set(`session-data:${id}`, `{"count":${now + 10}}`, { ttlMs: 60_000 });
    return now + 1;
  });
  await expect(store.update(count, change)).rejects.toThrow(
    new BackplaneError(
      "conflict",
      `the data of session ${id} was not changed: other nodes changed it during each of 20 attempts`,
    ),
  );
  expect(change).toHaveBeenCalledTimes(20);
  // Later changes are not affected.
  expect(await store.update(count, (now = 0) => now + 1)).toBe(202);
});

describe("time", () => {
  test("each use keeps the data for the idle time of the session and an eighth more, and then it is gone", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const backplane = new MemoryBackplane();
    const store = storeAt(backplane, 1_000);
    const uses = [
      () => store.set(count, 1),
      () => store.get(count),
      () => store.update(count, (now) => now),
      () => store.delete(name),
      () => extendSessionData(backplane, id, 1_000),
    ];
    for (const use of uses) {
      await use();
      vi.advanceTimersByTime(950);
    }
    expect(await store.get(count)).toBe(1);
    vi.advanceTimersByTime(1_126);
    expect(await store.get(count)).toBeUndefined();
    expect(await extendSessionData(backplane, id, 1_000)).toBe(false);
  });

  test("the end of the session deletes the data", async () => {
    const backplane = new MemoryBackplane();
    const store = storeAt(backplane);
    await store.set(count, 1);
    expect(await deleteSessionData(backplane, id)).toBe(true);
    expect(await store.get(count)).toBeUndefined();
  });
});

test.each(["nonsense", "[]", "7", "null"])(
  "%j in the place of the data is reported, and not replaced",
  async (text) => {
    const backplane = new MemoryBackplane();
    const store = storeAt(backplane);
    backplane.set(`session-data:${id}`, text, { ttlMs: 60_000 });
    for (const call of [store.get(count), store.set(count, 1)])
      await expect(call).rejects.toThrow(
        new BackplaneError(
          "unreadable",
          `the value session-data:${id} is not the data of a session; another program wrote it`,
        ),
      );
    expect(backplane.get(`session-data:${id}`)?.text).toBe(text);
  },
);

describe("over HTTP", () => {
  /** Nodes whose clients send each request to the next one. The tool counts its calls in a session. */
  function serve(backplane: MemoryBackplane, nodes = 1, idleMs = 60_000) {
    const caught: unknown[] = [];
    const handlers = Array.from({ length: nodes }, () => {
      const server = new McpServer({ name: "shared", version: "1.0.0" }, { backplane });
      server.registerTool("count", {}, async ({ session }) => {
        const now = await session?.store
          .update(count, (before = 0) => before + 1)
          .catch((error: unknown) => void caught.push(error));
        return { content: [{ type: "text", text: String(now) }] };
      });
      const handler = createMcpHandler(server, { sessions: { idleMs } });
      onTestFinished(async () => {
        await handler.close(0);
        await server.close(0);
      });
      return handler;
    });
    let turn = 0;
    const fetch = (url: string | URL | Request, init?: RequestInit) => {
      const handler = handlers[turn++ % nodes];
      if (!handler) throw new Error("there are no nodes");
      return handler.fetch(new Request(url, init));
    };
    const open = async (revision: Revision = "2025-11-25") => {
      const { client } = clientOf(revision);
      onTestFinished(() => client.close());
      const transport = new StreamableHTTPClientTransport("http://localhost/mcp", { fetch });
      await client.connect(transport);
      return { client, transport };
    };
    const call = async (client: Client) => (await client.callTool({ name: "count" })).content;
    return { open, call, caught };
  }
  const text = (value: unknown) => [{ type: "text", text: String(value) }];

  test("the data of each session is in a value of its own", async () => {
    const backplane = new MemoryBackplane();
    const set = vi.spyOn(backplane, "set");
    const { open, call } = serve(backplane, 1, 8_000);
    const [{ client: a }, { client: b }] = [await open(), await open()];
    expect([await call(a), await call(a), await call(b)]).toEqual([text(1), text(2), text(1)]);
    const values = set.mock.calls.filter(([key]) => key.startsWith("session-data:"));
    expect(values.map(([, value, { ttlMs }]) => [value, ttlMs])).toEqual([
      ['{"count":1}', 9_000],
      ['{"count":2}', 9_000],
      ['{"count":1}', 9_000],
    ]);
    expect(new Set(values.map(([key]) => key)).size).toBe(2);
  });

  test.each(["get", "set"] as const)(
    "the handler catches a BackplaneError of %s, and later calls go on",
    async (method) => {
      const backplane = new MemoryBackplane();
      const { open, call, caught } = serve(backplane);
      const { client } = await open();
      await call(client);
      const away = new BackplaneError("unavailable", "away");
      const original = backplane[method].bind(backplane) as (...args: unknown[]) => unknown;
      const failing = vi.spyOn(backplane, method).mockImplementation((...args: readonly unknown[]) => {
        if (String(args[0]).startsWith("session-data:")) throw away;
        return original(...args) as never;
      });
      expect(await call(client)).toEqual(text(undefined));
      expect(caught).toEqual([away]);
      failing.mockRestore();
      expect(await call(client)).toEqual(text(2));
    },
  );

  test.each(["2025-03-26", "2025-06-18", "2025-11-25"] as const)(
    "%s: each node has the data of a session, until the session ends",
    async (revision) => {
      const backplane = new MemoryBackplane();
      const { open, call } = serve(backplane, 3);
      const { client, transport } = await open(revision);
      for (let turn = 1; turn <= 7; turn++) expect(await call(client)).toEqual(text(turn));
      const together = await Promise.all(Array.from({ length: 9 }, () => call(client)));
      expect(new Set(together.map((content) => JSON.stringify(content))).size).toBe(9);
      const key = `session-data:${transport.sessionId}`;
      expect(backplane.get(key)?.text).toBe('{"count":16}');
      await transport.terminateSession();
      await vi.waitFor(() => expect(backplane.get(key)).toBeUndefined());
    },
  );

  test("a session that is used without its data keeps it", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const backplane = new MemoryBackplane();
    const { open, call } = serve(backplane, 2, 800);
    const { client } = await open();
    expect(await call(client)).toEqual(text(1));
    for (let ms = 0; ms < 2_000; ms += 50) {
      await client.listTools();
      vi.advanceTimersByTime(50);
    }
    expect(await call(client)).toEqual(text(2));
  });
});
