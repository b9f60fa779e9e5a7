import { conversions } from "@mcpwright/protocol/conversions";
import { conversionsOf } from "@mcpwright/protocol/convert";
import { down, up } from "@mcpwright/protocol/2026-07-28/conversions";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { serverSides } from "@mcpwright/protocol/server-sides";
import type { ConversionRows } from "@mcpwright/protocol/contract";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../runtime/src/client.js";
import { Client as CoreClient } from "../../../runtime/src/client/core.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { McpServer as CoreMcpServer } from "../../../runtime/src/server/core.js";
import { R5, serverSide } from "../connection/connection-ends.js";
import { Wire } from "../connection/wire.js";
import { connect, info, type Pair, type Revision, revisions, text } from "./pair.js";

type Content = { readonly type: string; readonly [member: string]: unknown }[];

/** A server with features that only the newest revision has. */
function richServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool(
    "rich",
    {
      title: "Rich",
      inputSchema: {
        jsonSchema: { type: "object", properties: { any: true } },
        validate: (value: unknown) => ({ value: value as object }),
      },
      outputSchema: {
        jsonSchema: { type: "array", items: { type: "number" } },
        validate: (value: unknown) => ({ value: value as object }),
      },
    },
    () => ({
      content: [
        { type: "audio", data: "AA==", mimeType: "audio/wav" },
        { type: "resource_link", name: "More", uri: "doc:///more" },
      ],
      structuredContent: [1, 2],
    }),
  );
  server.registerTool("object", {}, () => ({ content: [], structuredContent: { a: 1 } }));
  return server;
}

function opened(revision: Revision, server = richServer(), prepare?: (client: Client) => void): Promise<Pair> {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
  return connect(server, revision, { capabilities }, prepare);
}

/** The last result as sent over the wire. */
function lastResult(wire: Pair["wire"]): Record<string, unknown> | undefined {
  return wire.findLast(({ direction, result }) => direction === "in" && result)?.result;
}

const link = { type: "resource_link", name: "More", uri: "doc:///more" };
const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const linkText = { type: "text", text: "More: doc:///more" };
/** Structured content that the revision cannot express. */
const listText = { type: "text", text: "[1,2]" };
const audioText = { type: "text", text: "[audio, audio/wav]" };

test.each<[Revision, Content]>([
  ["2024-11-05", [audioText, linkText, listText]],
  ["2025-03-26", [audio, linkText, listText]],
  ["2025-06-18", [audio, link, listText]],
  ["2025-11-25", [audio, link, listText]],
  ["2026-07-28", [audio, link]],
])("%s: a client receives the parts of a tool result that its revision has", async (revision, content) => {
  const { client, wire } = await opened(revision);
  await client.callTool({ name: "rich" });
  expect(lastResult(wire)).toMatchObject({ content });
  expect(lastResult(wire)?.["structuredContent"]).toEqual(revision === "2026-07-28" ? [1, 2] : undefined);
  await client.callTool({ name: "object" });
  const known = revision >= "2025-06-18";
  expect(lastResult(wire)?.["structuredContent"]).toEqual(known ? { a: 1 } : undefined);
});

test.each(revisions)("%s: a client receives the members of a tool that its revision has", async (revision) => {
  const { client, wire } = await opened(revision);
  await client.listTools();
  const [rich] = lastResult(wire)?.["tools"] as [Record<string, unknown>];
  const newest = revision === "2026-07-28";
  expect(rich["inputSchema"]).toEqual({ type: "object", properties: { any: newest ? true : {} } });
  expect(rich["outputSchema"]).toEqual(newest ? { type: "array", items: { type: "number" } } : undefined);
  expect(rich["annotations"]).toEqual(revision < "2025-06-18" ? { title: "Rich" } : undefined);
});

test.each(revisions)("%s: results of the client have the newest types", async (revision) => {
  const { client } = await opened(revision);
  expect(await client.listTools()).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
  expect(await client.callTool({ name: "object" })).toMatchObject({ resultType: "complete" });
});

test("a form with titled choices is sent in the form of the client's revision", async () => {
  const server = richServer();
  server.registerTool("ask", {}, async (context) => {
    const choice = { type: "string" as const, oneOf: [{ const: "r", title: "Red" }] };
    const { content } = await context.elicit("color", {
      message: "?",
      requestedSchema: { type: "object", properties: { choice } },
    });
    return { content: [{ type: "text", text: JSON.stringify(content) }] };
  });
  const { client, wire } = await opened("2025-06-18", server);
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { choice: "r" } }));
  expect((await client.callTool({ name: "ask" })).content).toEqual([{ type: "text", text: '{"choice":"r"}' }]);
  const asked = wire.find(({ method }) => method === "elicitation/create");
  expect(asked?.params?.["requestedSchema"]).toEqual({
    type: "object",
    properties: { choice: { type: "string", enum: ["r"], enumNames: ["Red"] } },
  });
});

test("an input request that the client's revision lacks fails the tool with a remedy", async () => {
  const server = richServer();
  server.registerTool("sample", {}, async (context) => {
    const block = { type: "text" as const, text: "a" };
    await context.sample("s", { messages: [{ role: "user", content: [block, block] }], maxTokens: 1 });
    return { content: [] };
  });
  const { client, wire } = await opened("2025-06-18", server);
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    content: { type: "text", text: "" },
    model: "m",
  }));
  expect(await client.callTool({ name: "sample" })).toMatchObject({
    isError: true,
    content: [
      {
        text: "sampling/createMessage: params.messages[0].content of 2025-11-25 cannot be converted to 2025-06-18. Use one content block per message.",
      },
    ],
  });
  expect(wire.filter(({ method }) => method === "sampling/createMessage")).toEqual([]);
});

test("core: an input request without conversions is checked against the client's revision", async () => {
  const server = new CoreMcpServer(info, {
    revisions: serverSides.filter(({ revision }) => revision === "2025-06-18"),
    onerror: () => undefined,
  });
  server.registerTool("sample", {}, async (context) => {
    const block = { type: "text" as const, text: "a" };
    await context.sample("s", { messages: [{ role: "user", content: [block] }], maxTokens: 1 });
    return { content: [] };
  });
  const { client, wire } = await connect(server, "2025-06-18", { capabilities: { sampling: {} } });
  expect(await client.callTool({ name: "sample" })).toMatchObject({
    isError: true,
    content: [
      { text: "sampling/createMessage: content must be a single block: this revision does not support arrays" },
    ],
  });
  expect(wire.filter(({ method }) => method === "sampling/createMessage")).toEqual([]);
});

test("core: only the passed conversion steps convert", async () => {
  const ofRevision = <One extends { readonly revision: string }>(sides: readonly One[]): One[] =>
    sides.filter(({ revision }) => revision === "2025-11-25");
  const found: unknown[] = [];
  for (const options of [{ conversions: conversionsOf([up, down]) }, {}]) {
    const server = new CoreMcpServer(info, { revisions: ofRevision(serverSides), ...options });
    server.registerTool("list", {}, () => ({ structuredContent: [1] }));
    const client = new CoreClient(info, { revisions: ofRevision(clientSides), ...options });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    found.push(await client.listTools());
    await client.close();
    await server.close(0);
  }
  expect(found).toEqual([
    expect.objectContaining({ resultType: "complete", ttlMs: 0 }),
    expect.not.objectContaining({ resultType: "complete" }),
  ]);
});

test.each([
  ["several revisions", serverSides, undefined, [/^revisions: messages of 2025-11-25, .*pass the option conversions$/]],
  [
    "several revisions and the steps of one",
    serverSides,
    conversionsOf([up, down]),
    [
      /^revisions: messages of 2025-06-18, 2025-03-26, 2024-11-05 .*add the steps between them to the option conversions$/,
    ],
  ],
  ["several revisions and all conversions", serverSides, conversions, []],
  ["that of the types alone", serverSides.slice(0, 1), undefined, []],
])("%s: missing conversions are reported", (_, sides, given, told) => {
  const reports: string[] = [];
  const options = { ...(given && { conversions: given }), onerror: ({ message }: Error) => void reports.push(message) };
  new CoreMcpServer(info, { ...options, revisions: sides });
  const ids = sides.map(({ revision }) => revision);
  new CoreClient(info, { ...options, revisions: clientSides.filter(({ revision }) => ids.includes(revision)) });
  expect(reports).toEqual([...told, ...told].map((pattern) => expect.stringMatching(pattern) as string));
});

describe("a revision that is newer than that of the types", () => {
  const newer = "2099-01-01";
  const newest = serverSide(R5);
  const side = { ...newest, revision: newer };
  const none = { params: {}, results: {}, notifications: {} };
  type Members = Record<string, unknown>;

  async function asked(method: string, results: ConversionRows["results"], params: ConversionRows["params"] = {}) {
    const step = { from: "2026-07-28", to: newer, client: { ...none, results }, server: { ...none, params } };
    const problems: Error[] = [];
    const server = new CoreMcpServer(info, {
      revisions: [newest, side],
      conversions: conversionsOf([step]),
      onerror: (error) => problems.push(error),
    });
    server.registerTool("t", {}, async (context) => text((await context.elicit("q", form)).action));
    const wire = new Wire();
    await server.connect(wire);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": newer,
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    return { answer: await wire.ask(1, method, { name: "t", _meta }), problems };
  }
  const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
  const priced = (result: unknown): unknown => {
    const { tools } = result as { tools: Members[] };
    return { ...(result as Members), tools: tools.map((tool) => ({ ...tool, price: 0 })) };
  };

  test("receives converted results", async () => {
    const { answer, problems } = await asked("tools/list", { "tools/list": priced });
    expect(answer.result).toMatchObject({ resultType: "complete", ttlMs: 0, tools: [{ name: "t", price: 0 }] });
    expect(problems).toEqual([]);
  });

  test("receives an error instead of a result that cannot be converted, with a report", async () => {
    const { answer, problems } = await asked("tools/list", { "tools/list": "state how" });
    expect(answer.error?.code).toBe(-32603);
    expect(problems).toMatchObject([
      { code: "INVALID_RESULT", message: expect.stringContaining("state how") as string },
    ]);
  });

  test("receives converted questions", async () => {
    const urgent = (params: unknown): unknown => ({ ...(params as Members), urgency: 1 });
    const { answer } = await asked("tools/call", {}, { "elicitation/create": urgent });
    expect(answer.result).toMatchObject({ inputRequests: { q: { params: { message: "?", urgency: 1 } } } });
  });
});
