import { describe, expect, test } from "vitest";
import { ResponseCache } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer, Server } from "../../../runtime/src/server.js";
import { connect, errorOf, eras, info, methods, type Pair, settled, text, type Traced } from "./pair.js";

function serve() {
  const server = new McpServer(info);
  server.registerTool("t", {}, () => text(""));
  server.registerPrompt("p", {}, () => ({ messages: [] }));
  server.registerResource("r", "test:r", {}, ({ href }) => ({ contents: [{ uri: href, text: "" }] }));
  return server;
}

/** Records the life of subscriptions, one line each. */
function streams(wire: readonly Traced[]): string[] {
  return wire.flatMap(({ direction, method, id, params }) => {
    const subscription = (params?.["_meta"] as Record<string, unknown> | undefined)?.[
      "io.modelcontextprotocol/subscriptionId"
    ];
    if (method === "subscriptions/listen")
      return [`${direction} listen ${String(id)} ${JSON.stringify(params?.["notifications"])}`];
    if (method === "notifications/subscriptions/acknowledged")
      return [`${direction} acknowledged ${String(subscription)}`];
    if (method === "notifications/cancelled") return [`${direction} cancelled ${String(params?.["requestId"])}`];
    if ((method ?? "").endsWith("subscribe")) return [`${direction} ${method ?? ""} ${String(params?.["uri"])}`];
    return [];
  });
}

test("2026-07-28: a new filter opens a new stream before the first one is closed", async () => {
  const { client, wire } = await connect(serve(), "2026-07-28");
  client.onChanged("tools", () => undefined);
  await settled();
  await client.subscribeResource({ uri: "test:r" }, () => undefined);
  await settled();
  expect(streams(wire)).toEqual([
    'out listen 2 {"toolsListChanged":true}',
    "in acknowledged 2",
    'out listen 3 {"toolsListChanged":true,"resourceSubscriptions":["test:r"]}',
    "in acknowledged 3",
    "out cancelled 2",
  ]);
});

test("2026-07-28: the same filter opens no second stream, and an empty filter closes the last one", async () => {
  const { client, wire } = await connect(serve(), "2026-07-28");
  const end = client.onChanged("tools", () => undefined);
  const endAnother = client.onChanged("tools", () => undefined);
  await settled();
  end();
  await settled();
  expect(streams(wire)).toEqual(['out listen 2 {"toolsListChanged":true}', "in acknowledged 2"]);
  endAnother();
  await settled();
  expect(streams(wire).slice(2)).toEqual(["out cancelled 2"]);
});

test("2026-07-28: no change is lost or reported twice while the filter changes", async () => {
  const server = serve();
  const { client } = await connect(server, "2026-07-28");
  let heard = 0;
  client.onChanged("tools", () => heard++);
  await settled();
  const subscribed = client.subscribeResource({ uri: "test:r" }, () => undefined);
  server.sendToolListChanged();
  await subscribed;
  await settled();
  expect(heard).toBeGreaterThan(0);
  heard = 0;
  server.sendToolListChanged();
  await settled();
  expect(heard).toBe(1);
});

test("2025-11-25: list changes arrive without a subscription, resources are subscribed to one by one", async () => {
  const { client, wire } = await connect(serve(), "2025-11-25");
  client.onChanged("tools", () => undefined);
  await Promise.all(["test:a", "test:b"].map((uri) => client.subscribeResource({ uri }, () => undefined)));
  await client.unsubscribeResource({ uri: "test:a" });
  await client.unsubscribeResource({ uri: "test:unknown" });
  expect(streams(wire)).toEqual([
    "out resources/subscribe test:a",
    "out resources/subscribe test:b",
    "out resources/unsubscribe test:a",
  ]);
});

test("2025-11-25: a handler of the host does not replace the other handlers", async () => {
  const server = serve();
  const { client } = await connect(server, "2025-11-25");
  const heard: string[] = [];
  client.onChanged("tools", () => heard.push("listener"));
  client.setNotificationHandler("notifications/tools/list_changed", () => heard.push("handler"));
  server.sendToolListChanged();
  await settled();
  expect(heard).toEqual(["listener", "handler"]);
});

test.each(eras)("%s: a resource is watched with any spelling of its URI", async (revision) => {
  const server = serve();
  const { client } = await connect(server, revision);
  const heard: string[] = [];
  await client.subscribeResource({ uri: "file:///x/%C3%BC%20y.txt" }, (uri) => heard.push(uri));
  server.sendResourceUpdated({ uri: "file:///x/ü y.txt" });
  await settled();
  await client.unsubscribeResource({ uri: "file:///x/%C3%BC%20y.txt" });
  server.sendResourceUpdated({ uri: "file:///x/ü y.txt" });
  await settled();
  expect(heard).toEqual(["file:///x/ü y.txt"]);
});

test.each(eras)("%s: of two spellings of a URI, one is still watched when the other is not", async (revision) => {
  const server = serve();
  const { client } = await connect(server, revision);
  const heard: string[] = [];
  await client.subscribeResource({ uri: "file:///a b" }, () => heard.push("raw"));
  await client.subscribeResource({ uri: "file:///a%20b" }, () => heard.push("encoded"));
  await client.unsubscribeResource({ uri: "file:///a b" });
  server.sendResourceUpdated({ uri: "file:///a b" });
  await settled();
  expect(heard).toEqual(["encoded"]);
  await client.unsubscribeResource({ uri: "file:///a%20b" });
  server.sendResourceUpdated({ uri: "file:///a b" });
  await settled();
  expect(heard).toEqual(["encoded"]);
});

test.each(eras)("%s: resources stay watched over a new connection", async (revision) => {
  const server = serve();
  const { client } = await connect(server, revision);
  const heard: string[] = [];
  client.onChanged("tools", () => heard.push("tools"));
  await client.subscribeResource({ uri: "test:r" }, (uri) => heard.push(uri));
  await client.close();
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  server.sendToolListChanged();
  server.sendResourceUpdated({ uri: "test:r" });
  await settled();
  expect(heard).toEqual(["tools", "test:r"]);
  await client.close();
});

test.each(eras)("%s: a subscription made before connecting starts with the connection", async (revision) => {
  const server = serve();
  const heard: string[] = [];
  await connect(server, revision, {}, (client) => {
    client.onChanged("prompts", () => heard.push("prompts"));
    void client.subscribeResource({ uri: "test:r" }, (uri) => heard.push(uri));
  });
  server.sendPromptListChanged();
  server.sendResourceUpdated({ uri: "test:r" });
  await settled();
  expect(heard).toEqual(["prompts", "test:r"]);
});

test.each(eras)("%s: a rejected subscription leaves earlier ones in place", async (revision) => {
  const server = new McpServer(info, { limits: { subscriptions: 1 } });
  server.registerResource("r", "test:r", {}, () => ({ contents: [] }));
  const { client } = await connect(server, revision);
  const heard: string[] = [];
  await client.subscribeResource({ uri: "test:a" }, (uri) => heard.push(uri));
  expect(await errorOf(client.subscribeResource({ uri: "test:b" }, (uri) => heard.push(uri)))).toMatchObject({
    code: -32603,
  });
  server.sendResourceUpdated({ uri: "test:a" });
  server.sendResourceUpdated({ uri: "test:b" });
  await settled();
  expect(heard).toEqual(["test:a"]);
});

test("2026-07-28: a client connects although the server rejects the subscription", async () => {
  const server = new Server(info, { capabilities: { tools: { listChanged: true } }, onerror: () => undefined });
  server.handle({
    "tools/list": () => ({ tools: [] }),
    "subscriptions/listen": () => {
      throw new Error("not today");
    },
  });
  const { client, problems } = await connect(server, "2026-07-28", { cache: new ResponseCache() });
  expect((await client.listTools()).tools).toEqual([]);
  expect(problems).toMatchObject([{ code: -32603 }]);
});

describe.each(eras)("%s: the response cache", (revision) => {
  const stateless = revision === "2026-07-28";
  const hint = (ttlMs: number, cacheScope: "public" | "private" = "private") => ({ ttlMs, cacheScope });

  function caching(ttlMs = 60_000, scope: "public" | "private" = "private") {
    const clock = { now: 0 };
    const cache = new ResponseCache({ now: () => clock.now });
    const cacheHints = Object.fromEntries(
      ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"].map((method) => [
        method,
        hint(ttlMs, scope),
      ]),
    );
    const server = new McpServer(info, { cacheHints });
    const tool = server.registerTool("t", {}, () => text("called"));
    server.registerPrompt("p", {}, () => ({ messages: [] }));
    let reads = 0;
    for (const uri of ["test:a", "test:b"])
      server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: String(++reads) }] }));
    const client = (principal?: string) =>
      connect(server, revision, { cache, cacheKey: "server", ...(principal !== undefined && { principal }) });
    return { server, tool, clock, cache, client };
  }

  /** The number of requests that a call sends. */
  async function sent({ wire }: Pair, call: () => Promise<unknown>): Promise<number> {
    const before = methods(wire, "out").length;
    await call();
    return methods(wire, "out").length - before;
  }

  test("keeps responses until their time-to-live ends", async () => {
    const { clock, client } = caching(1_000);
    const pair = await client();
    const list = () => pair.client.listTools();
    expect(await sent(pair, list)).toBe(1);
    expect(await sent(pair, list)).toBe(stateless ? 0 : 1);
    expect((await list()).tools).toHaveLength(1);
    clock.now = 1_000;
    expect(await sent(pair, list)).toBe(1);
  });

  test("keeps no response without cache hints, and no call", async () => {
    const { client } = caching(0);
    const pair = await client();
    for (let time = 0; time < 2; time++) {
      expect(await sent(pair, () => pair.client.listTools())).toBe(1);
      expect(await sent(pair, () => pair.client.callTool({ name: "t" }))).toBe(1);
    }
  });

  test("keeps resources apart, and private results apart", async () => {
    const own = caching();
    const [anna, bob] = [await own.client("anna"), await own.client("bob")];
    const read =
      ({ client }: Pair, uri: string) =>
      () =>
        client.readResource({ uri });
    expect(await sent(anna, read(anna, "test:a"))).toBe(1);
    expect(await sent(anna, read(anna, "test:b"))).toBe(1);
    expect(await sent(anna, read(anna, "test:a"))).toBe(stateless ? 0 : 1);
    expect(await sent(bob, read(bob, "test:a"))).toBe(1);
    const shared = caching(60_000, "public");
    const [carl, dora] = [await shared.client("carl"), await shared.client("dora")];
    expect(await sent(carl, read(carl, "test:a"))).toBe(1);
    expect(await sent(dora, read(dora, "test:a"))).toBe(stateless ? 0 : 1);
  });

  test("drops changed lists, also without a listener", async () => {
    const { server, tool, client } = caching();
    const pair = await client();
    const calls = {
      tools: () => pair.client.listTools(),
      prompts: () => pair.client.listPrompts(),
      resources: () => pair.client.listResources(),
      templates: () => pair.client.listResourceTemplates(),
    };
    for (const call of Object.values(calls)) await call();
    tool.update({ title: "Other" });
    server.sendResourceListChanged();
    await settled();
    expect(await sent(pair, calls.tools)).toBe(1);
    expect((await calls.tools()).tools).toMatchObject([{ title: "Other" }]);
    expect(await sent(pair, calls.resources)).toBe(1);
    expect(await sent(pair, calls.templates)).toBe(1);
    expect(await sent(pair, calls.prompts)).toBe(stateless ? 0 : 1);
  });

  test("drops only the resource that was updated", async () => {
    const { server, client } = caching();
    const pair = await client();
    await pair.client.subscribeResource({ uri: "test:a" }, () => undefined);
    const read = (uri: string) => () => pair.client.readResource({ uri });
    await read("test:a")();
    await read("test:b")();
    server.sendResourceUpdated({ uri: "test:a" });
    await settled();
    expect(await sent(pair, read("test:a"))).toBe(1);
    expect(await sent(pair, read("test:b"))).toBe(stateless ? 0 : 1);
  });

  test("does not keep responses to calls that needed input", async () => {
    const cache = new ResponseCache();
    const server = new McpServer(info, { cacheHints: { "resources/read": hint(60_000) } });
    let reads = 0;
    server.registerResource("r", "test:r", {}, async ({ href }, context) => {
      const { action } = await context.elicit("k", {
        message: "?",
        requestedSchema: { type: "object", properties: {} },
      });
      return { contents: [{ uri: href, text: `${action} ${++reads}` }] };
    });
    const { client } = await connect(server, revision, { cache, capabilities: { elicitation: {} } }, (made) =>
      made.setRequestHandler("elicitation/create", () => ({ action: "decline" })),
    );
    expect((await client.readResource({ uri: "test:r" })).contents).toMatchObject([{ text: "decline 1" }]);
    expect((await client.readResource({ uri: "test:r" })).contents).toMatchObject([{ text: "decline 2" }]);
  });

  test("does not keep errors", async () => {
    const { client, server } = caching();
    const pair = await client();
    expect(await errorOf(pair.client.readResource({ uri: "test:later" }))).toMatchObject({
      data: { uri: "test:later" },
    });
    server.registerResource("later", "test:later", {}, ({ href }) => ({ contents: [{ uri: href, text: "" }] }));
    expect((await pair.client.readResource({ uri: "test:later" })).contents).toHaveLength(1);
  });
});

test("2026-07-28: lists whose changes the server does not grant are reported once", async () => {
  const server = serve();
  const { client, problems, wire } = await connect(server, "2026-07-28", { cache: new ResponseCache() });
  await settled();
  expect(problems).toEqual([]);
  // The server has the capability, but grants nothing.
  client.connection.listen = () => ({
    acknowledged: Promise.resolve({ notifications: {} }),
    result: new Promise(() => undefined),
    close: () => Promise.resolve(),
    // eslint-disable-next-line @typescript-eslint/require-await -- a stream without events
    async *[Symbol.asyncIterator]() {
      yield* [];
    },
  });
  const before = wire.length;
  for (let round = 0; round < 2; round++) {
    await client.subscribeResource({ uri: `test:${round}` }, () => undefined);
    await settled();
  }
  expect(wire).toHaveLength(before + 1);
  expect(problems).toMatchObject(
    ["tools", "prompts", "resources"].map((kind) => ({
      code: "CAPABILITY_NOT_SUPPORTED",
      message: `the server does not notify this client of changes of the list of ${kind}`,
    })),
  );
});

test("2026-07-28: onStreamEnd is called when the server ends the stream, with an error if it is lost", async () => {
  const ends: unknown[] = [];
  const { client, connection } = await connect(serve(), "2026-07-28", { onStreamEnd: (error) => ends.push(error) });
  client.onChanged("tools", () => undefined);
  await settled();
  await client.subscribeResource({ uri: "test:r" }, () => undefined);
  await settled();
  // The client itself has replaced the first stream.
  expect(ends).toEqual([]);
  await connection.shutdown();
  await settled();
  expect(ends).toEqual([undefined]);
});
