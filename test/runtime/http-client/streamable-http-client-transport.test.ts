import { describe, expect, onTestFinished, test, vi } from "vitest";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { clientFor, connected } from "./clients.js";
import {
  complete,
  discovered,
  type EventWriter,
  failure,
  fakeServer,
  handshake,
  note,
  pause,
  R5,
  result,
  type Script,
  stateless,
  until,
} from "./fake-server.js";

const R2 = "2025-03-26";
const R3 = "2025-06-18";
const R4 = "2025-11-25";
const tools = { tools: [] };
const list: Script = (seen, reply) =>
  seen.method === "POST" ? reply.json(result(seen.message.id, tools)) : reply.status(seen.method === "GET" ? 405 : 200);

describe("a session of the handshake era", () => {
  test.each([R2, R3, R4])("%s: every request has the required headers", async (revision) => {
    const server = await fakeServer(handshake(revision, list, () => "session-1"));
    const { client, transport } = await connected(server, { era: "handshake" });
    await client.listTools();
    await until(() => server.story.includes("GET"));
    expect(transport.sessionId).toBe("session-1");
    expect(transport.protocolVersion).toBe(revision);
    await client.close();
    const headers = server.seen.map(({ method, message, headers: all }) => [
      message.method ?? method,
      all.accept,
      all["content-type"],
      all["mcp-session-id"],
      all["mcp-protocol-version"],
      all["mcp-method"],
    ]);
    const both = "application/json, text/event-stream";
    const json = "application/json";
    expect(headers).toHaveLength(5);
    expect(headers).toEqual(
      expect.arrayContaining([
        ["initialize", both, json, undefined, undefined, undefined],
        ["notifications/initialized", both, json, "session-1", revision, undefined],
        ["GET", "text/event-stream", undefined, "session-1", revision, undefined],
        ["tools/list", both, json, "session-1", revision, undefined],
        ["DELETE", "*/*", undefined, "session-1", revision, undefined],
      ]),
    );
    expect(transport.sessionId).toBeUndefined();
  });

  test.each([404, 405, 200, 204])("its DELETE may get a response with %i", async (status) => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => reply.status(seen.method === "DELETE" ? status : 405),
        () => "s",
      ),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    await client.close();
    expect(server.of("DELETE")).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test.each([
    ["an error", 500, { code: "HTTP_ERROR", data: { status: 500 } }],
    ["no response", undefined, { code: "SEND_FAILED" }],
  ])("%s to its DELETE is reported, without other effects", async (_name, status, error) => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => {
          if (seen.method !== "DELETE") reply.status(405);
          else if (status !== undefined) reply.status(status);
        },
        () => "s",
      ),
    );
    const { client, transport } = await connected(server, { era: "handshake" });
    const errors: unknown[] = [];
    transport.onerror = (error) => errors.push(error);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shortened = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => timeout(status === undefined ? ms / 40 : ms));
    onTestFinished(() => shortened.mockRestore());
    await client.close();
    expect(shortened).toHaveBeenCalledWith(2_000);
    expect(errors).toMatchObject([error]);
  });

  test("a server may open none", async () => {
    const server = await fakeServer(handshake(R4, list));
    const { client, transport } = await connected(server, { era: "handshake" });
    expect(transport.sessionId).toBeUndefined();
    await client.listTools();
    await client.close();
    expect(server.of("DELETE")).toEqual([]);
    expect(server.of("tools/list")[0]?.headers).not.toHaveProperty("mcp-session-id");
  });

  test.each(["", "with blank", "tab\tinside", "é"])("ignores the invalid id %j", async (id) => {
    const server = await fakeServer(handshake(R4, list, () => id));
    const { client, transport } = await connected(server, { era: "handshake" });
    expect(transport.sessionId).toBeUndefined();
    await client.listTools();
  });

  test("terminateSession ends it, and accepts 405", async () => {
    let status = 500;
    const server = await fakeServer(
      handshake(
        R4,
        (_, reply) => reply.status(status),
        () => "s",
      ),
    );
    const { transport } = await connected(server, { era: "handshake" });
    await expect(transport.terminateSession()).rejects.toMatchObject({ code: "HTTP_ERROR" });
    expect(transport.sessionId).toBe("s");
    status = 405;
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
    await transport.terminateSession();
    expect(server.of("DELETE")).toHaveLength(2);
  });
});

describe("responses", () => {
  test.each<[string, Script]>([
    ["JSON", (seen, reply) => reply.json(result(seen.message.id, tools))],
    [
      "JSON with a charset",
      (seen, reply) =>
        reply.json(result(seen.message.id, tools), 200, { "content-type": "Application/JSON; charset=utf-8" }),
    ],
    [
      "a stream",
      (seen, reply) =>
        reply
          .events()
          .send({ data: result(seen.message.id, tools) })
          .end(),
    ],
    [
      "a stream of events with the name message",
      (seen, reply) =>
        reply
          .events()
          .send({ event: "message", data: result(seen.message.id, tools) })
          .end(),
    ],
    [
      "a stream that begins with an empty event",
      (seen, reply) =>
        reply
          .events()
          .send({ id: "1", data: "" })
          .send({ id: "2", data: result(seen.message.id, tools) })
          .end(),
    ],
    [
      "a stream with comments and other events",
      (seen, reply) =>
        reply
          .events()
          .raw(": hello\n\nevent: ping\ndata: {nothing\n\n")
          .send({ data: result(seen.message.id, tools) })
          .end(),
    ],
    [
      "a stream with carriage returns",
      (seen, reply) =>
        reply
          .events()
          .raw(`\ufeffdata: ${JSON.stringify(result(seen.message.id, tools))}\r\n\r\n`)
          .end(),
    ],
    [
      "a stream with a message on several lines",
      (seen, reply) =>
        reply
          .events()
          .send({ data: JSON.stringify(result(seen.message.id, tools), null, 1) })
          .end(),
    ],
    ["a stream that stays open", (seen, reply) => void reply.events().send({ data: result(seen.message.id, tools) })],
  ])("arrive as %s", async (_name, answer) => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => (seen.method === "POST" ? answer(seen, reply) : reply.status(405))),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    expect((await client.listTools()).tools).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("closes a stream that stays open after the response", async () => {
    const server = await fakeServer(
      stateless(
        (seen, reply) =>
          void reply
            .events()
            .send({ data: result(seen.message.id, complete({ ...tools, ttlMs: 0, cacheScope: "private" })) }),
      ),
    );
    const { client } = await connected(server);
    await client.listTools();
    await until(() => server.dropped.length === 1);
    expect(server.dropped[0]?.message.method).toBe("tools/list");
  });

  test("decodes characters that are split between chunks", async () => {
    const server = await fakeServer(
      handshake(R4, async (seen, reply) => {
        if (seen.method !== "POST") return reply.status(405);
        const bytes = new TextEncoder().encode(
          `data: ${JSON.stringify(result(seen.message.id, { tools: [{ name: "a😀é", inputSchema: { type: "object" } }] }))}\n\n`,
        );
        const events = reply.events();
        for (const byte of bytes) {
          events.raw(new Uint8Array([byte]));
          if (byte > 127) await pause(2);
        }
        events.end();
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    expect((await client.listTools()).tools).toMatchObject([{ name: "a😀é" }]);
  });

  test.each([1, 2])("a response to a server request whose connection breaks %d times is posted twice", async (cuts) => {
    let events: EventWriter | undefined;
    const posted: unknown[] = [];
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => {
          const { id, method } = seen.message;
          if (method === "tools/call") {
            events = reply.events().send({ data: { jsonrpc: "2.0", id: "q1", method: "roots/list" } });
            return;
          }
          if (seen.method !== "POST") return reply.status(405);
          if (method !== undefined) return reply.status(202);
          posted.push({ id, ...("result" in seen.message && { result: seen.message["result"] }) });
          if (posted.length <= cuts) return reply.cut();
          reply.status(202);
          events?.send({ data: result(1 + server.of("initialize").length, { content: [] }) }).end();
        },
        () => "s",
      ),
    );
    const { client } = await connected(server, { era: "handshake" }, {}, { capabilities: { roots: {} } });
    client.addRoot({ uri: "file:///a" });
    await client.callTool({ name: "t" });
    const answer = { id: "q1", result: { roots: [{ uri: "file:///a" }] } };
    // After that, the server gets an error.
    expect(posted).toEqual(cuts === 1 ? [answer, answer] : [answer, answer, { id: "q1" }]);
  });

  test("earlier messages belong to their request, and responses to server requests are posted separately", async () => {
    let events: EventWriter | undefined;
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => {
          const { id, method, params, result: answer } = seen.message;
          if (method === "tools/call") {
            const { progressToken } = params?.["_meta"] as { progressToken: unknown };
            events = reply.events();
            events.send({ data: note("notifications/progress", { progressToken, progress: 1 }) });
            events.send({ data: { jsonrpc: "2.0", id: "q1", method: "roots/list" } });
            events.send({ data: note("notifications/message", { level: "info", data: id }) });
            return undefined;
          }
          if (answer !== undefined) {
            reply.status(202);
            events
              ?.send({
                data: result(1 + server.of("initialize").length, {
                  content: [{ type: "text", text: JSON.stringify(answer) }],
                }),
              })
              .end();
            return undefined;
          }
          return reply.status(405);
        },
        () => "s",
      ),
    );
    const { client } = await connected(server, { era: "handshake" }, {}, { capabilities: { roots: {} } });
    client.addRoot({ uri: "file:///a" });
    const heard: unknown[] = [];
    const called = await client.callTool(
      { name: "t" },
      { onProgress: ({ progress }) => heard.push(progress), onNotification: ({ method }) => heard.push(method) },
    );
    expect(called.content).toEqual([{ type: "text", text: '{"roots":[{"uri":"file:///a"}]}' }]);
    expect(heard).toEqual([1, "notifications/message"]);
    expect(server.seen.find(({ message }) => message.id === "q1")?.headers).toMatchObject({ "mcp-session-id": "s" });
  });

  test.each<[string, Script, object]>([
    ["an error", (seen, reply) => reply.json(failure(seen.message.id, -32602)), { code: -32602 }],
    ["an error with status 400", (seen, reply) => reply.json(failure(seen.message.id, -32602), 400), { code: -32602 }],
    ["an error that names no request", (_, reply) => reply.json(failure(undefined, -32700), 400), { code: -32700 }],
    ["an error for id null", (_, reply) => reply.json(failure(null, -32700)), { code: -32700 }],
    [
      "an error on a stream",
      (seen, reply) =>
        reply
          .events()
          .send({ data: failure(seen.message.id, -32603) })
          .end(),
      { code: -32603 },
    ],
    [
      "an error for another request",
      (_, reply) => reply.json(failure("x", -32603), 400),
      { code: "HTTP_ERROR", data: { status: 400 } },
    ],
    [
      "a status",
      (_, reply) => reply.status(418, "short and stout"),
      { code: "HTTP_ERROR", data: { status: 418, body: "short and stout" } },
    ],
    ["404 without a session", (_, reply) => reply.status(404), { code: "HTTP_ERROR", data: { status: 404 } }],
    ["413", (_, reply) => reply.status(413), { code: "HTTP_ERROR", data: { status: 413 } }],
    [
      "a long page",
      (_, reply) => reply.status(500, "x".repeat(2_000_000)),
      { code: "HTTP_ERROR", data: { body: "x".repeat(1_000) } },
    ],
    ["202", (_, reply) => reply.status(202), { code: "HTTP_ERROR", data: { status: 202 } }],
    [
      "a page",
      (_, reply) => reply.status(200, "hi", { "content-type": "text/html" }),
      { code: "HTTP_ERROR", data: { body: "hi" } },
    ],
    [
      "text that is not JSON",
      (_, reply) => reply.status(200, "{", { "content-type": "application/json" }),
      { code: "HTTP_ERROR", data: { body: "{" } },
    ],
    [
      "a response to another request",
      (_, reply) => reply.json(result("x", tools)),
      { code: "HTTP_ERROR", data: { status: 200 } },
    ],
    ["no response", (_, reply) => reply.cut(), { code: "SEND_FAILED" }],
    ["a stream that ends", (_, reply) => reply.events().end(), { code: "RESPONSE_LOST" }],
    ["a stream that breaks off", (_, reply) => reply.events().cut(), { code: "RESPONSE_LOST" }],
    [
      "JSON that breaks off",
      (_, reply) => {
        reply.response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
        setTimeout(() => reply.cut(), 10);
      },
      { code: "RESPONSE_LOST" },
    ],
    // The client rejects these values, so they do not count as responses.
    [
      "a batch, in a revision without batches",
      (seen, reply) => reply.json([result(seen.message.id, { prompts: [] })]),
      { code: "HTTP_ERROR", data: { status: 200 } },
    ],
    [
      "a batch on a stream, in a revision without batches",
      (seen, reply) =>
        reply
          .events()
          .send({ data: [result(seen.message.id, { prompts: [] })] })
          .end(),
      { code: "RESPONSE_LOST" },
    ],
    [
      "a response without id, result or error",
      (seen, reply) => reply.json({ id: seen.message.id, result: { prompts: [] } }),
      { code: "HTTP_ERROR", data: { status: 200 } },
    ],
    [
      "such a response on a stream",
      (seen, reply) =>
        reply
          .events()
          .send({ data: { id: seen.message.id, result: { prompts: [] } } })
          .end(),
      { code: "RESPONSE_LOST" },
    ],
    [
      "an error without code",
      (_, reply) => reply.json({ error: { code: -32602, message: "no" } }, 400),
      { code: "HTTP_ERROR", data: { status: 400 } },
    ],
  ])("fail one request alone: %s", async (_name, answer, error) => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) =>
        seen.message.method === "prompts/list" ? answer(seen, reply) : list(seen, reply),
      ),
    );
    const { client } = await connected(server, { era: "handshake" });
    const [failed, fine] = await Promise.allSettled([client.listPrompts(), client.listTools()]);
    expect(failed).toMatchObject({ status: "rejected", reason: error });
    expect(fine).toMatchObject({ status: "fulfilled", value: tools });
    expect((await client.listTools()).tools).toEqual([]);
  });

  test.each([
    ["before the response", "UND_ERR_HEADERS_TIMEOUT", "SEND_FAILED"],
    ["within the response", "UND_ERR_BODY_TIMEOUT", "RESPONSE_LOST"],
  ])("names the time-out of Node's fetch: %s", async (_name, code, expected) => {
    const server = await fakeServer(handshake(R4, list));
    const failed = new TypeError("failed", { cause: Object.assign(new Error("Timeout Error"), { code }) });
    const fetch = (url: URL, init: RequestInit): Promise<Response> => {
      if (typeof init.body !== "string" || !init.body.includes("tools/call")) return globalThis.fetch(url, init);
      if (expected === "SEND_FAILED") return Promise.reject(failed);
      const body = new ReadableStream({ pull: (controller) => controller.error(failed) });
      return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
    };
    const { client } = await connected(server, { era: "handshake" }, { fetch });
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining(`Timeout Error ${code}: Node's fetch waits at most 300 s`) as unknown,
    });
  });

  test("names a refused connection once", async () => {
    const server = await fakeServer(handshake(R4, list));
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed", { cause }));
    await expect(connected(server, { era: "handshake" }, { fetch })).rejects.toThrow(/: connect ECONNREFUSED [^ ]+$/);
  });

  test("a rejected notification rejects", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => reply.status(seen.method === "POST" ? 400 : 405, "no")),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.connection.notify("notifications/roots/list_changed")).rejects.toMatchObject({
      code: "HTTP_ERROR",
    });
  });

  test("a batch, in the revision that has them", async () => {
    const server = await fakeServer(
      handshake(R2, (seen, reply) => {
        if (seen.message.method === undefined) return reply.status(202);
        return reply.json([note("notifications/message", { level: "info", data: 1 }), result(seen.message.id, tools)]);
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    expect((await client.listTools()).tools).toEqual([]);
  });
});

describe("the stream of messages that belong to no request", () => {
  test.each([400, 404, 405])("is optional, and may get a response with %i", async (status) => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => (seen.method === "GET" ? reply.status(status) : list(seen, reply)),
        () => "s",
      ),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    await until(() => server.story.includes("GET"));
    await pause(30);
    await client.listTools();
    expect(errors).toEqual([]);
    expect(server.of("GET")).toHaveLength(1);
    expect(server.of("initialize")).toHaveLength(1);
  });

  test("delivers notifications and requests", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.method !== "GET") return reply.status(202);
        reply
          .events()
          .send({ data: note("notifications/tools/list_changed") })
          .send({ data: { jsonrpc: "2.0", id: 7, method: "ping" } });
        return undefined;
      }),
    );
    const { client } = clientFor(server);
    let changes = 0;
    client.onChanged("tools", () => changes++);
    await client.connect(new StreamableHTTPClientTransport(server.url), { era: "handshake" });
    await until(() => changes > 0 && server.seen.some(({ message }) => message.id === 7));
    expect(server.seen.find(({ message }) => message.id === 7)?.message).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
  });

  test("is reopened after its last event id, or without an id if there was none", async () => {
    let gets = 0;
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.method !== "GET") return reply.status(202);
        const events = reply.events();
        if (gets++ === 1) events.send({ id: "e-1", data: note("notifications/tools/list_changed") });
        if (gets < 4) events.end();
        return undefined;
      }),
    );
    await connected(server, { era: "handshake" });
    await until(() => gets === 4);
    expect(server.of("GET").map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      undefined,
      "e-1",
      "e-1",
    ]);
  });

  test("is given up after some attempts, which is reported", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => (seen.method === "GET" ? reply.status(503) : list(seen, reply))),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ code: "RESPONSE_LOST" }]);
    expect(server.of("GET")).toHaveLength(4);
    await client.listTools();
  });

  test("does not exist in the stateless era", async () => {
    const server = await fakeServer(stateless((_, reply) => reply.status(400)));
    const { client } = await connected(server);
    await client.close();
    expect(server.story).toEqual(["server/discover"]);
  });
});

describe("cancellation", () => {
  test("in the stateless era closes the stream", async () => {
    const server = await fakeServer(stateless((_, reply) => void reply.events().raw(": begun\n\n")));
    const { client } = await connected(server);
    const controller = new AbortController();
    const call = client.callTool({ name: "t" }, { signal: controller.signal });
    await until(() => server.of("tools/call").length === 1);
    await pause(20);
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await until(() => server.dropped.length === 1);
    expect(server.story).toEqual(["server/discover", "tools/call"]);
  });

  test("in the stateless era ends a request without a response", async () => {
    const server = await fakeServer(stateless(() => undefined));
    const { client } = await connected(server);
    await expect(client.callTool({ name: "t" }, { timeoutMs: 300 })).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await until(() => server.dropped.length === 1);
    expect(server.story).toEqual(["server/discover", "tools/call"]);
  });

  test("in the handshake era is sent, and then the stream is closed", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return void reply.events().raw(": begun\n\n");
        return reply.status(seen.method === "POST" ? 202 : 405);
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    const controller = new AbortController();
    const call = client.callTool({ name: "t" }, { signal: controller.signal });
    await until(() => server.of("tools/call").length === 1);
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await until(() => server.dropped.length === 1);
    expect(server.of("notifications/cancelled")).toHaveLength(1);
  });

  test("of a handshake without a response frees the connection", async () => {
    const server = await fakeServer(() => undefined);
    const { client, transport } = clientFor(server);
    await expect(client.connect(transport, { era: "handshake", timeoutMs: 200 })).rejects.toMatchObject({
      code: "CONNECT_TIMEOUT",
    });
    await until(() => server.dropped.length === 1);
    expect(server.story).toEqual(["initialize"]);
  });
});

describe("closing", () => {
  test("ends all streams and pending requests", async () => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) => {
          if (seen.method === "DELETE") reply.status(200);
          else reply.events().raw(": open\n\n");
        },
        () => "s",
      ),
    );
    const { client } = await connected(server, { era: "handshake" });
    const call = expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await until(() => server.of("tools/call").length === 1 && server.of("GET").length === 1);
    await client.close();
    await call;
    await until(() => server.dropped.length === 2);
  });

  test("a transport can be started again, without its previous state", async () => {
    let sessions = 0;
    const server = await fakeServer(handshake(R4, list, () => `s-${++sessions}`));
    const { client, transport } = await connected(server, { era: "handshake" });
    await client.close();
    await client.connect(transport, { era: "handshake" });
    expect(transport.sessionId).toBe("s-2");
    expect(server.of("initialize").map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, undefined]);
  });

  test("sending before the start or after the end rejects", async () => {
    const transport = new StreamableHTTPClientTransport("http://127.0.0.1:1/");
    const message = { jsonrpc: "2.0", method: "notifications/x" } as const;
    await expect(transport.send(message)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await transport.start();
    await expect(transport.start()).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
    await transport.close();
    await expect(transport.send(message)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await transport.close();
  });
});

describe("options", () => {
  test("requestInit, fetch, and a URL as string or object", async () => {
    const server = await fakeServer(stateless((_, reply) => reply.status(400)));
    const urls: string[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}#part`), {
      requestInit: { headers: [["X-Api-Key", "k"]] },
      fetch: (url, init) => {
        urls.push(url.href);
        return fetch(url, init);
      },
    });
    const { client } = clientFor(server);
    await client.connect(transport);
    expect(urls).toEqual([server.url]);
    expect(server.seen[0]?.headers).toMatchObject({ "x-api-key": "k", "content-type": "application/json" });
  });

  test.each(["ftp://a/b", "nonsense", "file:///a", "http://user:pass@host/"])("rejects the URL %s", (url) => {
    expect(() => new StreamableHTTPClientTransport(url)).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION" }),
    );
  });

  test("a session passed as an option, and resuming its streams", async () => {
    const server = await fakeServer((seen, reply) => {
      if (seen.method !== "GET") return reply.json(result(seen.message.id, {}));
      return reply
        .events()
        .send({ data: result("old", { found: true }) })
        .end();
    });
    const transport = new StreamableHTTPClientTransport(server.url, { sessionId: "s", protocolVersion: R4 });
    const messages: unknown[] = [];
    transport.onmessage = (message) => messages.push(message);
    await transport.start();
    await transport.resumeStream("e-9");
    await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(messages).toEqual([result("old", { found: true }), result(1, {})]);
    expect(
      server.seen.map(({ headers }) => [
        headers["mcp-session-id"],
        headers["mcp-protocol-version"],
        headers["last-event-id"],
      ]),
    ).toEqual([
      ["s", R4, "e-9"],
      ["s", R4, undefined],
    ]);
  });
});

test("a lost listen stream of the stateless era is reopened", async () => {
  let streams = 0;
  const server = await fakeServer((seen, reply) => {
    const { id, method } = seen.message;
    if (method === "server/discover")
      return reply.json({
        ...discovered(id),
        result: { ...(discovered(id) as { result: object }).result, capabilities: { tools: { listChanged: true } } },
      });
    const events = reply.events();
    const meta = { "io.modelcontextprotocol/subscriptionId": id };
    events.send({
      data: note("notifications/subscriptions/acknowledged", {
        notifications: { toolsListChanged: true },
        _meta: meta,
      }),
    });
    events.send({ data: note("notifications/tools/list_changed", { _meta: meta }) });
    if (streams++ === 0) setTimeout(() => events.cut(), 20);
    return undefined;
  });
  const { client, transport } = clientFor(server);
  let changes = 0;
  client.onChanged("tools", () => changes++);
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  await until(() => streams === 2 && changes >= 3);
  expect(server.story).toEqual(["server/discover", "subscriptions/listen", "subscriptions/listen"]);
});
