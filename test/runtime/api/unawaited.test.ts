/** Promises of the runtime that the user does not await cannot end the process. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer, sampleWithTools, type ServerContext } from "../../../runtime/src/server.js";
import { connect, eras, info, type Pair, type Revision, revisions, settled, text } from "./pair.js";

const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const prompt = { messages: [{ role: "user" as const, content: { type: "text" as const, text: "hi" } }], maxTokens: 5 };
const capabilities = { elicitation: {}, sampling: { tools: {} }, roots: {} };
const circular: Record<string, unknown> = {};
circular["self"] = circular;

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", collect);
});

afterEach(async () => {
  await settled();
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

/** Calls a tool that never ends, and runs `act` in it. */
async function inTool(
  revision: Revision,
  act: (context: ServerContext) => unknown,
): Promise<Pair & { server: McpServer }> {
  const server = new McpServer(info, { capabilities: { logging: {} }, onerror: () => undefined });
  let entered = (): void => undefined;
  const running = new Promise<void>((resolve) => (entered = resolve));
  server.registerTool("t", {}, async (context) => {
    const result = act(context);
    entered();
    await result;
    return text("done");
  });
  const pair = await connect(server, revision, { capabilities }, (client) => {
    for (const method of ["elicitation/create", "sampling/createMessage"] as const)
      client.setRequestHandler(method, () => new Promise<never>(() => undefined));
  });
  pair.client.callTool({ name: "t" }).catch(() => undefined);
  await running;
  await settled();
  return { ...pair, server };
}

describe.each(revisions)("%s: in a tool, when the client leaves", (revision) => {
  const questions = eras.includes(revision as never) || revision === "2025-06-18";
  test.runIf(questions)("two questions that are awaited one after the other", async () => {
    const { client } = await inTool(revision, async (context) => {
      const first = context.elicit("first", form);
      const second = context.elicit("second", form);
      return [await first, await second];
    });
    await client.close();
  });

  test.runIf(questions)("a question with a signal, and one that is never awaited", async () => {
    const { client } = await inTool(revision, (context) => {
      void context.elicit("first", form);
      void context.elicit("second", form, { signal: new AbortController().signal });
      return settled().then(settled);
    });
    await client.close();
  });

  test("samples, roots, and a loop of samples", async () => {
    const { client } = await inTool(revision, async (context) => {
      const all = [context.sample("a", prompt), context.listRoots("b"), sampleWithTools(context, "c", prompt, [])];
      for (const one of all) await one;
    });
    await client.close();
  });

  test("requests and notifications of the connection", async () => {
    const { client } = await inTool(revision, ({ connection }) => {
      void connection.request("ping", undefined);
      void connection.request("roots/list", undefined);
      void connection.request("no/method", undefined);
      void connection.notify("notifications/message", circular);
      return settled();
    });
    await client.close();
  });
});

describe.each(eras)("%s: on the server", (revision) => {
  test("a notification that cannot be serialized, which is reported", async () => {
    const reported: unknown[] = [];
    const server = new McpServer(info, { onerror: (error) => reported.push(error) });
    server.registerTool("t", {}, (context) => {
      void context.notify("notifications/message", { level: "info", data: 1n });
      return text("done");
    });
    const { client } = await connect(server, revision);
    expect(await client.callTool({ name: "t" })).toMatchObject(text("done"));
    await settled();
    expect(reported).toEqual([expect.any(TypeError)]);
  });

  test("connect, close and shutdown over a transport that fails", async () => {
    const server = new McpServer(info, { onerror: () => undefined });
    const [, end] = InMemoryTransport.createLinkedPair();
    await server.connect(end);
    void server.connect(end);
    end.close = () => Promise.reject(new Error("cannot close"));
    const [connection] = server.server.connections;
    void connection?.close();
    void connection?.shutdown(0);
    void server.close(0);
    await settled();
  });
});

describe.each(revisions)("%s: on the client", (revision) => {
  const calls = (client: Client): unknown => [
    client.callTool({ name: "t" }),
    client.listTools(),
    client.getPrompt({ name: "p" }),
    client.listPrompts(),
    client.readResource({ uri: "a:b" }),
    client.listResources(),
    client.listResourceTemplates(),
    client.complete({ ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }),
    client.subscribeResource({ uri: "a:b" }, () => undefined),
    client.unsubscribeResource({ uri: "a:b" }),
    client.setLoggingLevel("info"),
    client.ping(),
    client.isAlive(),
  ];

  test("calls without a connection, and a second connect", async () => {
    const client = new Client(info);
    calls(client);
    await settled();
    const connected = await connect(new McpServer(info), revision);
    void connected.client.connect(InMemoryTransport.createLinkedPair()[0]);
    await settled();
  });

  test("calls while the connection ends, and after", async () => {
    const server = new McpServer(info);
    const never = (): Promise<never> => new Promise(() => undefined);
    server.registerTool("t", {}, never);
    server.registerPrompt("p", { complete: { a: never } }, never);
    server.registerResource("r", "a:b", {}, never);
    const { client, connection } = await connect(server, revision);
    calls(client);
    const open = client.connection;
    void open.request("tools/call", { name: "t" });
    await settled();
    await connection.close();
    calls(client);
    void open.request("tools/call", { name: "t" });
    void open.notify("notifications/progress", {});
    await settled();
  });

  test("connect to a server that leaves", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client(info);
    void client.connect(near);
    void client.close();
    await far.close();
    await settled();
  });
});
