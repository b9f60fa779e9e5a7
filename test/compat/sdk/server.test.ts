import { Server as OriginalServer } from "@modelcontextprotocol/sdk/server/index.js";
import * as originalTypes from "@modelcontextprotocol/sdk/types.js";
import { Server as OwnServer } from "@mcpwright/compat/sdk/server/index.js";
import * as ownTypes from "@mcpwright/compat/sdk/types.js";
import { describe, expect, it } from "vitest";
import * as z3 from "zod/v3";
import * as z4 from "zod/v4";
import { connect, original, own, type RawClient, type Sdk } from "./servers.js";

interface LowLevel {
  readonly sdk: Sdk;
  readonly Server: typeof OriginalServer;
  readonly types: typeof originalTypes;
}

const sdks = {
  original: { sdk: original, Server: OriginalServer, types: originalTypes } as LowLevel,
  own: { sdk: own, Server: OwnServer, types: ownTypes } as unknown as LowLevel,
};
type LowLevelServer = InstanceType<typeof OriginalServer>;

interface Case {
  readonly title: string;
  readonly capabilities?: object;
  readonly clientCapabilities?: object;
  readonly answers?: Readonly<Record<string, object>>;
  /** Returns what is compared beside the messages. */
  readonly run: (server: LowLevelServer, one: LowLevel, connected: () => Promise<RawClient>) => Promise<unknown>;
}

/** What a call throws or rejects with. */
async function problemOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    const { name, message, code } = error as { name: string; message: string; code?: unknown };
    return { name, message, code };
  }
  return "no error";
}

const cases: readonly Case[] = [
  {
    title: "handlers of the protocol's methods",
    capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
    async run(server, { types }, connected) {
      const { CallToolRequestSchema, ListToolsRequestSchema, McpError, SubscribeRequestSchema } = types;
      server.setRequestHandler(ListToolsRequestSchema, ({ params }) => ({
        tools: [{ name: params?.cursor ?? "first", inputSchema: { type: "object" as const } }],
      }));
      server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }, { requestId, _meta }) => {
        if (name === "code") throw new McpError(-32050, "Own code", { a: 1 });
        if (name === "error") throw new Error("Plain");
        if (name === "object") throw Object.assign(new Error("With a code"), { code: 7, data: [1] });
        if (name === "no content") return {};
        return { content: [{ type: "text", text: JSON.stringify([name, args, requestId, _meta]) }] };
      });
      const subscribed: string[] = [];
      server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
        subscribed.push(params.uri);
        return {};
      });
      const client = await connected();
      await client.request("tools/list");
      await client.request("tools/list", { cursor: "second" });
      for (const name of ["code", "error", "object", "no content", "fine"])
        await client.request("tools/call", { name, arguments: { x: 1 }, _meta: { progressToken: 5 } });
      await client.request("resources/subscribe", { uri: "a://b" });
      await server.sendResourceUpdated({ uri: "a://b" });
      await server.sendToolListChanged();
      await server.sendLoggingMessage({ level: "debug", data: "before" });
      await client.request("logging/setLevel", { level: "error" });
      await server.sendLoggingMessage({ level: "info", data: "dropped" });
      await server.sendLoggingMessage({ level: "alert", data: "sent" });
      return { subscribed, version: server.getClientVersion(), capabilities: server.getClientCapabilities() };
    },
  },
  {
    title: "methods of programs, with schemas of both versions of zod",
    async run(server, _one, connected) {
      const seen: unknown[] = [];
      server.setRequestHandler(
        z3.object({ method: z3.literal("own/three"), params: z3.object({ a: z3.number().default(1) }) }),
        ({ params }) => ({ got: params.a }),
      );
      server.setRequestHandler(
        z4.object({ method: z4.literal("own/four"), params: z4.object({ b: z4.string() }) }),
        ({ params }) => ({ got: params.b }),
      );
      server.setNotificationHandler(
        z4.object({ method: z4.literal("own/note"), params: z4.object({ c: z4.string() }) }),
        ({ params }) => void seen.push(params.c),
      );
      const client = await connected();
      await client.request("own/three", {});
      await client.request("own/four", { b: "x" });
      client.notify("own/note", { c: "noted" });
      client.notify("own/other", { c: "ignored" });
      await client.request("ping");
      server.removeRequestHandler("own/four");
      await client.request("own/four", { b: "x" });
      await server.notification({ method: "own/sent", params: { d: 1 } });
      return seen;
    },
  },
  {
    title: "handlers for everything else",
    async run(server, _one, connected) {
      const seen: unknown[] = [];
      server.fallbackRequestHandler = ({ method, params }, { requestId }) =>
        Promise.resolve({ method, params, requestId });
      server.fallbackNotificationHandler = (notification) => Promise.resolve(void seen.push(notification));
      const client = await connected();
      await client.request("own/one", { a: 1 });
      await client.request("own/two");
      client.notify("own/note", { b: 1 });
      await client.request("ping");
      return seen;
    },
  },
  {
    title: "requests of the server",
    clientCapabilities: { roots: {}, sampling: {}, elicitation: { form: {} } },
    answers: { "roots/list": { roots: [{ uri: "file:///a" }] }, "own/question": { own: "answer" } },
    async run(server, { types }, connected) {
      expect(await problemOf(() => server.ping())).toMatchObject({ message: "Not connected" });
      const opened = new Promise<void>((resolve) => (server.oninitialized = resolve));
      await connected();
      await opened;
      return {
        roots: await server.listRoots(),
        same: await server.request({ method: "roots/list" }, types.ListRootsResultSchema),
        own: await server.request({ method: "own/question", params: { q: 1 } }, z4.object({ own: z4.string() })),
        url: await problemOf(() => server.elicitInput({ mode: "url", message: "", url: "a://b", elicitationId: "1" })),
        tools: await problemOf(() => server.createMessage({ messages: [], maxTokens: 1, tools: [] })),
        late: await problemOf(() => server.registerCapabilities({ tools: {} })),
        twice: await problemOf(() => server.connect(undefined as never)),
      };
    },
  },
  {
    title: "capabilities that are not declared",
    async run(server, { types }) {
      const list = () => ({ tools: [] });
      return [
        await problemOf(() => server.setRequestHandler(types.ListToolsRequestSchema, list)),
        await problemOf(() => server.setRequestHandler(z4.object({ method: z4.string() }), list)),
        await problemOf(() => server.setRequestHandler(z4.object({}), list)),
        await problemOf(() => server.assertCanSetRequestHandler("ping")),
      ];
    },
  },
];

async function outcomeOf(
  one: LowLevel,
  { capabilities = {}, clientCapabilities, answers, run }: Case,
): Promise<unknown> {
  const server = new one.Server({ name: "server", version: "1.0.0" }, { capabilities, instructions: "Use it." });
  let client: RawClient | undefined;
  const outcome = await run(
    server,
    one,
    async () => (client = await connect(one.sdk, server, clientCapabilities, answers)),
  );
  await server.close();
  const received = client?.received.map(({ id, ...message }) =>
    message.method === undefined ? { id, ...message } : message,
  );
  return { outcome, received };
}

describe("Server", () => {
  it.each(cases)("answers like the official SDK: $title", async (one) => {
    expect(await outcomeOf(sdks.own, one)).toEqual(await outcomeOf(sdks.original, one));
  });
});

describe("Server of compat", () => {
  it("negotiates itself", () => {
    const server = new sdks.own.Server({ name: "server", version: "1.0.0" });
    const { InitializeRequestSchema } = sdks.own.types;
    expect(() => server.setRequestHandler(InitializeRequestSchema, () => ({}))).toThrow(
      "A server cannot handle initialize: use oninitialized, getClientVersion() and getClientCapabilities()",
    );
  });

  it("explains why the result of a tool is invalid", async () => {
    const server = new sdks.own.Server({ name: "server", version: "1.0.0" }, { capabilities: { tools: {} } });
    const invalid = () => ({ content: [{ type: "text", text: 3 }] }) as never;
    server.setRequestHandler(sdks.own.types.CallToolRequestSchema, invalid);
    const client = await connect(sdks.own.sdk, server);
    expect(await client.request("tools/call", { name: "any" })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("Invalid tools/call result: ") as string },
    });
    await server.close();
  });
});

describe("types.js", () => {
  it("has the names of the official SDK", () => {
    expect(Object.keys(originalTypes).filter((name) => !(name in ownTypes))).toEqual([]);
  });
});
