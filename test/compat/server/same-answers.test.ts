import * as ours from "@mcpwright/compat/server";
import * as official from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { makeServer, requests, type Sdk } from "./program.js";

type Answer = Record<string, unknown>;
type Ask = (request: { readonly method: string; readonly params?: Record<string, unknown> }) => Promise<Answer>;

/** Opens a session over linked transports. */
async function openSession(sdk: Sdk): Promise<Ask> {
  return initialize(sdk, makeServer(sdk), { instructions: "Use the tools." });
}

async function initialize(
  sdk: Sdk,
  server: { connect(transport: ours.Transport): Promise<void> },
  expected: object = {},
  capabilities: object = {},
): Promise<Ask> {
  const [client, end] = sdk.InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (answer: Answer) => void>();
  client.onmessage = (message) => {
    if (!("method" in message)) waiting.get(message.id)?.(message);
  };
  await server.connect(end);
  await client.start();
  let id = 0;
  const ask: Ask = (request) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      void client.send({ jsonrpc: "2.0", id, ...request });
    });
  const opened = await ask({
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "c", version: "1" } },
  });
  expect(opened).toMatchObject({ result: { protocolVersion: "2025-11-25", ...expected } });
  await client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return ask;
}

/** Sends requests that describe their client to a handler. */
function openHandler(sdk: Sdk): Ask {
  const handler = sdk.createMcpHandler(() => makeServer(sdk));
  return async ({ method, params = {} }) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const name = params["name"] ?? params["uri"];
    const response = await handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" && { "mcp-name": name }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
      }),
    );
    return (await response.json()) as Answer;
  };
}

describe.each([
  ["a client with a session", openSession],
  ["a client without a session", (sdk: Sdk) => Promise.resolve(openHandler(sdk))],
])("for %s", (_client, open) => {
  it.each(requests.map((request) => [JSON.stringify(request), request] as const))(
    "%s has the same answer",
    async (_text, request) => {
      const [expected, received] = await Promise.all(
        [official as unknown as Sdk, ours].map(async (sdk) => (await open(sdk))(request)),
      );
      expect(received).toEqual(expected);
    },
  );
});

it("answers a read of an unknown resource with the code of the client's revision", async () => {
  const request = { method: "resources/read", params: { uri: "none://at-all" } };
  const error = { message: "Resource not found: none://at-all", data: { uri: "none://at-all" } };
  expect(await (await openSession(ours))(request)).toMatchObject({ error: { ...error, code: -32002 } });
  expect(await openHandler(ours)(request)).toMatchObject({ error: { ...error, code: -32602 } });
});

it.each<[string, object]>([
  ["resources/subscribe", { uri: "test://one" }],
  ["resources/unsubscribe", { uri: "test://one" }],
])(
  "lets a program handle %s without the capability of subscriptions, and refuses it otherwise",
  async (method, params) => {
    for (const sdk of [official as unknown as Sdk, ours]) {
      const answers = [];
      for (const isHandled of [true, false]) {
        const server = new sdk.Server({ name: "s", version: "1" }, { capabilities: { resources: {} } });
        if (isHandled) server.setRequestHandler(method as "resources/subscribe", () => ({ _meta: { handled: true } }));
        const ask = await initialize(sdk, server);
        const { result, error } = await ask({ method, params: params as Record<string, unknown> });
        answers.push(result ?? error);
      }
      expect(answers).toEqual([{ _meta: { handled: true } }, { code: -32601, message: "Method not found" }]);
    }
  },
);

it.each([{}, { form: {} }, { url: {} }])(
  "describes a client with the elicitation %o in the same way",
  async (elicitation) => {
    const [expected, received] = await Promise.all(
      [official as unknown as Sdk, ours].map(async (sdk) => {
        const server = new sdk.Server({ name: "s", version: "1" });
        await initialize(sdk, server, {}, { elicitation, roots: {} });
        return server.getClientCapabilities();
      }),
    );
    expect(received).toEqual(expected);
    expect(received?.elicitation).not.toEqual({});
  },
);
