/** Servers that break the protocol: only their own requests fail, and the gateway keeps serving. */
import { expect, test } from "vitest";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import { createGateway, type GatewayServer } from "../../../runtime/src/gateway.js";
import { clientOf, errorOf, type Revision, settled } from "../api/pair.js";
import { everything } from "./everything.js";
import { join } from "./in-memory.js";
import { type RawMessage, rawServer, tool } from "./raw-server.js";

async function clientOfGateway(
  bad: GatewayServer,
  revision: Revision = "2025-11-25",
  options: ClientOptions = {},
): Promise<{ client: Client; problems: Error[] }> {
  const problems: Error[] = [];
  const gateway = createGateway({
    servers: { bad, good: { server: everything("2026-07-28").server } },
    onerror: (error) => problems.push(error),
  });
  const { client } = clientOf(revision, options);
  await join(gateway, client);
  return { client, problems };
}

async function stillServes(client: Client): Promise<void> {
  expect(await client.callTool({ name: "good_add", arguments: { a: 1, b: 1 } })).toMatchObject({
    content: [{ text: "2" }],
  });
}

/** Lists one tool, and passes calls of it on. */
function oneTool(call: (message: RawMessage, peer: Parameters<Parameters<typeof rawServer>[0]>[1]) => void) {
  return (message: RawMessage, peer: Parameters<Parameters<typeof rawServer>[0]>[1]): void => {
    if (message.method === "tools/list") peer.respond(message, { tools: [tool("x")] });
    else if (message.method === "tools/call") call(message, peer);
  };
}

test("a response to another id is reported, and the request ends in time", async () => {
  const bad = rawServer(
    oneTool(({ id }, peer) => peer.send({ jsonrpc: "2.0", id: `${String(id)}-other`, result: { content: [] } })),
    { timeoutMs: 100 },
  );
  const { client, problems } = await clientOfGateway(bad);
  const error = await errorOf(client.callTool({ name: "bad_x" }));
  expect(error).toMatchObject({ code: -32603, data: { server: "bad", reason: "REQUEST_TIMEOUT" } });
  expect(problems.some(({ message }) => message.startsWith('server "bad": '))).toBe(true);
  await stillServes(client);
});

test("messages that are not JSON-RPC are reported", async () => {
  const bad = rawServer(
    oneTool((message, peer) => {
      for (const noise of [
        [],
        {},
        { jsonrpc: "1.0" },
        { jsonrpc: "2.0", id: {}, method: 5 },
        { jsonrpc: "2.0", method: 5 },
      ])
        peer.send(noise);
      peer.respond(message, { content: [{ type: "text", text: "done" }] });
    }),
  );
  const { client, problems } = await clientOfGateway(bad);
  expect(await client.callTool({ name: "bad_x" })).toMatchObject({ content: [{ text: "done" }] });
  expect(problems.length).toBeGreaterThan(3);
  await stillServes(client);
});

test("a result that does not match the schema is an error that names the server", async () => {
  const bad = rawServer(oneTool((message, peer) => peer.respond(message, { content: "text" })));
  const { client } = await clientOfGateway(bad);
  const error = await errorOf(client.callTool({ name: "bad_x" }));
  expect(error).toMatchObject({ code: -32603, data: { server: "bad", reason: "INVALID_RESULT" } });
  expect(error.message).toContain('The server "bad" failed');
});

test("items that do not match the schema are left out, as are those that are listed twice", async () => {
  const bad = rawServer((message, peer) => {
    if (message.method === "tools/list")
      peer.respond(message, { tools: [tool("a"), { name: 7 }, tool("b"), tool("a"), { name: "c" }] });
  });
  const { client } = await clientOfGateway(bad);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => name.startsWith("bad_"))).toEqual(["bad_a", "bad_b"]);
});

test("a server that changes its tools at every list is asked once for each list of a client", async () => {
  let lists = 0;
  const bad = rawServer((message, peer) => {
    if (message.method !== "tools/list") return;
    peer.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    peer.respond(message, { tools: [tool(`t${lists++}`)] });
  });
  const { client } = await clientOfGateway(bad);
  for (let round = 0; round < 5; round++) await client.listTools();
  await settled();
  expect(lists).toBeLessThanOrEqual(10);
  await stillServes(client);
});

test("a list whose pages do not end is missing", async () => {
  const bad = rawServer((message, peer) => {
    if (message.method === "tools/list") peer.respond(message, { tools: [tool("x")], nextCursor: "again" });
  });
  const { client } = await clientOfGateway(bad);
  const { _meta } = await client.listTools();
  expect(JSON.stringify(_meta)).toContain("the server still returns a nextCursor");
  await stillServes(client);
});

test("questions without end are answered one by one, until the client cancels", async () => {
  let asked = 0;
  const bad = rawServer((message, peer) => {
    const ask = (): void =>
      peer.send({
        jsonrpc: "2.0",
        id: `q${++asked}`,
        method: "elicitation/create",
        params: { message: "again?", requestedSchema: { type: "object", properties: {} } },
      });
    if (message.method === "tools/list") peer.respond(message, { tools: [tool("x")] });
    else if (message.method === "tools/call" || message.result !== undefined) ask();
  });
  for (const revision of ["2025-11-25", "2026-07-28"] as const) {
    const { client } = await clientOfGateway(bad, revision, { capabilities: { elicitation: {} } });
    let answered = 0;
    const controller = new AbortController();
    client.setRequestHandler("elicitation/create", () => {
      if (++answered === 5) controller.abort(new Error("enough"));
      return { action: "accept", content: {} };
    });
    await expect(client.callTool({ name: "bad_x" }, { signal: controller.signal })).rejects.toThrow("enough");
    await settled();
    const count = asked;
    await stillServes(client);
    await settled();
    expect(asked - count).toBeLessThanOrEqual(1);
  }
});

test("a question without a request is refused for clients without a session", async () => {
  const answers: unknown[] = [];
  const bad = rawServer((message, peer) => {
    if (message.method === "tools/list") {
      peer.respond(message, { tools: [tool("x")] });
      peer.send({ jsonrpc: "2.0", id: "q1", method: "roots/list" });
    }
    if (message.id === "q1") answers.push(message.error ?? message.result);
  });
  const { client } = await clientOfGateway(bad, "2026-07-28", { capabilities: { roots: {} } });
  await client.listTools();
  await expect
    .poll(() => answers)
    .toEqual([
      { code: -32603, message: "roots/list: no request of a client is in progress, so that there is no user to ask" },
    ]);
});

test("a question for a capability that the client lacks is refused", async () => {
  const answers: { code: number }[] = [];
  const bad = rawServer((message, peer) => {
    if (message.method === "tools/list") peer.respond(message, { tools: [tool("x")] });
    if (message.method === "tools/call") {
      peer.send({ jsonrpc: "2.0", id: "q1", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
      peer.respond(message, { content: [] });
    }
    if (message.id === "q1") answers.push(message.error as { code: number });
  });
  const { client } = await clientOfGateway(bad, "2025-11-25", { capabilities: { elicitation: {} } });
  await client.callTool({ name: "bad_x" });
  await expect.poll(() => answers.map(({ code }) => code)).toEqual([-32601]);
});

test("deep and large results pass, or fail alone", async () => {
  let deep: unknown = {};
  for (let level = 0; level < 500; level++) deep = { deep };
  const large = "x".repeat(2_000_000);
  const results = [{ content: [], structuredContent: deep }, { content: [{ type: "text", text: large }] }];
  const bad = rawServer(oneTool((message, peer) => peer.respond(message, results.shift() ?? {})));
  const { client } = await clientOfGateway(bad);
  await client.callTool({ name: "bad_x" }).catch((error: unknown) => expect(error).toMatchObject({ code: -32603 }));
  expect(await client.callTool({ name: "bad_x" })).toMatchObject({ content: [{ text: large }] });
  await stillServes(client);
});

test("a server that ends after each response is opened again, with pauses", async () => {
  const bad = rawServer(
    oneTool((message, peer) => {
      peer.respond(message, { content: [] });
      void peer.close();
    }),
  );
  const { client } = await clientOfGateway(bad);
  for (let round = 0; round < 20; round++) await client.callTool({ name: "bad_x" }).catch(() => undefined);
  expect(bad.connections()).toBeLessThanOrEqual(3);
  await stillServes(client);
});

test("errors keep their code and data, and reserved codes do not reach clients that forbid them", async () => {
  const bad = rawServer(
    oneTool(({ id }, peer) =>
      peer.send({ jsonrpc: "2.0", id, error: { code: -32050, message: "own", data: { a: [1, "__proto__"] } } }),
    ),
  );
  const old = await clientOfGateway(bad);
  expect(await errorOf(old.client.callTool({ name: "bad_x" }))).toMatchObject({
    code: -32050,
    data: { a: [1, "__proto__"] },
  });
  const newer = await clientOfGateway(bad, "2026-07-28");
  expect(await errorOf(newer.client.callTool({ name: "bad_x" }))).toMatchObject({ code: -32603, message: "own" });
});
