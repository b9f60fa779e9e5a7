import * as ours from "@mcpwright/compat/server";
import * as official from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { makeServer, type Sdk } from "./program.js";

type Options = NonNullable<ConstructorParameters<Sdk["WebStandardStreamableHTTPServerTransport"]>[0]>;
type Transport = InstanceType<Sdk["WebStandardStreamableHTTPServerTransport"]>;

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "add", arguments: { a: 1 } } };
const session = { "mcp-session-id": "session-1" };

/** A transport whose session has a known id, and its server. */
async function connect(sdk: Sdk, options: Options = {}): Promise<Transport> {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => "session-1",
    ...options,
  });
  await makeServer(sdk).connect(transport);
  return transport;
}

function post(body: unknown, headers: Record<string, string> = {}): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request("http://localhost/mcp", { method: "POST", headers: { ...json, ...headers }, body: text });
}

function get(headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/mcp", { headers: { accept: "text/event-stream", ...headers } });
}

/** The parts of a response that clients read. */
async function read(response: Response): Promise<object> {
  const text = await response.text();
  const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id"),
    type: response.headers.get("content-type")?.split(";")[0],
    body: data === "" ? undefined : (JSON.parse(data) as unknown),
  };
}

/** Requests to one transport, one after the other, and the parts of their responses. */
const conversations: Record<string, { options?: Options; requests: () => Request[] }> = {
  "opens a session and serves a call in it": { requests: () => [post(initialize), post(call, session)] },
  "responds with JSON": {
    options: { enableJsonResponse: true },
    requests: () => [post(initialize), post(call, session)],
  },
  "refuses a request before the session is open": { requests: () => [post(call, session)] },
  "refuses a request without a session": { requests: () => [post(initialize), post(call)] },
  "refuses another session": { requests: () => [post(initialize), post(call, { "mcp-session-id": "other" })] },
  "refuses a second initialize": { requests: () => [post(initialize), post(initialize)] },
  "refuses a body that is not JSON": { requests: () => [post("{")] },
  "refuses JSON that is not a message": { requests: () => [post({ a: 1 })] },
  "refuses a body that is too large": {
    options: { maxRequestBodySize: 10 },
    requests: () => [post(initialize)],
  },
  "refuses too many messages at once": {
    requests: () => [
      post(initialize),
      post(
        Array.from({ length: 101 }, (_, id) => ({ ...call, id })),
        session,
      ),
    ],
  },
  "refuses another type of content": { requests: () => [post(initialize, { "content-type": "text/plain" })] },
  "refuses a client that does not accept streams": {
    requests: () => [post(initialize, { accept: "application/json" })],
  },
  "accepts a notification": {
    requests: () => [post(initialize), post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)],
  },
  "refuses a host that is not allowed": {
    options: { enableDnsRebindingProtection: true, allowedHosts: ["example.com"] },
    requests: () => [post(initialize, { host: "evil.example" })],
  },
  "serves one request without a session": {
    options: { sessionIdGenerator: undefined },
    requests: () => [post({ ...call, id: 7 })],
  },
  "ends the session": {
    requests: () => [
      post(initialize),
      new Request("http://localhost/mcp", { method: "DELETE", headers: session }),
      post(call, session),
    ],
  },
};

describe("the transport over HTTP has the responses of the official one", () => {
  it.each(Object.keys(conversations))("%s", async (name) => {
    const { options, requests } = conversations[name] ?? { requests: () => [] };
    const [expected, received] = await Promise.all(
      [official as unknown as Sdk, ours].map(async (sdk) => {
        const transport = await connect(sdk, options);
        const responses = [];
        for (const request of requests()) responses.push(await read(await transport.handleRequest(request)));
        return responses;
      }),
    );
    expect(received).toEqual(expected);
  });
});

describe("streams", () => {
  it("has one stream for messages that belong to no request", async () => {
    const transport = await connect(ours);
    await read(await transport.handleRequest(post(initialize)));
    const first = await transport.handleRequest(get(session));
    expect(first.status).toBe(200);
    expect((await transport.handleRequest(get(session))).status).toBe(409);
    transport.closeStandaloneSSEStream();
    expect((await transport.handleRequest(get(session))).status).toBe(200);
    await transport.close();
  });

  it("sends the messages that a client missed, after it has reconnected", async () => {
    const events: { id: string; stream: string; message: ours.JSONRPCMessage }[] = [];
    const eventStore: ours.EventStore = {
      storeEvent: (stream, message) => {
        const id = `${events.length}`;
        events.push({ id, stream, message });
        return Promise.resolve(id);
      },
      replayEventsAfter: async (last, { send }) => {
        const { stream = "" } = events[Number(last)] ?? {};
        for (const one of events.slice(Number(last) + 1)) if (one.stream === stream) await send(one.id, one.message);
        return stream;
      },
    };
    const transport = new ours.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => "session-1",
      eventStore,
      retryInterval: 10,
    });
    const server = new ours.McpServer({ name: "example", version: "1.0.0" });
    let reconnected!: () => void;
    const away = new Promise<void>((resolve) => (reconnected = resolve));
    server.registerTool("poll", {}, async (ctx) => {
      ctx.http?.closeSSE?.();
      await away;
      return { content: [{ type: "text", text: "done" }] };
    });
    await server.connect(transport);
    const params = { ...initialize.params, protocolVersion: "2025-11-25" };
    await (await transport.handleRequest(post({ ...initialize, params }))).text();
    const version = { ...session, "mcp-protocol-version": "2025-11-25" };
    const poll = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "poll" } };
    const first = await (await transport.handleRequest(post(poll, version))).text();
    expect(first).toMatch(/^id: \d+\nretry: 10\ndata: \n\n$/);
    const resumed = await transport.handleRequest(get({ ...version, "last-event-id": /\d+/.exec(first)?.[0] ?? "" }));
    reconnected();
    expect(await resumed.text()).toContain('"text":"done"');
    await transport.close();
  });

  it("ends when a client resumes it after its last response", async () => {
    const eventStore: ours.EventStore = {
      storeEvent: () => Promise.resolve("1"),
      replayEventsAfter: () => Promise.resolve("finished"),
    };
    const transport = await connect(ours, { eventStore });
    await read(await transport.handleRequest(post(initialize)));
    const resumed = await transport.handleRequest(get({ ...session, "last-event-id": "1" }));
    expect([resumed.status, await resumed.text()]).toEqual([200, ""]);
  });

  it("reports a response whose client has gone and cannot resume", async () => {
    const transport = await connect(ours);
    await read(await transport.handleRequest(post(initialize)));
    const problem = new Promise<Error>((resolve) => (transport.onerror = resolve));
    transport.onmessage = () => undefined;
    const response = await transport.handleRequest(post(call, session));
    await response.body?.cancel();
    await transport.send({ jsonrpc: "2.0", id: call.id, result: {} });
    expect((await problem).message).toBe("No connection established for request ID: 2");
  });

  it("responds to a request that waits for JSON when the transport closes", async () => {
    const transport = await connect(ours, { enableJsonResponse: true });
    await read(await transport.handleRequest(post(initialize)));
    transport.onmessage = () => undefined;
    const response = transport.handleRequest(post(call, session));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await transport.close();
    expect((await response).status).toBe(503);
  });

  it("refuses a second request without sessions", async () => {
    const transport = await connect(ours, { sessionIdGenerator: undefined });
    await read(await transport.handleRequest(post(call)));
    await expect(transport.handleRequest(post(call))).rejects.toThrow("Stateless transport cannot be reused");
  });
});
