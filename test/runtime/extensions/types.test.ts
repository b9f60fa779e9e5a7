import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import * as r2025 from "@mcpwright/protocol/2025-11-25";
import * as r2026 from "@mcpwright/protocol/2026-07-28";
import type { Profile, Side } from "@mcpwright/protocol/contract";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { describe, expectTypeOf, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { CallToolOutcome, CallToolResult, ListToolsResult } from "../../../runtime/src/authoring.js";
import type { MethodHandlers } from "../../../runtime/src/connection/dispatch-table.js";
import { McpServer, Server, clientSettings, type ServerContext } from "../../../runtime/src/server.js";
import { serverSettings } from "../../../runtime/src/client.js";
import { tasks } from "../../../runtime/src/tasks/client/tasks-extension.js";
import type { GetTaskResult } from "@mcpwright/protocol/extensions/tasks";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { clientInfo, serverInfo } from "../connection/connection-ends.js";
import { rankExtension, type RankedResult, type RankResult } from "./rank-extension.js";

const extensions = [rankExtension] as const;
const toolServer = { capabilities: { tools: {} } };

/** A revision of a user, with a method that no published revision has. */
interface MineMaps {
  readonly clientRequests: {
    "greetings/greet": { params: { whom: string }; result: { words: string } };
    "tools/list": { params: { cursor?: string }; result: { tools: { name: string; price: number }[] } };
  };
  readonly clientNotifications: { "notifications/left": { whom: string } };
  readonly serverRequests: object;
  readonly serverNotifications: { "notifications/greeted": { whom: string } | undefined };
}
const mineOfClients = { ...r2026.clientSide, revision: "2031-01-01" } as Side as Side<Profile, MineMaps>;
const mine = { ...r2026.serverSide, revision: "2031-01-01" } as Side as Side<Profile, MineMaps>;

describe("a server with an extension", () => {
  const server = new Server(serverInfo, { ...toolServer, extensions: [rankExtension] });

  test("handles the methods of the extension and of the protocol", () => {
    server.handle({
      "tools/rank": ({ query }, context) => {
        expectTypeOf(query).toEqualTypeOf<string>();
        void context.notify("notifications/rank", { query });
        // @ts-expect-error no such notification
        void context.notify("notifications/ranked", { query });
        // @ts-expect-error another type of query
        void context.notify("notifications/rank", { query: 1 });
        expectTypeOf(context).toExtend<ServerContext>();
        return { order: [query] };
      },
      "tools/call": ({ name }) => (name === "t" ? { content: [] } : { resultType: "ranked", place: 1 }),
      "notifications/rank/used": ({ query }) => query.length,
    });
    // @ts-expect-error no such method
    server.handle({ "tools/rnk": () => ({ order: [] }) });
    // @ts-expect-error params of another type
    server.handle({ "tools/rank": ({ query }: { query: number }) => ({ order: [String(query)] }) });
    // @ts-expect-error the result of another method
    server.handle({ "tools/rank": () => ({ tools: [] }) });
    // @ts-expect-error a result that the extension adds to another method
    server.handle({ "tools/list": () => ({ resultType: "ranked", place: 1 }) });
    server.handle<MethodHandlers>({ "shop/buy": () => ({}) });
  });

  test("is served like any other", () => {
    expectTypeOf(server).toExtend<Server>();
    expectTypeOf(createMcpHandler).toBeCallableWith(server);
    expectTypeOf(createMcpHandler).toBeCallableWith(new McpServer(serverInfo, { extensions }));
    new McpServer(serverInfo, { ...toolServer, extensions }).server.handle({ "tools/rank": () => ({ order: [] }) });
  });

  test("reads the settings of the client", () => {
    server.handle({
      "tools/rank": (_params, context) => {
        expectTypeOf(clientSettings(rankExtension, context)?.locale).toEqualTypeOf<string | undefined>();
        return { order: [] };
      },
    });
    withSettings(rankExtension, { maxItems: 5 });
    // @ts-expect-error the type of a setting
    withSettings(rankExtension, { maxItems: "5" });
    // @ts-expect-error no such setting
    withSettings(rankExtension, { maxItem: 5 });
    const typed = new Server(serverInfo, { ...toolServer, extensions: [withSettings(rankExtension, { maxItems: 5 })] });
    typed.handle({ "tools/rank": ({ query }) => ({ order: [query] }) });
  });
});

describe("a client with an extension", () => {
  const client = new Client(clientInfo, { extensions: [rankExtension] });

  test("sends the methods of the extension and of the protocol", () => {
    expectTypeOf(() => client.request("tools/rank", { query: "a" })).returns.resolves.toEqualTypeOf<RankResult>();
    expectTypeOf(() => client.request("tools/list")).returns.resolves.toEqualTypeOf<ListToolsResult>();
    expectTypeOf(() =>
      client.request("tools/list", { cursor: "a" }, { timeoutMs: 1 }),
    ).returns.resolves.toEqualTypeOf<ListToolsResult>();
    // @ts-expect-error no such method
    const wrongMethod = (): unknown => client.request("tools/rnk", { query: "a" });
    // @ts-expect-error params of another type
    const wrongParams = (): unknown => client.request("tools/rank", { query: 1 });
    // @ts-expect-error the params are required
    const noParams = (): unknown => client.request("tools/rank");
    expectTypeOf([wrongMethod, wrongParams, noParams]).toExtend<unknown>();
  });

  test("gets the results that the extension adds", () => {
    expectTypeOf(() => client.callTool({ name: "t" })).returns.resolves.toEqualTypeOf<
      Exclude<CallToolOutcome, { resultType: "input_required" }> | RankedResult
    >();
    const place = async (): Promise<number | undefined> => {
      const called = await client.callTool({ name: "t" });
      return called.resultType === "ranked" ? called.place : called.content.length;
    };
    expectTypeOf(place).returns.resolves.toEqualTypeOf<number | undefined>();
    expectTypeOf(() => client.request("tools/call", { name: "t" }))
      .returns.resolves.extract<RankedResult>()
      .toEqualTypeOf<RankedResult>();
    const plain = new Client(clientInfo);
    expectTypeOf(() => plain.callTool({ name: "t" })).returns.resolves.toEqualTypeOf<CallToolResult>();
    expectTypeOf(() => plain.request("tools/call", { name: "t" })).returns.resolves.toEqualTypeOf<
      Exclude<CallToolOutcome, { resultType: "input_required" }>
    >();
  });

  test("has no tasks in the results of calls", () => {
    const client = new Client(clientInfo, { extensions: [tasks()] });
    expectTypeOf(() => client.callTool({ name: "t" })).returns.resolves.toEqualTypeOf<CallToolResult>();
    expectTypeOf(() => client.request("tasks/get", { taskId: "1" })).returns.resolves.toEqualTypeOf<GetTaskResult>();
  });

  test("handles its notifications", () => {
    client.setNotificationHandler("notifications/rank", ({ query }) => {
      expectTypeOf(query).toEqualTypeOf<string>();
    });
    client.setNotificationHandler("notifications/message", ({ level }) => level.length);
    // @ts-expect-error a notification of clients
    client.setNotificationHandler("notifications/rank/used", () => undefined);
  });

  test("reads the settings of the server", () => {
    expectTypeOf(() => serverSettings(rankExtension, client)?.maxItems).returns.toEqualTypeOf<number | undefined>();
  });
});

describe("revisions", () => {
  test("of a user bring their methods, and the first revision that has a method brings its types", () => {
    const server = new Server(serverInfo, { ...toolServer, revisions: [mine, ...serverSides], conversions });
    server.handle({
      "greetings/greet": ({ whom }, context) => {
        expectTypeOf(whom).toEqualTypeOf<string>();
        void context.notify("notifications/greeted");
        void context.notify("notifications/greeted", { whom });
        return { words: whom };
      },
      "tools/list": () => ({ tools: [{ name: "tea", price: 3 }] }),
      "tools/call": () => ({ content: [] }),
      "notifications/left": ({ whom }) => whom.length,
    });
    // @ts-expect-error the price is required
    server.handle({ "tools/list": () => ({ tools: [{ name: "tea" }] }) });
    const only = new Server(serverInfo, { capabilities: { prompts: {} }, revisions: [mine] });
    // @ts-expect-error a method of other revisions
    only.handle({ "prompts/list": () => ({ prompts: [] }) });
  });

  test("that are older bring their params", () => {
    const server = new Server(serverInfo, { ...toolServer, revisions: [r2025.serverSide], conversions });
    server.handle({
      "tools/call": ({ task }) => {
        expectTypeOf(task?.ttl).toEqualTypeOf<number | undefined>();
        return { content: [] };
      },
    });
    const both = new Server(serverInfo, {
      capabilities: { tools: {}, ...{ tasks: { list: {} } } },
      revisions: [r2026.serverSide, r2025.serverSide],
    });
    both.handle({
      "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }),
      "tasks/list": () => ({ tasks: [] }),
    });
    // @ts-expect-error the newer revision has no such member
    both.handle({ "tools/call": ({ task }) => ({ content: [], _meta: { task } }) });
  });

  test("and extensions together need no type argument", () => {
    const server = new McpServer(serverInfo, {
      ...toolServer,
      revisions: [mine, ...serverSides],
      conversions,
      extensions,
    });
    server.server.handle({
      "greetings/greet": ({ whom }) => ({ words: whom }),
      "tools/rank": async ({ query }, context) => {
        await context.notify("notifications/rank", { query });
        await context.notify("notifications/greeted", { whom: query });
        return { order: [query] };
      },
      "tools/call": ({ name }) => (name === "t" ? { content: [] } : { resultType: "ranked", place: 1 }),
      "notifications/left": ({ whom }) => whom.length,
    });
    const client = new Client(clientInfo, { revisions: [mineOfClients, ...clientSides], conversions, extensions });
    expectTypeOf(() => client.request("greetings/greet", { whom: "a" })).returns.resolves.toEqualTypeOf<{
      words: string;
    }>();
    expectTypeOf(() => client.request("tools/rank", { query: "a" })).returns.resolves.toEqualTypeOf<RankResult>();
    client.setNotificationHandler("notifications/greeted", (params) => params?.whom.length);
    client.setNotificationHandler("notifications/rank", ({ query }) => query.length);
    // @ts-expect-error the type of another message
    client.setNotificationHandler("notifications/rank", ({ whom }) => whom);
  });

  test("of a client bring their methods; results have the types of this package", () => {
    const client = new Client(clientInfo, { revisions: [r2025.clientSide], extensions });
    expectTypeOf(() => client.request("tools/call", { name: "t", task: { ttl: 1 } }))
      .returns.resolves.extract<RankedResult>()
      .toEqualTypeOf<RankedResult>();
    expectTypeOf(() => client.request("tasks/list")).returns.resolves.toEqualTypeOf<r2025.ListTasksResult>();
    expectTypeOf(() => client.request("tools/list")).returns.resolves.toEqualTypeOf<ListToolsResult>();
    // @ts-expect-error a method of another revision
    expectTypeOf(() => client.request("server/discover"));
  });

  test("without types are those of this package", () => {
    const untyped: readonly Side[] = serverSides;
    const server = new Server(serverInfo, { ...toolServer, revisions: untyped });
    server.handle({
      "tools/list": (_params, context) => (expectTypeOf(context).toEqualTypeOf<ServerContext>(), { tools: [] }),
    });
    expectTypeOf(server).toEqualTypeOf<Server<readonly Side[]>>();
  });
});
