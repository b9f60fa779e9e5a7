import { describe, expect, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { SSEClientTransport } from "../../../runtime/src/client/http.js";
import { type EventWriter, fakeServer, result, type Script, serverInfo } from "./fake-server.js";

/** A server of 2024-11-05. */
function oldServer(endpoint = "/messages?s=1") {
  const state: { events?: EventWriter } = {};
  const script: Script = (seen, reply) => {
    if (seen.method === "GET") {
      state.events = reply.events().send({ event: "endpoint", data: endpoint });
      return;
    }
    const { id, method } = seen.message;
    reply.status(202, "Accepted");
    if (id === undefined) return;
    const body =
      method === "initialize"
        ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo }
        : { tools: [] };
    state.events?.send({ event: "message", data: result(id, body) });
  };
  return { script, state };
}

const made = (): Client => new Client({ name: "c", version: "1" });

describe("HTTP with server-sent events", () => {
  test("a whole conversation", async () => {
    const server = await fakeServer(oldServer().script);
    const client = made();
    await client.connect(new SSEClientTransport(server.url, { requestInit: { headers: { "x-key": "k" } } }), {
      era: "handshake",
    });
    expect(client.getNegotiatedProtocolVersion()).toBe("2024-11-05");
    await client.listTools();
    await client.close();
    expect(server.seen.map(({ method, path, message }) => `${method} ${path} ${message.method ?? ""}`)).toEqual([
      "GET /mcp ",
      "POST /messages?s=1 initialize",
      "POST /messages?s=1 notifications/initialized",
      "POST /messages?s=1 tools/list",
    ]);
    expect(server.seen[0]?.headers.accept).toBe("text/event-stream");
    for (const { headers } of server.seen) expect(headers["x-key"]).toBe("k");
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty("mcp-protocol-version");
  });

  test("a request that was refused, although it reached the server, fails; its late response is ignored", async () => {
    const old = oldServer();
    let refuses = false;
    const server = await fakeServer((seen, reply) => (refuses ? reply.status(503) : old.script(seen, reply)));
    const errors: Error[] = [];
    const client = new Client({ name: "c", version: "1" }, { onerror: (error) => void errors.push(error) });
    await client.connect(new SSEClientTransport(server.url), { era: "handshake" });
    refuses = true;
    await expect(client.listTools()).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 503 } });
    refuses = false;
    const { id } = server.seen.at(-1)?.message ?? {};
    old.state.events?.send({ event: "message", data: result(id, { tools: [] }) });
    await client.listTools();
    await client.close();
    expect(errors).toEqual([]);
  });

  test("an endpoint that is an absolute URL", async () => {
    const old = oldServer();
    const server = await fakeServer((seen, reply) =>
      seen.method === "GET"
        ? void (old.state.events = reply.events().send({ event: "endpoint", data: new URL("/m", server.url).href }))
        : old.script(seen, reply),
    );
    const client = made();
    await client.connect(new SSEClientTransport(server.url), { era: "handshake" });
    await client.close();
    expect(server.seen[1]?.path).toBe("/m");
  });

  test("events without data are ignored", async () => {
    const old = oldServer();
    const server = await fakeServer((seen, reply) =>
      seen.method === "GET"
        ? void (old.state.events = reply.events().raw("id: 1\n\nevent: endpoint\nid: 2\ndata: /m\n\nid: 3\n\n"))
        : old.script(seen, reply),
    );
    const errors: Error[] = [];
    const client = new Client({ name: "c", version: "1" }, { onerror: (error) => void errors.push(error) });
    await client.connect(new SSEClientTransport(server.url), { era: "handshake" });
    await client.listTools();
    await client.close();
    expect(errors).toEqual([]);
  });

  test.each<[string, Script, object]>([
    ["404", (_, reply) => reply.status(404), { code: "HTTP_ERROR", data: { status: 404 } }],
    ["405", (_, reply) => reply.status(405), { code: "HTTP_ERROR", data: { status: 405 } }],
    ["JSON instead of a stream", (_, reply) => reply.json({}), { code: "HTTP_ERROR", data: { status: 200 } }],
    [
      "another event first",
      (_, reply) => void reply.events().send({ data: { jsonrpc: "2.0", method: "x" } }),
      { code: "HTTP_ERROR" },
    ],
    [
      "an endpoint of another origin",
      (_, reply) => void reply.events().send({ event: "endpoint", data: "https://evil.example/m" }),
      { code: "HTTP_ERROR" },
    ],
    ["an end before the endpoint", (_, reply) => reply.events().end(), { code: "RESPONSE_LOST" }],
    ["a break", (_, reply) => reply.cut(), { code: "SEND_FAILED" }],
    [
      "a redirect",
      (_, reply) => reply.status(302, "", { location: "https://evil.example/" }),
      { code: "HTTP_ERROR", data: { status: 302 } },
    ],
  ])("does not open with %s", async (_name, script, error) => {
    const server = await fakeServer(script);
    const transport = new SSEClientTransport(server.url);
    await expect(transport.start()).rejects.toMatchObject(error);
    server.script = oldServer().script;
    await transport.start();
    await transport.close();
  });

  test("a rejected POST fails its request", async () => {
    const server = await fakeServer(oldServer().script);
    const client = made();
    await client.connect(new SSEClientTransport(server.url), { era: "handshake" });
    server.script = (_, reply) => reply.status(400, "no");
    await expect(client.listTools()).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 400, body: "no" } });
    await client.close();
  });

  test("a POST in progress fails when the stream breaks", async () => {
    const old = oldServer();
    const server = await fakeServer(old.script);
    const transport = new SSEClientTransport(server.url);
    await transport.start();
    server.script = () => old.state.events?.cut();
    const sent = transport.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    await expect(sent).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("ends with the stream, and can be started again", async () => {
    const old = oldServer();
    const server = await fakeServer(old.script);
    const closed: unknown[] = [];
    const client = new Client(
      { name: "c", version: "1" },
      { restart: { pauseMs: 1 }, onclose: (error) => void closed.push(error) },
    );
    await client.connect(new SSEClientTransport(server.url), { era: "handshake" });
    old.state.events?.cut();
    await expect.poll(() => closed).toMatchObject([{ code: "CONNECTION_CLOSED" }]);
    await expect.poll(() => client.getNegotiatedProtocolVersion()).toBe("2024-11-05");
    expect(server.of("GET")).toHaveLength(2);
    await client.close();
  });

  test("rejects a second start, and sending after close", async () => {
    const server = await fakeServer(oldServer().script);
    const transport = new SSEClientTransport(server.url);
    const message = { jsonrpc: "2.0", method: "x" } as const;
    await expect(transport.send(message)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await transport.start();
    await expect(transport.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
    await transport.close();
    await expect(transport.send(message)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });
});
