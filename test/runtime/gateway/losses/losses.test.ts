/** Losses of a gateway are found where they happen, and reported once. */
import { expect, onTestFinished, test } from "vitest";
import type { Client, ClientOptions } from "../../../../runtime/src/client.js";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayServer,
  tasksThrough,
} from "../../../../runtime/src/gateway.js";
import { conversionLosses, type GatewayLoss } from "../../../../runtime/src/gateway/losses.js";
import { clientOf, errorOf, type Revision, revisions, settled } from "../../api/pair.js";
import { everything } from "../everything.js";
import { fetchOf, httpTransport } from "../http.js";
import { endOf } from "../in-memory.js";
import { type RawPeer, rawServer, tool } from "../raw-server.js";

interface Told {
  readonly gateway: Gateway;
  readonly entries: { level: string; details: object; message: string }[];
  readonly lines: string[];
  /** `method: kind at` of each loss. */
  readonly found: (server?: string) => string[];
}

function gatewayTo(servers: Record<string, GatewayServer>, more: Partial<GatewayOptions> = {}): Told {
  const entries: Told["entries"] = [];
  const lines: string[] = [];
  const write = (level: string) => (details: object, message: string) => {
    if ("losses" in details) entries.push({ level, details, message });
  };
  const gateway = createGateway({
    servers,
    onerror: () => undefined,
    losses: conversionLosses({ onLosses: (line) => lines.push(line) }),
    logger: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    ...more,
  });
  onTestFinished(() => gateway.close(0));
  const found: Told["found"] = (server) =>
    gateway.losses.filter((one) => one.server === (server ?? one.server)).map(nameOf);
  return { gateway, entries, lines, found };
}

const nameOf = ({ method, kind, at }: GatewayLoss): string => `${method}: ${kind} ${at}`;

async function join(gateway: Gateway, revision: Revision, options: ClientOptions = {}): Promise<Client> {
  const { client } = clientOf(revision, options);
  await client.connect(await endOf(gateway));
  onTestFinished(() => client.close());
  return client;
}

async function joinOverHttp(gateway: Gateway, options: ClientOptions = {}): Promise<Client> {
  const { client } = clientOf("2026-07-28", options);
  await client.connect(httpTransport(fetchOf(gateway).fetch));
  onTestFinished(() => client.close());
  return client;
}

const add = { name: "up_add", arguments: { a: 1, b: 1 } };

test("nothing is lost before a client uses a method whose messages lose something", async () => {
  const { gateway, found, entries } = gatewayTo({ up: { server: everything("2026-07-28").server } });
  const client = await join(gateway, "2025-03-26");
  await client.ping();
  expect(gateway.losses).toEqual([]);
  await client.listTools();
  expect(found()).toEqual([
    "tools/list: drop CacheableResult.ttlMs",
    "tools/list: drop CacheableResult.cacheScope",
    "tools/list: change Tool.outputSchema",
    "tools/list: drop Tool.outputSchema",
  ]);
  expect(gateway.losses[3]).toEqual({
    server: "up",
    from: "2026-07-28",
    to: "2025-03-26",
    direction: "toClient",
    method: "tools/list",
    kind: "drop",
    at: "Tool.outputSchema",
    text: "The schema of structured content.",
  });
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ level: "info", details: { losses: gateway.losses } });
  await client.callTool(add);
  expect(found().slice(4)).toEqual([
    "tools/call: change CallToolResult.structuredContent",
    "tools/call: drop CallToolResult.structuredContent",
    "tools/call: change ResourceLink",
  ]);
});

test("each loss is reported once, for any number of calls, clients and connections", async () => {
  const { gateway, lines } = gatewayTo({ up: { server: everything("2026-07-28").server, isolation: "session" } });
  for (let at = 0; at < 3; at++) {
    const client = await join(gateway, "2025-03-26");
    for (let call = 0; call < 3; call++) {
      await client.callTool(add);
      await client.listTools();
    }
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    'tools/call from server "up" (2026-07-28) to clients of 2025-03-26 loses: ' +
      "CallToolResult.structuredContent (Structured content that is not an object), " +
      "CallToolResult.structuredContent (Structured content; `content` is kept), " +
      "ResourceLink (All members of the link except name and URI, which become a text block)",
  );
  await (await join(gateway, "2025-06-18")).callTool(add);
  expect(lines).toHaveLength(3);
});

test.each(revisions)("a server and a client of %s lose nothing", async (revision) => {
  const { gateway, found } = gatewayTo({ up: { server: everything(revision).server } });
  const client = await join(gateway, revision, { capabilities: { elicitation: {}, sampling: {}, roots: {} } });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "4" },
  }));
  await client.listTools();
  await client.listPrompts();
  await client.listResources();
  await client.listResourceTemplates();
  await client.callTool(add);
  await client.callTool({ name: "up_think" });
  await client.readResource({ uri: "test://one" });
  await client.getPrompt({ name: "up_greet", arguments: { name: "Bo" } });
  // Handshake servers may send more than 100 values, which the authoring revision forbids.
  await client.complete({ ref: { type: "ref/prompt", name: "up_greet" }, argument: { name: "name", value: "" } });
  expect(found().filter((name) => !name.startsWith("completion/complete"))).toEqual([]);
});

test("each server has its own losses, and those of removed servers are gone", async () => {
  const servers = {
    new: { server: everything("2026-07-28").server },
    old: { server: everything("2024-11-05").server },
  };
  const { gateway, found } = gatewayTo(servers);
  const client = await join(gateway, "2024-11-05");
  await client.listTools();
  expect(found("new")).toContain("tools/list: drop Tool.outputSchema");
  expect(found("old")).toEqual([]);
  await gateway.update({ old: servers.old });
  expect(found()).toEqual([]);
});

test("questions lose what the client's revision cannot express, as input rounds and as requests", async () => {
  const { gateway, found } = gatewayTo({
    up: { server: everything("2026-07-28").server },
    handshake: { server: everything("2025-11-25").server },
  });
  const client = await join(gateway, "2025-06-18", { capabilities: { sampling: {} } });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "4" },
  }));
  await client.callTool({ name: "up_think" });
  await client.callTool({ name: "handshake_think" });
  const ofQuestions = (server: string): string[] => found(server).filter((name) => name.startsWith("sampling/"));
  expect(ofQuestions("up")).toContain("sampling/createMessage: change Tool.outputSchema");
  expect(ofQuestions("up")).toContain("sampling/createMessage: refuse ToolUseContent");
  expect(ofQuestions("handshake")).toEqual([
    "sampling/createMessage: refuse CreateMessageRequestParams.tools",
    "sampling/createMessage: refuse ToolUseContent",
    "sampling/createMessage: refuse ToolResultContent",
    "sampling/createMessage: refuse SamplingMessage.content[]",
  ]);
});

test("a question that belongs to no request, for a client without a session", async () => {
  let server: RawPeer | undefined;
  const up = rawServer((message, peer) => {
    server = peer;
    if (message.method === "tools/list") peer.respond(message, { tools: [tool("one")] });
  });
  const { gateway, found, entries } = gatewayTo({ up });
  const client = await joinOverHttp(gateway, { capabilities: { roots: {} } });
  await client.listTools();
  server?.send({ jsonrpc: "2.0", id: 7, method: "roots/list" });
  await settled();
  expect(found()).toEqual(["roots/list: refuse session"]);
  expect(entries[0]).toMatchObject({
    level: "warn",
    message:
      'roots/list from server "up" to clients loses: session (Questions that the server sends while no request is in ' +
      "progress, for clients without a session)",
  });
});

test("the end of a log-in at a URL, for a client whose revision has no notification of it", async () => {
  const { gateway, found } = gatewayTo({
    up: rawServer((message, peer) => {
      if (message.method === "tools/list") peer.respond(message, { tools: [tool("one")] });
      if (message.method !== "tools/call") return;
      peer.send({ jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: "1" } });
      peer.respond(message, { content: [] });
    }),
  });
  const capabilities = { elicitation: { url: {} } };
  const knowing = await join(gateway, "2025-11-25", { capabilities });
  await knowing.callTool({ name: "up_one" });
  expect(found()).toEqual([]);
  const client = await join(gateway, "2026-07-28", { capabilities });
  await client.callTool({ name: "up_one" });
  expect(found()).toEqual(["notifications/elicitation/complete: unsupported notifications/elicitation/complete"]);
});

test("log messages and questions of a shared connection to a server of the handshake era", async () => {
  const { gateway, found } = gatewayTo({ up: { server: everything("2025-11-25").server, isolation: "shared" } });
  const plain = await join(gateway, "2025-11-25");
  await plain.callTool({ name: "up_talk" });
  await settled();
  expect(found()).toEqual(["notifications/message: drop isolation"]);
  const asking = await join(gateway, "2025-11-25", { capabilities: { elicitation: {} } });
  await asking.callTool({ name: "up_add", arguments: { a: 1, b: 2 } });
  expect(found()).toEqual(["notifications/message: drop isolation", "elicitation/create: unsupported isolation"]);
});

test("what a client asks for that the server does not have, and what a server declares that does not pass", async () => {
  const capabilities = {
    resources: {},
    tasks: {},
    experimental: {},
    extensions: { "io.modelcontextprotocol/tasks": {}, "com.example/own": {} },
  };
  const up = rawServer(
    (message, peer) => {
      if (message.method === "resources/list")
        peer.respond(message, { resources: [{ uri: "test://one", name: "one" }] });
      if (message.method === "resources/templates/list") peer.respond(message, { resourceTemplates: [] });
      if (message.method === "resources/read")
        peer.respond(message, { contents: [{ uri: "test://one", text: "first" }] });
    },
    { capabilities },
  );
  const { gateway, found } = gatewayTo({ up }, { extensions: [tasksThrough()] });
  const client = await join(gateway, "2025-11-25");
  await client.setLoggingLevel("debug");
  await client.readResource({ uri: "test://one" });
  await errorOf(client.subscribeResource({ uri: "test://one" }, () => undefined));
  expect(found()).toEqual(
    expect.arrayContaining([
      "initialize: unsupported capabilities.tasks",
      "initialize: unsupported capabilities.experimental",
      "initialize: unsupported capabilities.extensions.com.example/own",
      "notifications/tasks: unsupported notifications/tasks",
      "logging/setLevel: unsupported capabilities.logging",
      "resources/subscribe: unsupported capabilities.resources.subscribe",
    ]),
  );
});

test("a server that declares other capabilities each time does not fill the memory", async () => {
  let round = 0;
  const { gateway } = gatewayTo({
    up: {
      transport: () => {
        const capabilities = Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [`c${round}-${at}-${"x".repeat(1_000)}`, {}]),
        );
        round++;
        return rawServer(() => undefined, { capabilities }).transport?.() as never;
      },
    },
  });
  for (let at = 0; at < 60; at++) {
    const client = await join(gateway, "2025-11-25");
    await client.listTools();
    await client.close();
    await settled();
  }
  expect(round).toBeGreaterThan(50);
  expect(gateway.losses).toHaveLength(1_000);
  expect(Math.max(...gateway.losses.map(({ at }) => at.length))).toBeLessThan(150);
});

test("without the option, nothing is recorded", async () => {
  const gateway = createGateway({ servers: { up: { server: everything("2026-07-28").server } } });
  onTestFinished(() => gateway.close(0));
  const client = await join(gateway, "2024-11-05");
  await client.listTools();
  expect(gateway.losses).toEqual([]);
});
