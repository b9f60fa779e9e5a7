import { findServerIssues } from "@mcpwright/protocol/server-issues";
import { serverSide } from "@mcpwright/protocol/2025-11-25";
import { clientSide } from "@mcpwright/protocol/2025-11-25";
import type { FindIssues } from "@mcpwright/protocol/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { Client as CoreClient } from "../../../runtime/src/client/core.js";
import { explainIssues } from "../../../runtime/src/connection/explain-issues.js";
import { McpError } from "../../../runtime/src/jsonrpc/errors.js";
import { McpServer } from "../../../runtime/src/server.js";
import { McpServer as CoreMcpServer } from "../../../runtime/src/server/core.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";

const info = { name: "test", version: "1.0.0" };

async function connected(server: CoreMcpServer, client: CoreClient): Promise<CoreClient> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

async function errorOf(promise: Promise<unknown>): Promise<McpError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof McpError)) throw new Error(`expected an McpError, not ${String(error)}`);
  return error;
}

function greeter(): McpServer {
  const server = new McpServer(info);
  server.registerTool("greet", {}, () => ({ content: [] }));
  return server;
}

const badCall = { name: 5, arguments: ["secret"] } as unknown as { name: string };

describe("a server refuses params", () => {
  test.each(["2025-11-25", "2026-07-28"])(
    "and names the members in the message and in data.issues, %s",
    async (revision) => {
      const { clientSides } = await import("@mcpwright/protocol/client-sides");
      const revisions = clientSides.filter((side) => side.revision === revision);
      const client = await connected(greeter(), new Client(info, { revisions }));
      const error = await errorOf(client.connection.request("tools/call", badCall));
      expect(error).toMatchObject({
        code: -32602,
        message:
          "Invalid params of tools/call: /name must be a string, got a number; /arguments must be an object, got an array",
        data: {
          issues: [
            { path: "/name", expected: "a string", received: "a number" },
            { path: "/arguments", expected: "an object", received: "an array" },
          ],
        },
      });
    },
  );

  test("without members, in the core entry without findIssues; with them, when it is passed", async () => {
    for (const findIssues of [undefined, findServerIssues]) {
      const server = new CoreMcpServer(info, { revisions: [serverSide], ...(findIssues && { findIssues }) });
      server.registerTool("greet", {}, () => ({ content: [] }));
      const client = await connected(server, new CoreClient(info, { revisions: [clientSide] }));
      const { message, data } = await errorOf(client.connection.request("tools/call", badCall));
      if (findIssues) expect(message).toMatch("/name must be a string, got a number");
      else expect([message, data]).toEqual(["Invalid params of tools/call: they do not match the schema", undefined]);
    }
  });
});

test("a client names the members of a server's invalid request", async () => {
  const client = new Client(info, { revisions: [clientSide], capabilities: { sampling: {} } });
  client.setRequestHandler("sampling/createMessage", () => Promise.reject(new Error("must not be called")));
  const server = new McpServer(info);
  const seen: McpError[] = [];
  server.registerTool("ask", {}, async (context) => {
    const params = { messages: [], maxTokens: "many" };
    seen.push(await errorOf(context.connection.request("sampling/createMessage", params, { isChecked: true })));
    return { content: [] };
  });
  await connected(server, client);
  await client.callTool({ name: "ask" });
  expect(seen[0]?.message).toMatch("maxTokens must be a");
});

test("a server names the members of a client's invalid result", async () => {
  const client = new Client(info, { revisions: [clientSide], capabilities: { roots: {} } });
  const server = new McpServer(info);
  const seen: McpError[] = [];
  server.registerTool("roots", {}, async (context) => {
    seen.push(await errorOf(context.listRoots("roots")));
    return { content: [] };
  });
  await connected(server, client);
  // The handler of the connection replaces the checked one of the client.
  client.connection.handle({ "roots/list": () => ({ roots: [{ uri: 5 }] }) });
  await client.callTool({ name: "roots" });
  expect(seen[0]).toMatchObject({
    code: "INVALID_RESULT",
    message: expect.stringContaining("/roots/0/uri must be a string, got a number") as unknown,
    data: { issues: [{ path: "/roots/0/uri" }], result: { roots: [{ uri: 5 }] } },
  });
});

describe("bounds", () => {
  const explain = (issues: ReturnType<FindIssues>) =>
    explainIssues(
      () => issues,
      serverSide,
      () => false,
      undefined,
    );
  const issue = (...path: (string | number)[]) => ({ path, expected: "a string", received: "a number" });

  test("three issues in the text, eight in the data", () => {
    const found = explain(Array.from({ length: 20 }, (_, at) => issue(at)));
    expect(found?.text).toBe(
      "/0 must be a string, got a number; /1 must be a string, got a number; /2 must be a string, got a number; and 5 more",
    );
    expect(found?.issues).toHaveLength(8);
  });

  test.each<[string, (string | number)[], string]>([
    ["a long key is cut", ["k".repeat(1_000_000)], `/${"k".repeat(59)}…`],
    [
      "control characters and invisible ones are escaped",
      ["a\u001b[31m\n\u202eb c"],
      "/a\\u{1b}[31m\\u{a}\\u{202e}b c",
    ],
    ["half a character is escaped", ["\ud800"], "/\\u{d800}"],
    ["slashes and tildes are those of a JSON Pointer", ["a/b~c"], "/a~1b~0c"],
    ["a deep path is shortened", Array.from({ length: 500 }, (_, at) => at), "/0/1/2/3/…/497/498/499"],
  ])("%s", (_, path, expected) => {
    expect(explain([issue(...path)])?.issues[0]?.path).toBe(expected);
  });

  test("long names of types are cut", () => {
    const [found] = explain([{ path: [], expected: "x".repeat(1_000), received: "y".repeat(1_000) }])?.issues ?? [];
    expect([found?.expected.length, found?.received.length]).toEqual([200, 200]);
  });

  test("nothing is computed for valid params", async () => {
    const calls: unknown[] = [];
    const findIssues: FindIssues = (...given) => {
      calls.push(given);
      return [];
    };
    const server = new McpServer(info, { findIssues });
    server.registerTool("greet", {}, () => ({ content: [] }));
    const client = await connected(server, new Client(info, { findIssues }));
    await client.callTool({ name: "greet" });
    await client.listTools();
    expect(calls).toEqual([]);
  });
});
