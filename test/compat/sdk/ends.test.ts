import { Client as OriginalClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OriginalTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as OriginalServer } from "@modelcontextprotocol/sdk/server/index.js";
import * as originalTypes from "@modelcontextprotocol/sdk/types.js";
import { Client as OwnClient } from "@mcpwright/compat/sdk/client/index.js";
import { InMemoryTransport as OwnTransport } from "@mcpwright/compat/sdk/inMemory.js";
import { Server as OwnServer } from "@mcpwright/compat/sdk/server/index.js";
import * as ownTypes from "@mcpwright/compat/sdk/types.js";
import { expect, test } from "vitest";

const original = {
  Client: OriginalClient,
  InMemoryTransport: OriginalTransport,
  Server: OriginalServer,
  types: originalTypes,
};
type Sdk = typeof original;
const own = {
  Client: OwnClient,
  InMemoryTransport: OwnTransport,
  Server: OwnServer,
  types: ownTypes,
} as unknown as Sdk;

const info = { name: "example", version: "1.0.0" };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    const { name, message, code, data } = error as Error & { code?: unknown; data?: unknown };
    return { name, className: (error as object).constructor.name, message, code, data };
  }
}

/** A client that is connected to a server whose only tool calls `handler`. */
async function connected(
  { Client, InMemoryTransport, Server, types }: Sdk,
  handler: Parameters<InstanceType<typeof OriginalServer>["setRequestHandler"]>[1],
) {
  const server = new Server(info, { capabilities: { tools: {}, logging: {} } });
  const client = new Client(info);
  server.setRequestHandler(types.CallToolRequestSchema, handler as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return { server, client };
}

const log = { method: "notifications/message", params: { level: "info", data: "late" } } as const;

/** What a program sees, with each SDK. */
const cases: Readonly<Record<string, (sdk: Sdk) => Promise<unknown>>> = {
  "a client is closed during the handshake": async ({ Client, InMemoryTransport }) => {
    const client = new Client(info);
    let closed = 0;
    client.onclose = () => closed++;
    const [near] = InMemoryTransport.createLinkedPair();
    const problem = problemOf(client.connect(near));
    await pause(5);
    await client.close();
    return [await problem, closed > 0, client.transport === undefined];
  },
  "a handshake fails": async ({ Client }) => {
    const client = new Client(info);
    const seen: string[] = [];
    client.onclose = () => seen.push("closed");
    const transport = {
      onclose: undefined as (() => void) | undefined,
      start: () => Promise.resolve(),
      send: () => Promise.reject(new Error("the line is dead")),
      close: () => Promise.resolve(transport.onclose?.()),
    };
    return [await problemOf(client.connect(transport)), seen];
  },
  "a handshake takes too long": async ({ Client, InMemoryTransport }) => {
    const [near] = InMemoryTransport.createLinkedPair();
    return problemOf(new Client(info).connect(near, { timeout: 10 }));
  },
  "a handler goes on after the connection has ended": async (sdk) => {
    const { types } = sdk;
    let outcome: unknown;
    const { client, server } = await connected(sdk, async (_request, extra) => {
      await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
      const notified = await problemOf(extra.sendNotification(log));
      outcome = [notified, await problemOf(extra.sendRequest({ method: "ping" }, types.EmptyResultSchema))];
      return { content: [] };
    });
    const call = problemOf(client.callTool({ name: "any" }));
    await pause(5);
    await server.close();
    await pause(5);
    return [outcome, await call];
  },
  "a handler goes on after its request was cancelled": async (sdk) => {
    const { types } = sdk;
    let outcome: unknown;
    const received: unknown[] = [];
    const { client } = await connected(sdk, async (_request, extra) => {
      await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
      const notified = await problemOf(extra.sendNotification(log));
      outcome = [notified, await problemOf(extra.sendRequest({ method: "ping" }, types.EmptyResultSchema))];
      return { content: [] };
    });
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void received.push(params));
    const controller = new AbortController();
    const call = problemOf(client.callTool({ name: "any" }, undefined, { signal: controller.signal }));
    await pause(5);
    controller.abort("not needed");
    await pause(5);
    return [outcome, await call, received];
  },
  "progress restarts a timeout, but not that of the whole request": async (sdk) => {
    const { client } = await connected(sdk, async (_request, { _meta, sendNotification, signal }) => {
      for (let progress = 1; !signal.aborted; progress++) {
        await sendNotification({
          method: "notifications/progress",
          params: { progress, progressToken: _meta?.progressToken ?? 0 },
        });
        await pause(10);
      }
      return { content: [] };
    });
    const options = { timeout: 60, maxTotalTimeout: 150, resetTimeoutOnProgress: true, onprogress: () => undefined };
    const problem = (await problemOf(client.callTool({ name: "any" }, undefined, options))) as { data: object };
    return { ...problem, data: { ...problem.data, totalElapsed: 0 } };
  },
  "each side describes the other after the end": async (sdk) => {
    const { client, server } = await connected(sdk, () => ({ content: [] }));
    await client.close();
    const ofServer = [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions()];
    return [ofServer, server.getClientVersion(), server.getClientCapabilities()];
  },
  "a connection ends before a debounced notification is sent": async ({ InMemoryTransport, Server }) => {
    const debouncedNotificationMethods = ["notifications/tools/list_changed"];
    const server = new Server(info, { capabilities: { tools: {} }, debouncedNotificationMethods });
    await server.connect(InMemoryTransport.createLinkedPair()[0]);
    const sent = problemOf(server.sendToolListChanged());
    await server.close();
    return sent;
  },
  "fallback handlers are replaced and removed": async ({ InMemoryTransport, Server }) => {
    const server = new Server(info);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const seen: unknown[] = [];
    const responses: unknown[] = [];
    near.onmessage = (message) => {
      if ("id" in message && message.id !== 0) responses.push(message);
    };
    await near.start();
    await server.connect(far);
    const clientInfo = info;
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await near.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello });
    await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const handlers = ["first", "second", undefined];
    for (const [at, name] of handlers.entries()) {
      const onRequest: typeof server.fallbackRequestHandler = ({ method, params }, { requestId, _meta }) =>
        Promise.resolve({ name, method, params, requestId, _meta });
      const onNotification: typeof server.fallbackNotificationHandler = ({ method }) =>
        Promise.resolve(void seen.push([name, method]));
      Object.assign(server, {
        fallbackRequestHandler: name && onRequest,
        fallbackNotificationHandler: name && onNotification,
      });
      await near.send({ jsonrpc: "2.0", id: `${at} a`, method: "example/one", params: { a: 1, _meta: { b: 2 } } });
      await near.send({ jsonrpc: "2.0", id: `${at} b`, method: "mcpwright/fallback" });
      await near.send({ jsonrpc: "2.0", method: "example/happened" });
      await near.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      await pause(5);
    }
    return [seen, responses];
  },
};

test.each(Object.entries(cases))("%s, as in the official SDK", async (_title, run) => {
  expect(await run(own)).toEqual(await run(original));
});
