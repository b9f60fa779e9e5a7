/** The backplane in Redis when connections break, Redis is away, full, replaced, or used by others. */
import { createServer } from "node:net";
import { once } from "node:events";
import { createClient } from "redis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type BackplaneError, followLog } from "../../runtime/src/backplane.js";
import { redisBackplane, type RedisBackplaneOptions } from "../../runtime/src/redis.js";
import { RedisServer } from "./redis-server.js";

const bounds = { ttlMs: 60_000, maxEntries: 1_000 };
const keep = { ttlMs: 60_000 };
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

async function serve(...args: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...args);
  onTestFinished(() => server.remove());
  return server;
}

/** A node, whose client reconnects quickly. */
async function node(url: string, options: RedisBackplaneOptions = {}) {
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  const backplane = redisBackplane(client, { timeoutMs: 1_000, ...options });
  onTestFinished(() => {
    backplane.close();
    client.destroy();
  });
  return backplane;
}

async function failure(call: Promise<unknown>): Promise<Pick<BackplaneError, "name" | "reason" | "message">> {
  const error = await call.then(
    () => new Error("the call succeeded"),
    (thrown: unknown) => thrown as BackplaneError,
  );
  return error as BackplaneError;
}

test("followers miss nothing that is appended while their connection is broken, again and again", async () => {
  const server = await serve();
  const [a, b] = [await node(server.url), await node(server.url)];
  const received: string[] = [];
  const problems: string[] = [];
  const end = await followLog(b, "log", undefined, {
    onEntry: ({ text }) => void received.push(text),
    onGap: () => void problems.push("gap"),
    onError: (error) => void problems.push(error.message),
  });
  for (const text of numbers(200)) {
    if (Number(text) % 40 === 20) await server.command("CLIENT", "KILL", "TYPE", "pubsub");
    await a.append("log", text, bounds);
  }
  await vi.waitFor(() => expect(received).toHaveLength(200), 20_000);
  expect([received, problems]).toEqual([numbers(200), []]);
  end();
});

test("subscribers learn that messages may have been lost, and receive later ones", async () => {
  const server = await serve();
  const [a, b] = [await node(server.url), await node(server.url)];
  const received: string[] = [];
  await b.subscribe("c", { onMessage: (text) => void received.push(text), onGap: () => void received.push("gap") });
  await a.publish("c", "1");
  await vi.waitFor(() => expect(received).toEqual(["1"]));
  await server.command("CLIENT", "KILL", "TYPE", "pubsub");
  await a.publish("c", "lost");
  await vi.waitFor(() => expect(received).toContain("gap"), 10_000);
  await a.publish("c", "2");
  await vi.waitFor(() => expect(received.at(-1)).toBe("2"));
});

test("calls fail in time while Redis is away, and succeed when it is back, with everything that it had on its disk", async () => {
  const server = await serve("--appendonly", "yes", "--appendfsync", "always");
  const backplane = await node(server.url);
  const version = await backplane.set("k", "1", keep);
  const ids = [await backplane.append("log", "1", bounds), await backplane.append("log", "2", bounds)];
  const received: string[] = [];
  await followLog(backplane, "log", ids[1], {
    onEntry: ({ text }) => void received.push(text),
    onGap: () => void received.push("gap"),
    onError: () => undefined,
  });
  await server.kill();
  const started = performance.now();
  const away = await Promise.all([
    failure(backplane.get("k")),
    failure(backplane.append("log", "lost", bounds)),
    failure(backplane.subscribe("c", { onMessage: () => undefined, onGap: () => undefined })),
  ]);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(away.map(({ name, reason }) => [name, reason])).toEqual(Array(3).fill(["BackplaneError", "unavailable"]));
  expect(away[0].message).toMatch(/^cannot read a value in Redis: .*; check that Redis runs/);
  await server.restart();
  await vi.waitFor(async () => expect(await backplane.get("k")).toEqual({ text: "1", version }), 10_000);
  // Nothing that failed is done later.
  expect((await backplane.read("log", { limit: 10 })).entries.map(({ text }) => text)).toEqual(["1", "2"]);
  await backplane.append("log", "3", bounds);
  await vi.waitFor(() => expect(received.at(-1)).toBe("3"), 10_000);
  expect(received).not.toContain("gap");
  const page = await backplane.read("log", { after: ids[0], limit: 10 });
  expect([page.hasGap, page.entries.at(0)?.text, page.entries.at(-1)?.text]).toEqual([false, "2", "3"]);
});

test("entries that a failover loses are a gap, and their ids are not used again", async () => {
  const [master, replica] = [await serve(), await serve()];
  await replica.command("REPLICAOF", "127.0.0.1", String(master.port));
  const before = await node(master.url);
  const kept = [await before.append("log", "1", bounds), await before.append("log", "2", bounds)];
  await vi.waitFor(async () => expect(await replica.command("EXISTS", "mcp:l:{log}")).toBe(1), 10_000);
  await vi.waitFor(async () => expect(await replica.command("XLEN", "mcp:l:{log}")).toBe(2), 10_000);
  // From here on, nothing reaches the replica.
  await replica.command("REPLICAOF", "NO", "ONE");
  const lost = [await before.append("log", "lost", bounds), await before.append("log", "lost", bounds)];
  await master.kill();
  const after = await node(replica.url);
  const fresh: string[] = [];
  for (const text of ["3", "4", "5"]) fresh.push(await after.append("log", text, bounds));
  expect(new Set([...kept, ...lost, ...fresh]).size).toBe(7);
  const textsAfter = async (id: string | undefined): Promise<unknown> => {
    const { entries, hasGap } = await after.read("log", { after: id, limit: 10 });
    return [...(hasGap ? ["gap"] : []), ...entries.map(({ text }) => text)];
  };
  // What was read before a lost entry is not read again.
  expect(await Promise.all(lost.map(textsAfter))).toEqual(Array(2).fill(["gap", "3", "4", "5"]));
  expect(await textsAfter(kept[1])).toEqual(["3", "4", "5"]);
  expect(await textsAfter(fresh[0])).toEqual(["4", "5"]);
  expect(await textsAfter(undefined)).toEqual(["1", "2", "3", "4", "5"]);
});

test("scripts are loaded again when Redis has forgotten them", async () => {
  const server = await serve();
  const backplane = await node(server.url);
  const first = await backplane.append("log", "1", bounds);
  await server.command("SCRIPT", "FLUSH");
  await backplane.append("log", "2", bounds);
  await server.command("SCRIPT", "FLUSH");
  expect((await backplane.read("log", { after: first, limit: 5 })).entries).toHaveLength(1);
});

describe("a full Redis", () => {
  const fill = async (policy: string) => {
    const server = await serve("--maxmemory", "8mb", "--maxmemory-policy", policy);
    const backplane = await node(server.url);
    await backplane.set("first", "1", keep);
    const first = await backplane.append("log", "1", bounds);
    const failures: BackplaneError[] = [];
    for (let at = 0; at < 200; at++)
      await backplane
        .set(`k${at}`, "x".repeat(100_000), keep)
        .catch((error: unknown) => failures.push(error as BackplaneError));
    return { backplane, first, failures };
  };

  test("without eviction: new values are rejected, and everything else stays", async () => {
    const { backplane, first, failures } = await fill("noeviction");
    expect(failures.length).toBeGreaterThan(50);
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(["full"]));
    expect(failures[0]?.message).toContain("raise it, or choose another maxmemory-policy");
    expect((await backplane.get("first"))?.text).toBe("1");
    expect((await backplane.read("log", { after: first, limit: 1 })).hasGap).toBe(false);
  });

  test.each(["allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl"])(
    "with %s: what was evicted is absent or a gap, never something else",
    async (policy) => {
      const { backplane, first, failures } = await fill(policy);
      expect(failures).toEqual([]);
      expect(["1", undefined]).toContain((await backplane.get("first"))?.text);
      const { entries } = await backplane.read("log", { after: first, limit: 1 });
      expect(entries).toEqual([]);
      const second = await backplane.append("log", "2", bounds);
      expect(second).not.toBe(first);
    },
  );
});

describe("keys of others under the prefix", () => {
  test.each<readonly [string, readonly string[]]>([
    ["a list", ["RPUSH", "1", "2"]],
    ["a text", ["SET", "1"]],
    ["a value of a newer form", ["SET", "2:abc text"]],
  ])("%s where a value is expected: reads are rejected, and name the key", async (_, [command = "", ...args]) => {
    const server = await serve();
    await server.command(command, "mcp:v:{k}", ...args);
    const { reason, message } = await failure((await node(server.url)).get("k"));
    expect(reason).toBe("unreadable");
    expect(message).toContain("choose another prefix");
  });

  test("a text where a log is expected: nothing is changed", async () => {
    const server = await serve();
    await server.command("SET", "mcp:l:{log}", "theirs");
    const backplane = await node(server.url);
    expect(await failure(backplane.append("log", "1", bounds))).toMatchObject({ reason: "unreadable" });
    expect(await failure(backplane.read("log", { limit: 1 }))).toMatchObject({ reason: "unreadable" });
    expect(await server.command("GET", "mcp:l:{log}")).toBe("theirs");
  });

  test("a log of another application: reads are rejected", async () => {
    const server = await serve();
    await server.command("XADD", "mcp:l:{log}", "*", "theirs", "1");
    expect(await failure((await node(server.url)).read("log", { limit: 1 }))).toMatchObject({ reason: "unreadable" });
  });
});

test("a user with the documented rights can do everything, and one without them gets a clear error", async () => {
  const server = await serve();
  const rights = [
    "~orders:*",
    "&orders:*",
    "+@read",
    "+@write",
    "+@pubsub",
    "+@scripting",
    "+@connection",
    "+info",
    "+time",
  ];
  await server.command("ACL", "SETUSER", "mcp", "on", ">secret", ...rights);
  await server.command("ACL", "SETUSER", "poor", "on", ">secret", "~*", "&*", "+@read", "+@connection");
  const urlOf = (user: string): string => `redis://${user}:secret@127.0.0.1:${server.port}`;
  const backplane = await node(urlOf("mcp"), { prefix: "orders:" });
  const version = await backplane.set("k", "1", keep);
  expect(await backplane.set("k", "2", { ...keep, ifVersion: version ?? "" })).toBeDefined();
  const received: string[] = [];
  await followLog(backplane, "log", undefined, {
    onEntry: ({ text }) => void received.push(text),
    onGap: () => void received.push("gap"),
    onError: ({ message }) => void received.push(message),
  });
  await backplane.append("log", "1", bounds);
  await vi.waitFor(() => expect(received).toEqual(["1"]));
  const { reason, message } = await failure((await node(urlOf("poor"))).set("k", "1", keep));
  expect([reason, message]).toEqual(["unavailable", expect.stringContaining("change its ACL")]);
});

test("a server that answers nonsense: every call is rejected, and the process lives", async () => {
  for (const nonsense of ["+OK\r\n", ":7\r\n", "*1\r\n:1\r\n", "$3\r\nabc\r\n", "-ERR what\r\n", "_\r\n", "%%%\r\n"]) {
    let isConnected = false;
    const liar = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        // The commands with which the client connects are accepted.
        const isHandshake = /HELLO|CLIENT|SELECT/i.test(data.toString());
        isConnected ||= !isHandshake;
        const count = data.toString().split(/^\*/m).length - 1;
        socket.write((isHandshake ? "+OK\r\n" : nonsense).repeat(count));
      });
    }).listen(0, "127.0.0.1");
    await once(liar, "listening");
    const { port } = liar.address() as { port: number };
    const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP: 2, socket: { reconnectStrategy: false } });
    client.on("error", () => undefined);
    await client.connect();
    const backplane = redisBackplane(client, { timeoutMs: 300 });
    const calls = [backplane.read("log", { limit: 1 }), backplane.append("log", "1", bounds)];
    for (const call of calls) {
      const { name } = await failure(call);
      expect([nonsense, name]).toEqual([nonsense, "BackplaneError"]);
    }
    backplane.close();
    client.destroy();
    liar.close();
    expect(isConnected).toBe(true);
  }
});

test.each([
  ["LOADING Redis is loading the dataset in memory", "Redis has just started"],
  ["MASTERDOWN Link with MASTER is down", "connect it to the master"],
  ["NOREPLICAS Not enough good replicas to write.", "check the replicas"],
  ["BUSY Redis is busy running a script.", "another program runs a long script"],
  ["MISCONF Redis is configured to save RDB snapshots", "Redis cannot write to its disk"],
  ["NOAUTH Authentication required.", "Redis wants a password"],
])("the reply %s is explained", async (reply, remedy) => {
  const reject = (): Promise<never> => Promise.reject(new Error(reply));
  const backplane = redisBackplane({ sendCommand: reject, subscribe: reject, duplicate: reject } as never);
  for (const call of [backplane.get("k"), backplane.append("log", "1", bounds)]) {
    const { reason, message } = await failure(call);
    expect([reason, message]).toEqual(["unavailable", expect.stringContaining(`${reply}; `)]);
    expect(message).toContain(remedy);
  }
});

test("a replica is readable, and changes name the remedy", async () => {
  const [master, replica] = [await serve("--repl-diskless-sync-delay", "0"), await serve()];
  await (await node(master.url)).set("k", "1", keep);
  await replica.command("REPLICAOF", "127.0.0.1", String(master.port));
  const backplane = await node(replica.url);
  await vi.waitFor(async () => expect((await backplane.get("k"))?.text).toBe("1"), 20_000);
  for (const call of [backplane.set("k", "2", keep), backplane.append("log", "1", bounds)]) {
    const { reason, message } = await failure(call);
    expect([reason, message]).toEqual(["unavailable", expect.stringContaining("connect it to the master")]);
  }
});

test("a client that is not connected: calls fail in time, with the remedy", async () => {
  const client = createClient({ url: "redis://127.0.0.1:1", socket: { reconnectStrategy: false } });
  client.on("error", () => undefined);
  const backplane = redisBackplane(client, { timeoutMs: 200 });
  const { reason, message } = await failure(backplane.get("k"));
  expect(reason).toBe("unavailable");
  expect(message).toContain("check that Redis runs at 127.0.0.1:1, and the client is connected to it");
  expect(await failure(backplane.subscribe("c", { onMessage: () => undefined, onGap: () => undefined }))).toMatchObject(
    {
      reason: "unavailable",
    },
  );
  backplane.close();
});

test("texts that are too long are rejected before they are sent", async () => {
  const backplane = await node((await serve()).url, { maxTextLength: 10 });
  const long = "x".repeat(11);
  for (const call of [
    backplane.set("k", long, keep),
    backplane.append("log", long, bounds),
    backplane.publish("c", long),
  ])
    expect(await failure(call)).toMatchObject({ reason: "too-large" });
  expect(await backplane.get("k")).toBeUndefined();
});

test("an object without the methods of a client is rejected at once", () => {
  expect(() => redisBackplane({} as never)).toThrow("pass a client of the package redis");
  expect(() => redisBackplane(undefined as never)).toThrow("pass a client of the package redis");
  expect(() => redisBackplane(createClient(), { timeoutMs: -1 })).toThrow("timeoutMs must be 0 or more");
});
