/** The store of tasks in Redis when connections break, Redis is away, full, replaced, or used by others. */
import { once } from "node:events";
import { createServer } from "node:net";
import { createClient } from "redis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TaskStoreError, type TaskRecord } from "../../../runtime/src/tasks.js";
import { RedisTaskStore, type RedisTaskStoreOptions } from "../../../runtime/src/tasks/redis.js";
import { ada, newTask, otherAda, request } from "../../runtime/tasks/new-task.js";
import { RedisServer } from "../redis-server.js";

const keyNames = ["state", "meta", "records", "requests", "list", "runs", "ends", "changes", "workers", "sizes"];
const lasting = { ttlMs: 3_600_000 };
const next = (record: TaskRecord, members: Partial<TaskRecord> = {}): TaskRecord => ({
  ...record,
  ...members,
  version: record.version + 1,
});

async function serve(...args: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...args);
  onTestFinished(() => server.remove());
  return server;
}

/** A store of one process, whose client reconnects quickly. */
async function open({ url }: RedisServer, options: RedisTaskStoreOptions = {}): Promise<RedisTaskStore> {
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  await client.on("error", () => undefined).connect();
  const store = new RedisTaskStore(client, { timeoutMs: 1_000, ...options });
  onTestFinished(() => {
    store.close();
    client.destroy();
  });
  return store;
}

async function failureOf(call: Promise<unknown>): Promise<TaskStoreError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TaskStoreError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** Everything that the server has, also of other applications. */
async function contentOf(server: RedisServer): Promise<unknown> {
  const keys = (await server.command("KEYS", "*")) as string[];
  return Promise.all(keys.sort().map(async (key) => [key, await server.command("DUMP", key)]));
}

test("calls fail in time while Redis is away, and nothing is lost when it is back", async () => {
  const server = await serve("--appendonly", "yes", "--appendfsync", "always");
  const [a, b] = [await open(server), await open(server)];
  const ids = Array.from({ length: 50 }, (_, at) => `t${at}`);
  const seen = new Set<string>();
  b.subscribe((id) => void seen.add(id));
  for (const id of ids) await a.create(newTask(id, lasting), request);
  await a.update(next(newTask("t0", lasting), { status: "completed", result: { is: "kept" } }));
  await server.kill();
  const started = performance.now();
  const failures = await Promise.all(
    [
      a.get("t0", ada),
      a.create(newTask("lost", lasting), request),
      a.update(newTask("t1", { version: 7 })),
      a.list({ owner: ada, revision: "2026-07-28", cursor: undefined, limit: 10 }),
      a.heartbeat("w1", 1_000),
      a.claimAbandoned("w2", 10),
    ].map(failureOf),
  );
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(["unavailable"]));
  expect(failures[0]?.message).toMatch(/^cannot read a task in Redis: .*; check that Redis runs/);
  await server.restart();
  await vi.waitFor(async () => expect((await a.get("t0", ada))?.result).toEqual({ is: "kept" }), 10_000);
  for (const id of ids.slice(1)) expect(await b.get(id, ada)).toEqual(newTask(id, lasting));
  expect(await b.getRequest("t1", ada)).toEqual(request);
  await vi.waitFor(() => expect([...seen].sort()).toEqual(expect.arrayContaining([...ids].sort())), 10_000);
});

test("a task whose creation took too long does not exist later, when Redis has run the command", async () => {
  const server = await serve();
  const store = await open(server, { timeoutMs: 200 });
  await store.create(newTask("before", lasting), request);
  await server.command("CLIENT", "PAUSE", "600");
  expect(await failureOf(store.create(newTask("late", lasting), request))).toMatchObject({ reason: "unavailable" });
  const listed = async (): Promise<string[]> => {
    const { records } = await store.list({ owner: ada, revision: "2026-07-28", cursor: undefined, limit: 10 });
    return records.map(({ id }) => id);
  };
  await vi.waitFor(async () => expect(await listed()).toEqual(["before"]), 10_000);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await listed()).toEqual(["before"]);
  await store.create(newTask("late", lasting), request);
  expect(await listed()).toEqual(["before", "late"]);
});

test("a worker gets the tasks of a claim whose reply was lost with its next one, once", async () => {
  const server = await serve();
  const client = createClient({ url: server.url });
  await client.on("error", () => undefined).connect();
  let losing = Infinity;
  const lossy = {
    // Of the commands from now on, the reply of one never arrives.
    sendCommand: async (command: string[]) => {
      const isLost = --losing === 0;
      const reply = await client.sendCommand(command);
      return isLost ? new Promise(() => undefined) : reply;
    },
    duplicate: () => client.duplicate(),
    subscribe: () => Promise.resolve(),
  };
  const store = new RedisTaskStore(lossy as never, { timeoutMs: 200 });
  onTestFinished(() => {
    store.close();
    client.destroy();
  });
  const claim = async (limit: number): Promise<unknown> =>
    (await store.claimAbandoned("w2", limit)).map(({ id, attempts, worker }) => [id, attempts, worker]);
  const create = (id: string, worker: string): Promise<void> =>
    store.create(newTask(id, { ...lasting, worker }), request);
  await store.heartbeat("w2", 60_000);
  await create("own", "w2");
  await create("0", "w0");
  expect(await claim(10)).toEqual([["0", 2, "w2"]]);
  for (const id of ["1", "2", "3"]) await create(id, "w1");
  losing = 2;
  expect(await failureOf(store.claimAbandoned("w2", 2))).toMatchObject({ reason: "unavailable" });
  expect(await store.get("1", ada)).toMatchObject({ worker: "w2", attempts: 2 });
  expect(await claim(1)).toEqual([["1", 2, "w2"]]);
  expect(await claim(10)).toEqual([
    ["2", 2, "w2"],
    ["3", 2, "w2"],
  ]);
  expect(await claim(10)).toEqual([]);
});

test("listeners are called for what changed while their connection was broken, again and again", async () => {
  const server = await serve();
  const [a, b] = [await open(server), await open(server)];
  const ids = Array.from({ length: 100 }, (_, at) => `t${at}`);
  const seen = new Set<string>();
  b.subscribe((id) => void seen.add(id));
  for (const [at, id] of ids.entries()) {
    if (at % 20 === 10) await server.command("CLIENT", "KILL", "TYPE", "pubsub");
    await a.create(newTask(id, lasting), request);
  }
  await vi.waitFor(() => expect(seen.size).toBe(ids.length), 20_000);
  // The last change before a long silence.
  await server.command("CLIENT", "KILL", "TYPE", "pubsub");
  seen.clear();
  await a.update(next(newTask("t7", lasting), { status: "cancelled" }));
  await vi.waitFor(() => expect(seen).toContain("t7"), 20_000);
});

test("scripts are loaded again when Redis has forgotten them", async () => {
  const server = await serve();
  const store = await open(server);
  await store.create(newTask("t", lasting), request);
  await server.command("SCRIPT", "FLUSH");
  expect(await store.update(next(newTask("t", lasting)))).toBe(true);
  await server.command("SCRIPT", "FLUSH");
  expect((await store.get("t", ada))?.version).toBe(2);
});

test("a Redis that is full refuses new tasks completely, and lets the others end, live and be claimed", async () => {
  const server = await serve("--maxmemory", "16mb", "--maxmemory-policy", "noeviction");
  const store = await open(server);
  const big = { ...request, params: { text: "x".repeat(100_000) } };
  const created: string[] = [];
  const failures: TaskStoreError[] = [];
  await store.heartbeat("w1", 60_000);
  for (let at = 0; at < 300; at++)
    await store.create(newTask(`t${at}`, lasting), big).then(
      () => created.push(`t${at}`),
      (error: unknown) => failures.push(error as TaskStoreError),
    );
  expect([created.length > 20, failures.length > 50]).toEqual([true, true]);
  expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(["full"]));
  expect(failures[0]?.message).toMatch(/^cannot create a task in Redis: OOM .*; Redis has reached maxmemory; raise it/);
  const { records } = await store.list({ owner: ada, revision: "2026-07-28", cursor: undefined, limit: 1_000 });
  expect(records.map(({ id }) => id)).toEqual(created);
  const before = await contentOf(server);
  expect(await failureOf(store.create(newTask("new", lasting), big))).toMatchObject({ reason: "full" });
  const large = next(newTask("t0", lasting), { status: "completed", result: big.params });
  expect(await failureOf(store.update(large))).toMatchObject({ reason: "full" });
  expect(await contentOf(server)).toEqual(before);
  await store.heartbeat("w1", 60_000);
  const error = { code: -32_603, message: "no room" };
  expect(await store.update(next(newTask("t0", lasting), { status: "failed", error }))).toBe(true);
  await store.retire("w1");
  expect(await store.claimAbandoned("w2", 1_000)).toHaveLength(created.length - 1);
  for (const id of created) expect(await store.delete(id, ada)).toBe(true);
  await store.create(newTask("new", lasting), big);
});

describe("keys of others under the prefix", () => {
  test.each(keyNames)("%s is a text of another application: calls are rejected, and change nothing", async (name) => {
    const server = await serve();
    await server.command("SET", `{mcp:}tasks:${name}`, "theirs");
    const store = await open(server);
    const before = await contentOf(server);
    for (const call of [
      () => store.create(newTask("t"), request),
      () => store.get("t", ada),
      () => store.heartbeat("w1", 1_000),
      () => store.claimAbandoned("w1", 1),
    ]) {
      const { reason, message } = await failureOf(call());
      expect([reason, message]).toEqual(["unreadable", expect.stringContaining("choose another prefix")]);
    }
    expect(await contentOf(server)).toEqual(before);
  });

  test("a layout of a newer version, and a lost key: calls are rejected, and change nothing", async () => {
    const server = await serve();
    const store = await open(server);
    await store.create(newTask("t", lasting), request);
    for (const [command, undo] of [
      [
        ["HSET", "{mcp:}tasks:state", "form", "2"],
        ["HSET", "{mcp:}tasks:state", "form", "1"],
      ],
      [["DEL", "{mcp:}tasks:records"], undefined],
    ] as const) {
      await server.command(...command);
      const before = await contentOf(server);
      const { reason, message } = await failureOf(store.create(newTask("u"), request));
      expect([reason, message]).toEqual(["unreadable", expect.stringContaining("evicted, deleted, or written by")]);
      expect(await contentOf(server)).toEqual(before);
      if (undo) await server.command(...undo);
    }
  });

  test("stores with other prefixes do not see each other, with any characters in the prefix", async () => {
    const server = await serve();
    const prefixes = ["mcp:", "", "a{b}:", "%7b", "{", "}"];
    const stores = await Promise.all(prefixes.map((prefix) => open(server, { prefix })));
    for (const [at, store] of stores.entries()) await store.create(newTask("t", { attempts: at }), request);
    for (const [at, store] of stores.entries()) expect((await store.get("t", ada))?.attempts).toBe(at);
  });
});

test("a server that answers nonsense: every call is rejected, and the process lives", async () => {
  for (const nonsense of ["+OK\r\n", ":7\r\n", "*1\r\n:1\r\n", "*2\r\n$0\r\n\r\n$3\r\nabc\r\n", "-ERR what\r\n"]) {
    const liar = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        // The commands with which the client connects are accepted.
        const isHandshake = /HELLO|CLIENT|SELECT/i.test(data.toString());
        const count = data.toString().split(/^\*/m).length - 1;
        socket.write((isHandshake ? "+OK\r\n" : nonsense).repeat(count));
      });
    }).listen(0, "127.0.0.1");
    await once(liar, "listening");
    const { port } = liar.address() as { port: number };
    const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP: 2, socket: { reconnectStrategy: false } });
    await client.on("error", () => undefined).connect();
    const store = new RedisTaskStore(client, { timeoutMs: 300 });
    const calls = [
      store.create(newTask("t"), request),
      store.getRequest("t", ada),
      store.list({ owner: ada, revision: "2026-07-28", cursor: undefined, limit: 5 }),
      store.claimAbandoned("w1", 5),
    ];
    for (const failure of await Promise.all(calls.map(failureOf)))
      expect([nonsense, failure.name]).toEqual([nonsense, "TaskStoreError"]);
    store.close();
    client.destroy();
    liar.close();
  }
});

test("the clock does not go back with that of Redis, and expired tasks do not come back", async () => {
  const server = await serve();
  const store = await open(server);
  await store.create(newTask("first", lasting), request);
  const hour = 3_600_000_000;
  const ahead = Number(await server.command("HGET", "{mcp:}tasks:state", "clock")) + 2 * hour;
  // As if the clock of Redis had been two hours ahead at the last write.
  await server.command("HSET", "{mcp:}tasks:state", "clock", String(ahead));
  expect(await store.get("first", ada)).toBeUndefined();
  await store.create(newTask("second", lasting), request);
  expect(Number(await server.command("HGET", "{mcp:}tasks:state", "clock"))).toBeGreaterThan(ahead);
  expect(await store.get("second", ada)).toBeDefined();
});

test("the documented rights of a user of Redis suffice, and without one of them, errors name the remedy", async () => {
  const server = await serve();
  const commands = ["+@read", "+@write", "+@pubsub", "+@scripting", "+@connection", "+time"];
  const rights = ["~{mcp:}*", "resetchannels", "&mcp:*", ...commands];
  for (const [name, given] of [
    ["full", rights],
    ["less", rights.slice(0, -1)],
  ] as const)
    await server.command("ACL", "SETUSER", name, "on", ">secret", ...given);
  const openAs = (user: string): Promise<RedisTaskStore> =>
    open({ url: server.url.replace("//", `//${user}:secret@`) } as RedisServer);
  const [full, less] = [await openAs("full"), await openAs("less")];
  const seen: string[] = [];
  full.subscribe((id) => void seen.push(id));
  await full.heartbeat("w1", 60_000);
  await full.create(newTask("t", lasting), request);
  expect(await full.claimAbandoned("w2", 10)).toEqual([]);
  await vi.waitFor(() => expect(seen).toContain("t"));
  const { reason, message } = await failureOf(less.get("t", ada));
  expect([reason, message]).toEqual(["unavailable", expect.stringContaining("change its ACL")]);
});

test("sizes are limited for each principal and in all, exactly, also in units of UTF-16", async () => {
  const server = await serve();
  const big = { ...request, params: { text: "😀".repeat(5_000) } };
  const store = await open(server, { maxSizePerOwner: 25_000, maxSize: 40_000 });
  for (const id of ["1", "2"]) await store.create(newTask(id, lasting), big);
  expect(await failureOf(store.create(newTask("3", lasting), big))).toMatchObject({
    reason: "full",
    message: expect.stringContaining("maxSizePerOwner (25000) is reached") as string,
  });
  await store.create(newTask("4", { owner: otherAda }), big);
  expect(await failureOf(store.create(newTask("5", { owner: null }), big))).toMatchObject({
    reason: "full",
    message: expect.stringContaining("maxSize (40000) is reached") as string,
  });
  const done = next(newTask("1", lasting), { status: "completed", result: big.params });
  expect(await failureOf(store.update(done))).toMatchObject({ reason: "full" });
  expect(await store.delete("2", ada)).toBe(true);
  expect(await store.update(done)).toBe(true);
});

test("ids, owners and workers stay apart when halves of surrogate pairs or quotes are in them", async () => {
  const store = await open(await serve());
  const odd = ["\ud800", "\ufffd", '"', '\\"', "\u0000", ""];
  for (const text of odd)
    await store.create(newTask(`t${text}`, { owner: { issuer: "i", subject: text }, worker: text }), request);
  for (const subject of odd) {
    const owner = { issuer: "i", subject };
    const { records } = await store.list({ owner, revision: "2026-07-28", cursor: undefined, limit: 10 });
    expect(records).toEqual([newTask(`t${subject}`, { owner, worker: subject })]);
  }
  expect(await store.claimAbandoned("w", 10)).toHaveLength(odd.length);
});

test("many expired tasks are deleted by any process, and their keys with them", async () => {
  const server = await serve();
  // All are sent at once.
  const [a, b] = [await open(server, { timeoutMs: 30_000 }), await open(server)];
  await Promise.all(
    Array.from({ length: 1_500 }, async (_, at) =>
      a.create(newTask(`t${at}`, { ttlMs: 500, owner: at % 2 ? ada : null }), request),
    ),
  );
  a.close();
  await vi.waitFor(async () => {
    const counts = await Promise.all(
      ["meta", "records", "requests", "sizes"].map((name) => server.command("HLEN", `{mcp:}tasks:${name}`)),
    );
    expect(counts).toEqual([0, 0, 0, 0]);
  }, 20_000);
  expect(await b.claimAbandoned("w2", 10)).toEqual([]);
});

test.each([
  ["an object without the methods of a client", {}, {}, "pass a client of the package redis"],
  ["nothing", undefined, {}, "pass a client of the package redis"],
  ["a negative time", createClient(), { timeoutMs: -1 }, "timeoutMs must be 0 or more"],
  ["no tasks", createClient(), { maxTasks: 0 }, "maxTasks must be 1 or more"],
])("%s is rejected at once", (_name, client, options, message) => {
  expect(() => new RedisTaskStore(client as never, options)).toThrow(message);
});
