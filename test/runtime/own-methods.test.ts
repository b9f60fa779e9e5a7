/** Methods that the protocol does not have, with schemas of the program. */
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { z } from "zod";
import { Client, type Era } from "../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { InMemoryTransport } from "../../runtime/src/index.js";
import { defineMethods, type OwnMessages } from "../../runtime/src/methods.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler } from "../../runtime/src/server/http.js";

const search = defineMethods({
  requests: {
    "acme/search": {
      params: z.object({ query: z.string(), limit: z.int().optional() }),
      result: z.strictObject({ items: z.array(z.string()) }),
    },
    "acme/count": { result: z.object({ count: z.number() }) },
  },
  serverNotifications: { "acme/progress": z.object({ stage: z.string() }) },
  clientNotifications: { "acme/seen": z.object({ item: z.string() }) },
});

const info = { name: "acme", version: "1.0.0" };

function serve(result?: unknown) {
  const seen: string[] = [];
  const errors: Error[] = [];
  const server = new McpServer(info, { extensions: [search], onerror: (error) => errors.push(error) });
  server.server.handle({
    "acme/search": async ({ query, limit = 1 }, context) => {
      expectTypeOf(query).toEqualTypeOf<string>();
      await context.notify("acme/progress", { stage: "start" });
      return (result ?? { items: Array.from({ length: limit }, (_, index) => `${query}-${index}`) }) as never;
    },
    "acme/count": () => ({ count: 7 }),
    "acme/seen": ({ item }) => seen.push(item),
  });
  return { server, seen, errors };
}

/** Connects over HTTP, and in memory. */
const ways = {
  async http(server: McpServer, era: Era, client: { connect: Client["connect"] }) {
    const handler = createMcpHandler(server);
    onTestFinished(() => handler.close(0));
    const fetch = (input: string | URL | Request, init?: RequestInit) => handler.fetch(new Request(input, init));
    await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }), { era });
  },
  async memory(server: McpServer, era: Era, client: { connect: Client["connect"] }) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near, { era });
  },
};

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(Object.entries(ways))("%s", (_, connect) => {
  describe.each<Era>(["handshake", "stateless"])("%s", (era) => {
    async function open(result?: unknown) {
      const served = serve(result);
      const client = new Client(info, { extensions: [search], onerror: () => undefined });
      await connect(served.server, era, client);
      onTestFinished(() => client.close());
      return { ...served, client };
    }

    test("requests have types and results", async () => {
      const { client } = await open();
      const found = await client.request("acme/search", { query: "tea", limit: 2 });
      expectTypeOf(found.items).toEqualTypeOf<string[]>();
      expect(found.items).toEqual(["tea-0", "tea-1"]);
      expect((await client.request("acme/count")).count).toBe(7);
      // @ts-expect-error -- a number
      await client.request("acme/search", { query: 1 }).catch(() => undefined);
      // The methods of the protocol stay.
      await expect(client.request("tools/list")).rejects.toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
    });

    test("invalid params get an error that names the members", async () => {
      const { client } = await open();
      const invalid = { query: 1, limit: 1.5 } as never;
      await expect(client.request("acme/search", invalid)).rejects.toMatchObject({
        code: -32602,
        message: /^Invalid params of acme\/search: \/query: .*; \/limit: /,
      });
    });

    test.each([[{ items: "no" }], [{ items: [], more: 1 }], [{}]])("the invalid result %j", async (result) => {
      const { client } = await open(result);
      await expect(client.request("acme/search", { query: "tea" })).rejects.toMatchObject({ code: "INVALID_RESULT" });
    });

    test("notifications reach the handlers of the other side", async () => {
      const { client, server } = await open();
      const stages: string[] = [];
      client.setNotificationHandler("acme/progress", ({ stage }) => stages.push(stage));
      await client.request("acme/search", { query: "tea" });
      expect(stages).toEqual(["start"]);
      await expect(client.connection.notify("acme/seen", { item: 1 })).rejects.toThrow(/acme\/seen: \/item/);
      await expect(client.connection.notify("acme/progress", { stage: "a" })).rejects.toMatchObject({
        code: "NOT_IN_THIS_REVISION",
      });
      await server.close(0);
    });

    test("a server without the method, and a client without it", async () => {
      const plain = new McpServer(info);
      const client = new Client(info, { extensions: [search] });
      await connect(plain, era, client);
      onTestFinished(() => client.close());
      await expect(client.request("acme/count")).rejects.toMatchObject({ code: -32601 });
      const other = new Client(info);
      await connect(plain, era, other);
      onTestFinished(() => other.close());
      await expect(other.request("acme/count" as never, undefined as never)).rejects.toMatchObject({
        code: "NOT_IN_THIS_REVISION",
      });
    });
  });
});

test("a notification of a client reaches the server", async () => {
  const { server, seen, errors } = serve();
  const client = new Client(info, { extensions: [search] });
  await ways.memory(server, "handshake", client);
  onTestFinished(() => client.close());
  await client.connection.notify("acme/seen", { item: "tea" });
  await until(() => seen.length > 0);
  expect(seen).toEqual(["tea"]);
  expect(errors).toEqual([]);
});

test("a schema that is not synchronous rejects its params", async () => {
  const slow = defineMethods({
    requests: { "acme/slow": { params: z.object({}).refine(() => Promise.resolve(true)), result: z.object({}) } },
  });
  const server = new McpServer(info, { extensions: [slow] });
  server.server.handle({ "acme/slow": () => ({}) });
  const client = new Client(info, { extensions: [slow] });
  await ways.memory(server, "stateless", client);
  onTestFinished(() => client.close());
  await expect(client.request("acme/slow", {})).rejects.toThrow("the schema is not synchronous");
});

test.each([
  ["no schema of the result", { requests: { a: {} } }, /the result of a need a Standard Schema/],
  ["a plain object", { requests: { a: { params: { b: z.string() }, result: z.object({}) } } }, /the params of a need/],
  ["a notification without a schema", { serverNotifications: { a: {} } }, /the params of a need/],
])("rejects %s", (_, messages, message) => {
  expect(() => defineMethods(messages as never)).toThrow(message);
});

test.each([
  [{ requests: { "tools/list": { result: z.object({}) } } }, /already has tools\/list/],
  [{ serverNotifications: { "notifications/progress": z.object({}) } }, /already has notifications\/progress/],
])("a method of the protocol is an error of both constructors: %#", (messages, message) => {
  const extensions = [defineMethods(messages as OwnMessages)];
  expect(() => new McpServer(info, { extensions })).toThrow(message);
  expect(() => new Client(info, { extensions })).toThrow(message);
});
