/** Servers that fail, and clients that leave: the others are not affected, and errors say what happened. */
import { expect, onTestFinished, test } from "vitest";
import { createGateway, type Gateway } from "../../../runtime/src/gateway.js";
import { InMemoryTransport, type Transport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { clientOf, errorOf, info, type Revision, settled, text, thrown } from "../api/pair.js";
import { everything, type Everything } from "./everything.js";
import { fetchOf, overHttp } from "./http.js";
import { connectTo, endOf, join } from "./in-memory.js";

/** The transports of a server, and its ends of them. */
function startable({ server }: Everything): { ends: InMemoryTransport[]; transport: () => Promise<Transport> } {
  const ends: InMemoryTransport[] = [];
  const transport = async (): Promise<Transport> => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    ends.push(serverEnd);
    await server.connect(serverEnd);
    return clientEnd;
  };
  return { ends, transport };
}

const add = { name: "good_add", arguments: { a: 2, b: 2 } };

/** A transport whose peer never sends anything. */
class SilentTransport implements Transport {
  onclose?: Transport["onclose"];
  start(): Promise<void> {
    return Promise.resolve();
  }
  send(): void {
    // There is no peer.
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

test("lists go on without a server that cannot be started, and name it", async () => {
  const bad = { transport: () => Promise.reject(new Error("no such command: bad")) };
  const { client, gateway, problems } = await connectTo({
    servers: { bad, good: { server: everything("2025-11-25").server } },
  });
  const { tools, _meta } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("good_add");
  expect(_meta?.["mcpwright/unavailable"]).toEqual([{ server: "bad", reason: "no such command: bad" }]);
  expect(await client.callTool(add)).toMatchObject({ structuredContent: { sum: 4 } });
  expect(gateway.servers).toMatchObject([
    { name: "bad", state: "failed", error: { message: "no such command: bad" } },
    { name: "good", state: "connected" },
  ]);
  expect(problems.map(({ message }) => message)).toEqual(['server "bad" is missing in lists: no such command: bad']);
  const error = await errorOf(client.callTool({ name: "bad_x" }));
  expect(error).toMatchObject({ code: -32603, data: { server: "bad" } });
  expect(error.message).toMatch(
    /The server "bad" failed: it failed, and is tried again in \d+ ms: no such command: bad/,
  );
});

test("a server that never responds delays a list by listTimeoutMs, and connecting by nothing", async () => {
  const silent = { transport: () => new SilentTransport(), listTimeoutMs: 100, connectTimeoutMs: 300 };
  const { client } = await connectTo({ servers: { silent, good: { server: everything("2026-07-28").server } } });
  const { tools, _meta } = await client.listTools();
  expect(tools).not.toEqual([]);
  expect(_meta?.["mcpwright/unavailable"]).toEqual([
    { server: "silent", reason: "its list did not arrive within 100 ms" },
  ]);
  const error = await errorOf(client.callTool({ name: "silent_x" }));
  expect(error).toMatchObject({ code: -32603 });
});

test.each<Revision>(["2025-11-25", "2026-07-28"])("a client of %s connects while servers hang", async (revision) => {
  const hanging = {
    silent: { transport: () => new SilentTransport(), listTimeoutMs: 600_000 },
    opening: { transport: () => new Promise<Transport>(() => undefined), listTimeoutMs: 600_000 },
  };
  const { client, gateway } = await connectTo({ servers: hanging }, revision);
  const abort = new AbortController();
  const listed = client.listTools({}, { signal: abort.signal }).then(
    () => "listed",
    (error: unknown) => (error as Error).name,
  );
  await settled();
  expect(gateway.servers.map(({ state }) => state)).toEqual(["connecting", "connecting"]);
  const other = await join(gateway, clientOf(revision).client);
  expect(other.getServerVersion()).toMatchObject({ name: "gateway" });
  abort.abort();
  expect(await listed).toBe("AbortError");
});

test("a list that was late is announced", async () => {
  const { server } = everything("2025-11-25");
  const slow = {
    listTimeoutMs: 50,
    transport: async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return endOf(server);
    },
  };
  const { client } = await connectTo({ servers: { slow } }, "2025-11-25");
  let changes = 0;
  client.onChanged("tools", () => changes++);
  expect((await client.listTools()).tools).toEqual([]);
  await expect.poll(() => changes).toBe(1);
  expect((await client.listTools()).tools).not.toEqual([]);
});

test("a server that ends fails its calls with a reason, and is started again for the next", async () => {
  const up = everything("2025-11-25");
  const { ends, transport } = startable(up);
  const { client, problems } = await connectTo({ servers: { good: { transport } } }, "2025-11-25");
  let changes = 0;
  client.onChanged("tools", () => changes++);
  const hanging = errorOf(client.callTool({ name: "good_hang" }));
  await expect.poll(() => ends.length).toBe(1);
  await expect.poll(() => [...up.server.server.connections].length).toBe(1);
  await settled();
  await ends[0]?.close();
  expect(await hanging).toMatchObject({ code: -32603, data: { server: "good", reason: "CONNECTION_CLOSED" } });
  await expect
    .poll(() => client.callTool(add).catch((error: unknown) => String(error)), { timeout: 5_000 })
    .toMatchObject({ structuredContent: { sum: 4 } });
  expect(ends.length).toBe(2);
  expect(problems.some(({ message }) => message.startsWith('server "good": '))).toBe(true);
});

test("a client that leaves cancels its requests at the server", async () => {
  const up = everything("2025-11-25");
  const { client } = await connectTo({ servers: { good: { server: up.server } } });
  const hanging = client.callTool({ name: "good_hang" });
  hanging.catch(() => undefined);
  await expect.poll(() => [...up.server.server.connections].length).toBe(1);
  await settled();
  await client.close();
  await expect.poll(() => up.seen.cancelled.length).toBe(1);
});

test("a request ends after timeoutMs, but not while the user answers a question", async () => {
  const up = everything("2025-11-25");
  const problems: Error[] = [];
  const gateway = createGateway({
    servers: { good: { server: up.server, timeoutMs: 150 } },
    onerror: (error) => problems.push(error),
  });
  const { client } = clientOf("2025-11-25", { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { action: "accept", content: { city: "Rome" } };
  });
  await join(gateway, client);
  expect(await client.callTool({ name: "good_ask" })).toMatchObject({ content: [{ text: 'accept {"city":"Rome"}' }] });
  const error = await errorOf(client.callTool({ name: "good_hang" }));
  expect(error).toMatchObject({ code: -32603, data: { server: "good", reason: "REQUEST_TIMEOUT" } });
});

test("a gateway that is its own server is found", async () => {
  const gateway: { current?: Gateway } = {};
  const self = {
    transport: async () => {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      await gateway.current?.connect(serverEnd);
      return clientEnd;
    },
  };
  const connected = await connectTo({ servers: { self, good: { server: everything("2026-07-28").server } } });
  gateway.current = connected.gateway;
  const { tools, _meta } = await connected.client.listTools();
  expect(tools.every(({ name }) => name.startsWith("good_"))).toBe(true);
  expect(JSON.stringify(_meta)).toContain("the gateway is a server of itself");
});

test("two gateways that are servers of each other are found, over HTTP", async () => {
  const other: { fetch?: ReturnType<typeof fetchOf>["fetch"] } = {};
  const first = createGateway({
    servers: {
      second: { url: "http://localhost/mcp", http: { fetch: (url, init) => other.fetch?.(url, init) ?? fail() } },
      good: { server: everything("2026-07-28").server },
    },
    onerror: () => undefined,
  });
  const { client } = await connectTo({ servers: { first: overHttp(first) } });
  const second = createGateway({ servers: { first: overHttp(first) }, onerror: () => undefined });
  other.fetch = fetchOf(second).fetch;
  onTestFinished(() => Promise.all([first.close(0), second.close(0)]).then(() => undefined));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("first_good_add");
  expect(tools.length).toBeLessThan(100);
});

function fail(): never {
  throw new Error("not yet");
}

test("a server that claims tools and does not have them is missing in lists", async () => {
  const server = new McpServer(info, { onerror: () => undefined });
  server.registerTool("x", {}, () => text("x"));
  server.server.handle({
    "tools/list": () => {
      throw new TypeError("broken");
    },
  });
  const { client } = await connectTo({
    servers: { broken: { server }, good: { server: everything("2025-11-25").server } },
  });
  const { tools, _meta } = await client.listTools();
  expect(tools).not.toEqual([]);
  expect(_meta?.["mcpwright/unavailable"]).toEqual([{ server: "broken", reason: "Internal error" }]);
});

test("only the first 10,000 items of a list are used", async () => {
  const server = new McpServer(info, { pageSize: 20_000 });
  for (let at = 0; at < 10_050; at++) server.registerTool(`t${at}`, {}, () => text("x"));
  const { client, problems } = await connectTo({ servers: { many: { server } } });
  expect((await client.listTools()).tools).toHaveLength(10_000);
  expect(problems.map(({ message }) => message)).toContain(
    'server "many": tools/list: only the first 10000 of 10050 items are used',
  );
});

test.each([
  [{ servers: {} as never, names: 7 as never }, "names"],
  [{ servers: 7 as never }, "pass servers as an object"],
  [{ servers: { "": { url: "http://localhost" } } }, "empty name"],
  [{ servers: { a: {} } }, 'the server "a" of the gateway has no source; set exactly one of url, server, transport'],
  [{ servers: { a: { url: "http://localhost", transport: () => new SilentTransport() } } }, "several sources"],
  [{ servers: { a: { url: "http://localhost", isolation: "none" as never } } }, "isolation"],
  [{ servers: { a: { url: "http://localhost", timeoutMs: -1 } } }, "timeoutMs must be 0 or more"],
])("options %#: %s", (options, problem) => {
  const error = thrown(() => createGateway(options));
  expect(error.code).toBe("INVALID_CONFIGURATION");
  expect(error.message).toContain(problem);
});

test("a subscription survives the end of its server", async () => {
  const up = everything("2025-11-25");
  const { ends, transport } = startable(up);
  const { client } = await connectTo({ servers: { good: { transport } } }, "2025-11-25");
  const updates: string[] = [];
  await client.subscribeResource({ uri: "test://one" }, (uri) => updates.push(uri));
  await ends[0]?.close();
  // The resource may have changed in the meantime.
  await expect.poll(() => updates, { timeout: 5_000 }).toEqual(["test://one"]);
  expect(ends).toHaveLength(2);
  up.server.server.notifyChanged({ kind: "resources", uri: "test://one" });
  await expect.poll(() => updates).toHaveLength(2);
});

test("a server has at most maxConnections", async () => {
  const up = everything("2025-11-25");
  const gateway = createGateway({
    servers: { good: { server: up.server, maxConnections: 2 } },
    onerror: () => undefined,
  });
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => {
      const { client } = clientOf("2025-11-25");
      await join(gateway, client);
      return client.callTool(add).then(
        () => "",
        (error: unknown) => String(error),
      );
    }),
  );
  onTestFinished(() => gateway.close(0));
  const [refused, ...others] = outcomes.filter((outcome) => outcome !== "");
  expect(others).toEqual([]);
  expect(refused).toContain('The server "good" failed: it has 2 connections already');
  expect(up.server.server.connections.size).toBe(2);
});

test("a server that was starting when its client left is closed", async () => {
  const up = everything("2025-11-25");
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let started = 0;
  const transport = async (): Promise<Transport> => {
    started++;
    await begun;
    return startable(up).transport();
  };
  const { client, gateway } = await connectTo({ servers: { good: { transport } } }, "2025-11-25");
  client.callTool(add).catch(() => undefined);
  await expect.poll(() => started).toBe(1);
  await client.close();
  await settled();
  begin();
  await expect.poll(() => gateway.servers[0]?.state).toBe("idle");
  await expect.poll(() => up.server.server.connections.size).toBe(0);
});

test("a server is not started again for a subscription that no client has any more", async () => {
  const up = everything("2026-07-28");
  const { ends, transport } = startable(up);
  const { client, gateway } = await connectTo({ servers: { good: { transport } } }, "2025-11-25");
  const other = clientOf("2025-11-25");
  await join(gateway, other.client);
  await client.subscribeResource({ uri: "test://one" });
  await client.close();
  await settled();
  expect(ends).toHaveLength(1);
  await ends[0]?.close();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(ends).toHaveLength(1);
});

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a subscription that fails names its server, at %s",
  async (revision) => {
    const { server } = everything("2025-11-25");
    const { ends, transport } = startable({ server } as Everything);
    const { client } = await connectTo({ servers: { one: { transport, timeoutMs: 200 } } }, revision);
    await client.listResources();
    // The server receives nothing more.
    for (const end of ends) end.onmessage = undefined;
    await expect(client.subscribeResource({ uri: "test://one" })).rejects.toThrow('The server "one" failed: ');
  },
);
