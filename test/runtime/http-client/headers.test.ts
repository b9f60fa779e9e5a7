import { describe, expect, test } from "vitest";
import { ResponseCache } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { MethodHandlers } from "../../../runtime/src/connection/dispatch-table.js";
import { Client } from "../../../runtime/src/client.js";
import { Server } from "../../../runtime/src/server.js";
import { clientFor, connected } from "./clients.js";
import {
  complete,
  failure,
  fakeServer,
  handshake,
  R5,
  result,
  type Script,
  type Seen,
  stateless,
} from "./fake-server.js";

const property = (type: string, name: string): object => ({ type, "x-mcp-header": name });
const tool = (name: string, properties: object) => ({ name, inputSchema: { type: "object", properties } });
const list = (tools: object[], hints: object = { ttlMs: 0, cacheScope: "private" }): object =>
  complete({ tools, ...hints });

/** Lists these tools, and responds to every call. */
const listing =
  (...tools: object[]): Script =>
  (seen, reply) => {
    const { id, method } = seen.message;
    reply.json(result(id, method === "tools/list" ? list(tools) : complete({ content: [] })));
  };

describe("headers of the stateless era", () => {
  test.each<[method: string, params: object, name: string | undefined]>([
    ["tools/call", { name: "a_tool" }, "a_tool"],
    ["tools/call", { name: "wérkzeug" }, "=?base64?d8Opcmt6ZXVn?="],
    ["resources/read", { uri: "file:///path/to/file%20name.txt" }, "file:///path/to/file%20name.txt"],
    ["prompts/get", { name: " p " }, "=?base64?IHAg?="],
    ["tools/list", {}, undefined],
    ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }, undefined],
  ])("%s %j", async (method, params, name) => {
    const server = await fakeServer(stateless((seen, reply) => reply.json(failure(seen.message.id, -32603))));
    const { client } = await connected(server, {}, {}, { capabilities: {} });
    const side = client.connection.negotiated;
    if (side)
      client.connection.setNegotiated({
        ...side,
        serverCapabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      });
    await expect(client.connection.request(method, params)).rejects.toMatchObject({ code: -32603 });
    const [{ headers, message }] = server.of(method) as [Seen];
    expect(headers["mcp-method"]).toBe(method);
    expect(headers["mcp-name"]).toBe(name);
    expect(headers["mcp-protocol-version"]).toBe(R5);
    expect((message.params?.["_meta"] as Record<string, unknown>)["io.modelcontextprotocol/protocolVersion"]).toBe(R5);
    expect(headers).not.toHaveProperty("mcp-session-id");
  });

  test("the probe has them, too", async () => {
    const server = await fakeServer(stateless(listing()));
    await connected(server);
    expect(server.seen[0]?.headers).toMatchObject({ "mcp-protocol-version": R5, "mcp-method": "server/discover" });
  });

  test("a session id of the server is ignored", async () => {
    const server = await fakeServer(async (seen, reply) => {
      reply.response.setHeader("mcp-session-id", "s");
      await stateless(listing())(seen, reply);
    });
    const { client, transport } = await connected(server);
    await client.listTools();
    expect(transport.sessionId).toBeUndefined();
    await client.close();
    expect(server.seen.every(({ headers }) => headers["mcp-session-id"] === undefined)).toBe(true);
    expect(server.of("DELETE")).toEqual([]);
  });
});

describe("arguments that are repeated in headers", () => {
  const annotated = tool("t", {
    region: property("string", "Region"),
    count: property("integer", "Count"),
    dry: property("boolean", "Dry"),
    where: { type: "object", properties: { zone: property("string", "Zone") } },
    plain: { type: "string" },
  });

  test.each<[name: string, args: object | undefined, headers: Record<string, string>]>([
    ["text", { region: "us-west1" }, { region: "us-west1" }],
    ["text outside of ASCII", { region: "Hello, 世界" }, { region: "=?base64?SGVsbG8sIOS4lueVjA==?=" }],
    ["an empty string", { region: "" }, { region: "" }],
    ["an integer", { count: 42 }, { count: "42" }],
    ["a boolean", { dry: false }, { dry: "false" }],
    ["a nested one", { where: { zone: "a" } }, { zone: "a" }],
    ["null", { region: null, where: null }, {}],
    ["another type", { region: 5, count: "5", dry: 1 }, {}],
    ["one that is not annotated", { plain: "p" }, {}],
    ["none", undefined, {}],
  ])("%s", async (_name, args, headers) => {
    const server = await fakeServer(stateless(listing(annotated)));
    const { client } = await connected(server);
    await client.listTools();
    await client.callTool({ name: "t", ...(args && { arguments: args as Record<string, unknown> }) });
    const sent = Object.entries(server.of("tools/call")[0]?.headers ?? {}).filter(([key]) =>
      key.startsWith("mcp-param-"),
    );
    expect(Object.fromEntries(sent)).toEqual(
      Object.fromEntries(Object.entries(headers).map(([key, value]) => [`mcp-param-${key}`, value])),
    );
    // The body has them all the same.
    expect(server.of("tools/call")[0]?.message.params?.["arguments"]).toEqual(args);
  });

  test("rejects an integer that is not exact", async () => {
    const server = await fakeServer(stateless(listing(annotated)));
    const { client } = await connected(server);
    await client.listTools();
    await expect(client.callTool({ name: "t", arguments: { count: 2 ** 53 } })).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    expect(server.of("tools/call")).toEqual([]);
    await client.callTool({ name: "t", arguments: { count: 2 ** 53 - 1 } });
    expect(server.of("tools/call")[0]?.headers["mcp-param-count"]).toBe("9007199254740991");
  });

  test("a tool that was never listed has none", async () => {
    const server = await fakeServer(stateless(listing(annotated)));
    const { client } = await connected(server);
    await client.callTool({ name: "t", arguments: { region: "x" } });
    expect(server.of("tools/call")[0]?.headers).not.toHaveProperty("mcp-param-region");
  });

  test("the newest schema applies", async () => {
    const server = await fakeServer(stateless(listing(annotated)));
    const { client } = await connected(server);
    await client.listTools();
    server.script = stateless(listing(tool("t", { count: property("integer", "N") })));
    await client.listTools();
    await client.callTool({ name: "t", arguments: { region: "x", count: 1 } });
    const [{ headers }] = server.of("tools/call") as [Seen];
    expect(headers["mcp-param-n"]).toBe("1");
    expect(headers).not.toHaveProperty("mcp-param-region");
    expect(headers).not.toHaveProperty("mcp-param-count");
  });

  test("a cached list works as well", async () => {
    const server = await fakeServer(
      stateless((seen, reply) =>
        reply.json(
          result(
            seen.message.id,
            seen.message.method === "tools/list"
              ? list([annotated], { ttlMs: 60_000, cacheScope: "public" })
              : complete({ content: [] }),
          ),
        ),
      ),
    );
    const cache = new ResponseCache();
    const first = await connected(server, {}, {}, { cache, cacheKey: server.url });
    await first.client.listTools();
    const second = await connected(server, {}, {}, { cache, cacheKey: server.url });
    await second.client.listTools();
    await second.client.callTool({ name: "t", arguments: { region: "x" } });
    expect(server.of("tools/list")).toHaveLength(1);
    expect(server.of("tools/call")[0]?.headers["mcp-param-region"]).toBe("x");
  });
});

describe("a server that requires other headers than it had listed", () => {
  const old = tool("t", {});
  const fresh = tool("t", { region: property("string", "Region") });
  const strict: Script = (seen, reply) => {
    const { id, method } = seen.message;
    if (method === "tools/list") return reply.json(result(id, list([fresh], { ttlMs: 60_000, cacheScope: "public" })));
    if (seen.headers["mcp-param-region"] === "x") return reply.json(result(id, complete({ content: [] })));
    return reply.json(failure(id, -32020, undefined, "Mcp-Param-Region is missing"), 400);
  };

  test.each([undefined, new ResponseCache()])(
    "gets tools/list once more, and the call once more (cache: %s)",
    async (cache) => {
      const server = await fakeServer(
        stateless((seen, reply) =>
          reply.json(result(seen.message.id, list([old], { ttlMs: 60_000, cacheScope: "public" }))),
        ),
      );
      const { client } = await connected(server, {}, {}, cache && { cache });
      await client.listTools();
      server.script = strict;
      await client.callTool({ name: "t", arguments: { region: "x" } });
      expect(server.story.slice(1)).toEqual(["tools/list", "tools/call", "tools/list", "tools/call"]);
    },
  );

  test("that keeps rejecting does not get requests without end", async () => {
    const server = await fakeServer(stateless(strict));
    const { client } = await connected(server);
    await expect(client.callTool({ name: "t", arguments: { region: "y" } })).rejects.toMatchObject({ code: -32020 });
    expect(server.story.slice(1)).toEqual(["tools/call", "tools/list", "tools/call"]);
  });
});

describe("tools with invalid annotations", () => {
  const bad = tool("bad", { a: property("number", "A") });
  const good = tool("good", { a: property("string", "A") });

  test("are left out, and reported with name and reason", async () => {
    const server = await fakeServer(stateless(listing(bad, good)));
    const items: unknown[] = [];
    const { client, errors } = await connected(
      server,
      {},
      {},
      { onInvalidItem: (item, method) => items.push([item, method]) },
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["good"]);
    expect(items).toEqual([[bad, "tools/list"]]);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"bad" is left out: .*"A" is on type "number"/),
    ]);
  });

  test("are left out of every page", async () => {
    const server = await fakeServer(
      stateless((seen, reply) => {
        const { cursor } = seen.message.params as { cursor?: string };
        reply.json(
          result(seen.message.id, {
            ...list(cursor ? [good] : [bad]),
            ...(!cursor && { nextCursor: "2" }),
          }),
        );
      }),
    );
    const { client } = await connected(server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["good"]);
  });

  test("are kept in the handshake era, where nothing is repeated", async () => {
    const server = await fakeServer(
      handshake("2025-11-25", (seen, reply) =>
        seen.method === "GET" ? reply.status(405) : listing(bad, good)(seen, reply),
      ),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    expect((await client.listTools()).tools).toHaveLength(2);
    await client.callTool({ name: "good", arguments: { a: "x" } });
    const [{ headers }] = server.of("tools/call") as [Seen];
    expect(headers).not.toHaveProperty("mcp-param-a");
    expect(headers).not.toHaveProperty("mcp-method");
    expect(errors).toEqual([]);
  });

  test("are kept without headers", async () => {
    const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } });
    const [near, far] = InMemoryTransport.createLinkedPair();
    server.handle<MethodHandlers>({ "tools/list": () => ({ tools: [bad] }) });
    await server.connect(far);
    const client = new Client({ name: "c", version: "1" });
    await client.connect(near);
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    expect((await client.listTools()).tools).toHaveLength(1);
    await client.close();
  });
});

test("do not affect a client that only has the handshake", () => {
  const { transport } = clientFor({ url: "http://127.0.0.1:1/" });
  expect(transport.sessionId).toBeUndefined();
  expect(transport.protocolVersion).toBeUndefined();
});
