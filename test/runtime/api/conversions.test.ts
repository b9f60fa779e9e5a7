import { conversionsOf } from "@mcpwright/protocol/convert";
import { down, up } from "@mcpwright/protocol/2026-07-28/conversions";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { expect, test } from "vitest";
import type { Client } from "../../../runtime/src/client.js";
import { Client as CoreClient } from "../../../runtime/src/client/core.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { McpServer as CoreMcpServer } from "../../../runtime/src/server/core.js";
import { connect, info, type Pair, type Revision, revisions } from "./pair.js";

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
const audioText = { type: "text", text: "[audio, audio/wav]" };

test.each<[Revision, Content]>([
  ["2024-11-05", [audioText, linkText]],
  ["2025-03-26", [audio, linkText]],
  ["2025-06-18", [audio, link]],
  ["2025-11-25", [audio, link]],
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
  ["several revisions and conversions", serverSides, conversionsOf([up, down]), []],
  ["that of the types alone", serverSides.slice(0, 1), undefined, []],
])("%s: missing conversions are reported", (_, sides, conversions, told) => {
  const reports: string[] = [];
  const options = { ...(conversions && { conversions }), onerror: ({ message }: Error) => void reports.push(message) };
  new CoreMcpServer(info, { ...options, revisions: sides });
  const ids = sides.map(({ revision }) => revision);
  new CoreClient(info, { ...options, revisions: clientSides.filter(({ revision }) => ids.includes(revision)) });
  expect(reports).toEqual([...told, ...told].map((pattern) => expect.stringMatching(pattern) as string));
});
