/** What clients without a session get from servers of the handshake era, whose connections are sessions. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { expect, onTestFinished, test } from "vitest";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import { createGateway, type MountableServer } from "../../../runtime/src/gateway.js";
import { UrlElicitationRequiredError } from "../../../runtime/src/index.js";
import { acceptedContent, inputRequired, McpServer, Server } from "../../../runtime/src/server.js";
import { clientOf, info } from "../api/pair.js";
import { everything } from "./everything.js";
import { fetchOf, httpTransport } from "./http.js";

const handshake = serverSides.filter(({ revision }) => revision === "2025-11-25");

/** Connects clients of the stateless era over HTTP to a gateway in front of a server. */
function clientsOf(server: MountableServer): (options?: ClientOptions) => Promise<Client> {
  const gateway = createGateway({ servers: { up: { server } }, onerror: () => undefined });
  const served = fetchOf(gateway);
  onTestFinished(() => gateway.close(0));
  return async (options = {}) => {
    const { client } = clientOf("2026-07-28", options);
    await client.connect(httpTransport(served.fetch));
    onTestFinished(() => client.close());
    return client;
  };
}

test("a client gets the tools that a server lists only for its capabilities", async () => {
  const server = new Server({ name: "up", version: "1.0.0" }, { revisions: handshake, capabilities: { tools: {} } });
  const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });
  server.handle({
    "tools/list": (_params, { client }) => ({
      tools: [tool("add"), ...(client.capabilities.elicitation ? [tool("ask")] : [])] as never,
    }),
    "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }),
  });
  const connect = clientsOf(server);
  const plain = await connect();
  const asked = await connect({ capabilities: { elicitation: {} } });
  const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(asked)).toEqual(["up_add", "up_ask"]);
  expect(await names(plain)).toEqual(["up_add"]);
  expect((await asked.callTool({ name: "up_ask" })).content).toEqual([{ type: "text", text: "ask" }]);
});

test("a server that asks over a connection for lists gets no answer of a client that uses it at the same time", async () => {
  const { server } = everything("2025-11-25");
  const answers: unknown[] = [];
  const asking: MountableServer = {
    async connect(transport) {
      const connection = await server.connect(transport);
      // After `notifications/initialized`.
      setTimeout(() => {
        connection.request("roots/list", {}).then(
          (answer) => answers.push(answer),
          (error: unknown) => answers.push((error as Error).message),
        );
      }, 20);
      return connection;
    },
  };
  const connect = clientsOf(asking);
  const client = await connect({ capabilities: { roots: {} } });
  client.addRoot({ uri: "file:///secret" });
  const ref = { type: "ref/resource", uri: "test://items/{id}" } as const;
  await client.listTools();
  await client.complete({ ref, argument: { name: "id", value: "" } });
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  expect(JSON.stringify(answers)).toContain("no request of a client is in progress");
  expect(JSON.stringify(answers)).not.toContain("secret");
});

test("URLs that a server requires are questions to the client, which repeats the call", async () => {
  const { server } = everything("2025-11-25");
  const visited: string[] = [];
  const sent: unknown[] = [];
  const watched: MountableServer = {
    async connect(transport) {
      const connection = await server.connect(transport);
      const { onmessage } = transport;
      const note: typeof onmessage = (message, extra) => {
        sent.push(message);
        onmessage?.(message, extra);
      };
      Object.assign(transport, { onmessage: note });
      return connection;
    },
  };
  server.registerTool("pay", {}, () => {
    const elicitationId = "e-1";
    if (visited.length === 0)
      throw new UrlElicitationRequiredError([
        { mode: "url", elicitationId, message: "Pay", url: "https://pay.example.com/1" },
      ]);
    return { content: [{ type: "text", text: "paid" }] };
  });
  const connect = clientsOf(watched);
  const client = await connect({ capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", (params) => {
    visited.push((params as { url: string }).url);
    return { action: "accept" };
  });
  expect((await client.callTool({ name: "up_pay" })).content).toEqual([{ type: "text", text: "paid" }]);
  expect(visited).toEqual(["https://pay.example.com/1"]);
  // The answers and the sealed state are between client and gateway.
  expect(JSON.stringify(sent)).toContain('"pay"');
  expect(JSON.stringify(sent)).not.toMatch(/inputResponses|requestState/);
});

test("a connection over which a server has asked for roots is not used for another client", async () => {
  const { server } = everything("2025-11-25");
  const connect = clientsOf(server);
  for (const uri of ["file:///ada", "file:///bo"]) {
    const client = await connect({ capabilities: { roots: {} } });
    client.addRoot({ uri });
    expect((await client.callTool({ name: "up_folders" })).content).toEqual([{ type: "text", text: uri }]);
    // The one for lists is shared.
    await expect.poll(() => server.server.connections.size).toBe(1);
  }
});

test("answers without a state reach the server, which ignores those to other questions", async () => {
  const server = new McpServer(info);
  const question = inputRequired.elicit({
    message: "Which city?",
    requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  });
  server.registerTool("where", { inputRequests: () => ({ city: question }) }, (_context, responses) => ({
    content: [{ type: "text", text: String(acceptedContent(responses, "city")?.["city"]) }],
  }));
  const client = await clientsOf(server)({ capabilities: { elicitation: {} } });
  const answer = (city: string) => ({ action: "accept" as const, content: { city } });
  const params = { name: "up_where", inputResponses: { city: answer("Rome"), other: answer("Oslo") } };
  expect((await client.callTool(params, { allowInputRequired: true })).content).toEqual([
    { type: "text", text: "Rome" },
  ]);
});
