/** The data that handlers keep for a session in the memory of one process. */
import { describe, expect, test } from "vitest";
import { McpServer, type ServerContext, sessionKey, type SessionKey } from "../../../runtime/src/server.js";
import { Session } from "../../../runtime/src/server/client-description.js";
import { SessionMemory } from "../../../runtime/src/server/session-memory.js";
import { JsonSessionStore } from "../../../runtime/src/server/json-session-store.js";
import { serverSide } from "../connection/connection-ends.js";
import { connect, handshakeEra } from "../api/pair.js";

const storeOf = (maxLength?: number, reserve?: (bytes: number) => boolean) =>
  new JsonSessionStore(new SessionMemory(reserve), maxLength);
type Json = object | string | number | boolean | null;

const items = sessionKey<readonly string[]>("items");
const anything = sessionKey<Json>("it");

class Point {
  readonly x = 1;
}

describe("values", () => {
  const kept: readonly (readonly [string, Json])[] = [
    ["text", "…\u2028"],
    ["zero", 0],
    ["false", false],
    ["null", null],
    ["nested", { a: [{ b: null }, [1, "2"]] }],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { a: 1 })],
  ];
  test.each(kept)("%s is read as it was written", async (_, value) => {
    const store = storeOf();
    await store.set(anything, value);
    expect(await store.get(anything)).toEqual(value);
  });

  test("members that are undefined are left out", async () => {
    const store = storeOf();
    await store.set(anything, { a: undefined, b: 1 });
    expect(Object.keys((await store.get(anything)) ?? {})).toEqual(["b"]);
  });

  const refused: readonly (readonly [value: unknown, message: string])[] = [
    [new Date(0), 'session.store: the value of "it" is not JSON: it is an instance of Date'],
    [new Map(), 'session.store: the value of "it" is not JSON: it is an instance of Map'],
    [Promise.resolve(1), 'session.store: the value of "it" is not JSON: it is an instance of Promise'],
    [{ at: new Point() }, 'session.store: the value of "it" is not JSON: "at" is an instance of Point'],
    [{ count: NaN }, 'session.store: the value of "it" is not JSON: "count" is NaN'],
    [[1, Infinity], 'session.store: the value of "it" is not JSON: "1" is Infinity'],
    [[undefined], 'session.store: the value of "it" is not JSON: "0" is undefined'],
    [{ a: { run: () => 1 } }, 'session.store: the value of "it" is not JSON: "run" is a function'],
    [1n, 'session.store: the value of "it" is not JSON: it is a bigint'],
    [Symbol("s"), 'session.store: the value of "it" is not JSON: it is a symbol'],
  ];
  test.each(refused)("row %#: %s is rejected, and nothing changes", async (value, message) => {
    const store = storeOf();
    await store.set(anything, "before");
    await expect(store.set(anything, value as Json)).rejects.toThrow(new TypeError(message));
    await expect(store.update(anything, () => value as Json)).rejects.toThrow(new TypeError(message));
    expect(await store.get(anything)).toBe("before");
  });

  test("one that contains itself, or is nested too deeply, is rejected", async () => {
    const itself: Record<string, unknown> = {};
    itself["again"] = { itself };
    let deep: unknown[] = [];
    for (let depth = 0; depth < 1e5; depth++) deep = [deep];
    const failure = 'session.store: the value of "it" is not JSON: it contains itself, or is nested too deeply';
    for (const value of [itself, deep])
      await expect(storeOf().set(anything, value)).rejects.toThrow(new TypeError(failure));
  });

  test("are copies: a change of one that was written or read changes nothing", async () => {
    const store = storeOf();
    const key = sessionKey<string[]>("list");
    const written = ["a"];
    await store.set(key, written);
    written.push("b");
    (await store.get(key))?.push("c");
    const updated = await store.update(key, (now = []) => [...now, "d"]);
    expect(updated).toEqual(["a", "d"]);
    updated?.push("e");
    expect(await store.get(key)).toEqual(["a", "d"]);
  });
});

describe("update", () => {
  test("returns the new value, and deletes the value with undefined", async () => {
    const store = storeOf();
    expect(await store.update(items, (now) => now)).toBeUndefined();
    expect(await store.update(items, (now = []) => [...now, "a"])).toEqual(["a"]);
    expect(await store.update(items, () => undefined)).toBeUndefined();
    expect(await store.get(items)).toBeUndefined();
  });

  test("rejects with the error of the function, and nothing changes", async () => {
    const store = storeOf();
    await store.set(items, ["a"]);
    const failure = new Error("no");
    await expect(
      store.update(items, () => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await store.get(items)).toEqual(["a"]);
  });

  test("calls that are not awaited are applied in their order, and read by the next one", async () => {
    const store = storeOf();
    const changing = ["a", "b", "c"].map((item) => store.update(items, (now = []) => [...now, item]));
    const read = store.get(items);
    expect(await read).toEqual(["a", "b", "c"]);
    await Promise.all(changing);
  });
});

test("delete resolves to whether there was a value, and keeps the others", async () => {
  const store = storeOf();
  await store.set(items, ["a"]);
  await store.set(anything, null);
  expect([await store.delete(anything), await store.delete(anything)]).toEqual([true, false]);
  expect(await store.get(items)).toEqual(["a"]);
});

test("names that are members of every object are names like others", async () => {
  const store = storeOf();
  for (const name of ["__proto__", "constructor", "toString"]) {
    const key = sessionKey<{ readonly polluted: string }>(name);
    expect(await store.get(key)).toBeUndefined();
    await store.set(key, { polluted: name });
    expect(await store.get(key)).toEqual({ polluted: name });
    expect(await store.delete(key)).toBe(true);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("keys", () => {
  test.each(["", 7, undefined])("a key needs a name, and %j is none", (name) => {
    expect(() => sessionKey(name as string)).toThrow(
      new TypeError("the name of a session key must be a non-empty string"),
    );
  });

  test.each(["items", undefined, {}, { name: "items" }])("%j is not a key", (key) => {
    const { store } = new Session(serverSide("2025-11-25"), {}, undefined, undefined, {});
    const wrong = key as unknown as SessionKey<string>;
    const calls = [
      () => store.get(wrong),
      () => store.set(wrong, "a"),
      () => store.update(wrong, () => "a"),
      () => store.delete(wrong),
    ];
    const failure = new TypeError('session.store: the key must be one that sessionKey("name") has returned');
    for (const call of calls) expect(call).toThrow(failure);
  });
});

describe("limits", () => {
  test("all values together have a maximum length; the one before is kept", async () => {
    const store = storeOf(20);
    await store.set(sessionKey<string>("a"), "12345");
    await expect(store.set(sessionKey<string>("b"), "12345")).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message:
        'session.store: with the new value of "b", the session has 25 characters of data, and at most 20 are allowed ' +
        "(limits.sessionDataLength); keep the data in a database, and its id in the session",
    });
    expect(await store.get(sessionKey<string>("b"))).toBeUndefined();
    await store.set(sessionKey<string>("a"), "123");
    await store.delete(sessionKey<string>("a"));
    await store.set(sessionKey<string>("b"), "12345");
  });

  test("the memory counts towards what the client may take, and is given back", async () => {
    let free = 30;
    const store = storeOf(undefined, (bytes) => {
      if (bytes > free) return false;
      free -= bytes;
      return true;
    });
    await store.set(items, ["1234567890"]);
    const rest = free;
    await expect(store.set(items, ["1234567890".repeat(3)])).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    expect([free, await store.get(items)]).toEqual([rest, ["1234567890"]]);
    await store.delete(items);
    expect(free).toBe(30);
  });
});

test.each(handshakeEra)(
  "%s: a session keeps its data between requests, and other sessions do not have it",
  async (revision) => {
    const server = new McpServer(
      { name: "test", version: "1.0.0" },
      { limits: { sessionDataLength: 35 }, onerror: () => undefined },
    );
    server.registerTool("add", {}, async ({ session }: ServerContext) => {
      const now = await session?.store.update(items, (before = []) => [...before, `item ${before.length}`]);
      return { content: [{ type: "text", text: String(now?.length) }] };
    });
    const clients = [(await connect(server, revision)).client, (await connect(server, revision)).client];
    const results: unknown[] = [];
    for (const client of [...clients, ...clients, ...clients]) {
      const { content, isError } = await client.callTool({ name: "add" });
      results.push(isError ? "error" : (content[0] as { text?: unknown }).text);
    }
    expect(results).toEqual(["1", "1", "2", "2", "error", "error"]);
  },
);

test("requests of the stateless era have no session", async () => {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  server.registerTool("look", {}, ({ session }) => ({ content: [{ type: "text", text: typeof session }] }));
  const { client } = await connect(server, "2026-07-28");
  expect((await client.callTool({ name: "look" })).content).toEqual([{ type: "text", text: "undefined" }]);
});
