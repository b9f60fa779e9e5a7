import { Client as OriginalClient } from "@modelcontextprotocol/client";
import * as originalServer from "@modelcontextprotocol/server";
import { Client as OwnClient } from "@mcpwright/compat/client";
import * as ownServer from "@mcpwright/compat/server";
import { expect, test } from "vitest";
import * as z from "zod";

const original = { Client: OriginalClient, ...originalServer };
type Sdk = typeof original;
const own = { Client: OwnClient, ...ownServer } as unknown as Sdk;

const info = { name: "example", version: "1.0.0" };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const anything = { params: z.looseObject({}) };

async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    const { name, message, code, data } = error as Error & { code?: unknown; data?: unknown };
    return { name, className: (error as object).constructor.name, message, code, data };
  }
}

/** A server after the handshake with a client that writes raw messages, and the responses to it. */
async function served({ InMemoryTransport, Server }: Sdk, prepare: (server: originalServer.Server) => void) {
  const server = new Server(info, { capabilities: { tools: {} } });
  prepare(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const responses: unknown[] = [];
  near.onmessage = (message) => {
    if (!("method" in message) && message.id !== 0) responses.push({ ...message });
  };
  await near.start();
  await server.connect(far);
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
  await near.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello });
  await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { server, near, responses };
}

function linked({ Client, InMemoryTransport, Server }: Sdk) {
  const server = new Server(info, { capabilities: { tools: {} } });
  const client = new Client(info, { capabilities: { roots: {} } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  return { server, client, connect: () => Promise.all([server.connect(far), client.connect(near)]) };
}

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
    return [await problem, closed, client.transport === undefined];
  },
  "a request of a server is aborted": async (sdk) => {
    const { client, server, connect } = linked(sdk);
    client.setRequestHandler("roots/list", () => new Promise(() => undefined));
    await connect();
    const before = await problemOf(server.listRoots(undefined, { signal: AbortSignal.abort("early") }));
    const controller = new AbortController();
    const during = problemOf(server.listRoots(undefined, { signal: controller.signal }));
    await pause(5);
    controller.abort(new Error("late"));
    const { signal } = new AbortController();
    return [before, await during, await problemOf(server.listRoots(undefined, { signal, timeout: 10 }))];
  },
  "a connection ends while requests are open": async (sdk) => {
    const { client, server, connect } = linked(sdk);
    client.setRequestHandler("roots/list", () => new Promise(() => undefined));
    await connect();
    const open = problemOf(server.listRoots());
    await pause(5);
    await server.close();
    const versions = [client.getServerVersion(), client.getServerCapabilities(), server.getClientVersion()];
    return [await open, await problemOf(server.listRoots()), await problemOf(server.sendToolListChanged()), versions];
  },
  "a transport fails to send": async (sdk) => {
    const { server, near } = await served(sdk, () => undefined);
    const problems: string[] = [];
    server.onerror = ({ message }) => problems.push(message);
    if (server.transport) server.transport.send = () => Promise.reject(new Error("the line is dead"));
    await near.send({ jsonrpc: "2.0", id: 1, method: "example/unknown" });
    await pause(5);
    const isReported = problems.every((problem) => problem.includes("the line is dead")) && problems.length > 0;
    return [isReported, await problemOf(server.ping()), await problemOf(server.sendToolListChanged())];
  },
  "fallback handlers are replaced and removed": async (sdk) => {
    const seen: unknown[] = [];
    const { server, near, responses } = await served(sdk, (one) => {
      one.fallbackRequestHandler = () => Promise.resolve({ name: "before" });
    });
    for (const [at, name] of ["first", "second", undefined].entries()) {
      Object.assign(server, {
        fallbackRequestHandler: name
          ? ({ method, params }: { method: string; params?: object }, ctx: originalServer.ServerContext) =>
              Promise.resolve({ name, method, params, of: ctx.mcpReq.method, _meta: ctx.mcpReq._meta })
          : undefined,
        fallbackNotificationHandler: name
          ? ({ method }: { method: string }) => Promise.resolve(void seen.push([name, method]))
          : undefined,
      });
      await near.send({ jsonrpc: "2.0", id: `${at} a`, method: "example/one", params: { a: 1, _meta: { b: 2 } } });
      await near.send({ jsonrpc: "2.0", id: `${at} b`, method: "mcpwright/fallback" });
      await near.send({ jsonrpc: "2.0", id: `${at} c`, method: "__proto__" });
      await near.send({ jsonrpc: "2.0", method: "example/happened" });
      await near.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      await pause(5);
    }
    return [seen, responses];
  },
  "handlers give way to fallback handlers": async (sdk) => {
    const seen: string[] = [];
    const { server, near, responses } = await served(sdk, () => undefined);
    server.fallbackRequestHandler = () => Promise.resolve({ by: "fallback" });
    server.fallbackNotificationHandler = () => Promise.resolve(void seen.push("fallback"));
    for (const round of [1, 2]) {
      server.setRequestHandler("example/one", anything, () => ({ by: round }));
      server.setNotificationHandler("example/happened", anything, () => void seen.push(`handler ${round}`));
      for (const state of ["set", "removed"]) {
        await near.send({ jsonrpc: "2.0", id: `${round} ${state}`, method: "example/one" });
        await near.send({ jsonrpc: "2.0", method: "example/happened" });
        await pause(5);
        server.removeRequestHandler("example/one");
        server.removeNotificationHandler("example/happened");
      }
    }
    return [seen, responses];
  },
  "a client's fallback handler is cancelled": async (sdk) => {
    const { client, server, connect } = linked(sdk);
    const seen: string[] = [];
    client.fallbackRequestHandler = (_request, { mcpReq: { signal } }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          seen.push("aborted");
          resolve({});
        });
      });
    client.onerror = ({ message }) => seen.push(message);
    await connect();
    const ask = (timeout: number) =>
      problemOf(server.request({ method: "example/one" }, z.looseObject({}), { timeout }));
    const first = await ask(10);
    const second = ask(1_000);
    await pause(5);
    await client.close();
    return [first, await second, seen];
  },
};

test.each(Object.entries(cases))("%s, as in the official SDK", async (_title, run) => {
  expect(await run(own)).toEqual(await run(original));
});
