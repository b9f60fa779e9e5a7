import { describe, expect, test } from "vitest";
import { clientFor, connected } from "./clients.js";
import {
  complete,
  discovered,
  failure,
  fakeServer,
  handshake,
  R5,
  result,
  type Script,
  serverInfo,
} from "./fake-server.js";

const discover = "server/discover";
const initialize = "initialize";
const initialized = "notifications/initialized";
const R4 = "2025-11-25";

/** Responds to the probe in one way, and to the handshake like a server of 2025-11-25. */
const probed =
  (answer: Script): Script =>
  (seen, reply) =>
    seen.message.method === discover ? answer(seen, reply) : handshake(R4, get405)(seen, reply);
const get405: Script = (_, reply) => reply.status(405);

const unsupported =
  (supported: string[]): Script =>
  (seen, reply) =>
    reply.json(failure(seen.message.id, -32022, { supported, requested: R5 }), 400);

const legacy = [discover, initialize, initialized];

describe("the era that a response to the probe shows", () => {
  test.each<[name: string, answer: Script, story: string[], version: string]>([
    ["a result", (seen, reply) => reply.json(discovered(seen.message.id)), [discover], R5],
    [
      "a result, on a stream",
      (seen, reply) =>
        reply
          .events()
          .send({ data: discovered(seen.message.id) })
          .end(),
      [discover],
      R5,
    ],
    [
      "a result that lists only older revisions",
      (seen, reply) => reply.json(discovered(seen.message.id, [R4])),
      legacy,
      R4,
    ],
    ["400 with a list of older revisions", unsupported([R4]), legacy, R4],
    ["404 for an unknown method", (seen, reply) => reply.json(failure(seen.message.id, -32601), 404), legacy, R4],
    ["200 for an unknown method", (seen, reply) => reply.json(failure(seen.message.id, -32601)), legacy, R4],
    ["400 for missing params", (seen, reply) => reply.json(failure(seen.message.id, -32602), 400), legacy, R4],
    ["400 with an error that names no request", (_, reply) => reply.json(failure(undefined, -32000), 400), legacy, R4],
    ["400 with an error for id null", (_, reply) => reply.json(failure(null, -32000), 400), legacy, R4],
    ["400 without a body", (_, reply) => reply.status(400), legacy, R4],
    ["400 with a page", (_, reply) => reply.status(400, "<html>", { "content-type": "text/html" }), legacy, R4],
    ["404", (_, reply) => reply.status(404), legacy, R4],
    ["405", (_, reply) => reply.status(405), legacy, R4],
    ["406", (_, reply) => reply.status(406), legacy, R4],
    ["415", (_, reply) => reply.status(415), legacy, R4],
    ["202", (_, reply) => reply.status(202), legacy, R4],
    ["200 with a page", (_, reply) => reply.status(200, "<html>", { "content-type": "text/html" }), legacy, R4],
    ["200 with other JSON", (_, reply) => reply.json({ hello: "world" }), legacy, R4],
    ["200 with an unexpected result", (seen, reply) => reply.json(result(seen.message.id, { ok: true })), legacy, R4],
  ])("%s", async (_name, answer, story, version) => {
    const server = await fakeServer(probed(answer));
    const { client } = await connected(server);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.era).toBe(version === R5 ? "stateless" : "handshake");
    expect(server.story.filter((one) => one !== "GET")).toEqual(story);
  });

  test("400 with a list that has its own version: the probe is repeated", async () => {
    let asked = 0;
    const server = await fakeServer((seen, reply) =>
      asked++ === 0 ? unsupported([R5])(seen, reply) : reply.json(discovered(seen.message.id)),
    );
    const { client } = await connected(server);
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    expect(server.story).toEqual([discover, discover]);
  });

  test.each<[name: string, answer: Script, error: object]>([
    [
      "400 with a list of other versions",
      unsupported(["2099-01-01"]),
      { code: "NO_COMMON_REVISION", data: { theirs: ["2099-01-01"] } },
    ],
    ["400 for headers", (seen, reply) => reply.json(failure(seen.message.id, -32020), 400), { code: -32020 }],
    ["400 for a capability", (seen, reply) => reply.json(failure(seen.message.id, -32021), 400), { code: -32021 }],
    [
      "401",
      (_, reply) => reply.status(401, "", { "www-authenticate": "Bearer x" }),
      { code: "HTTP_ERROR", data: { status: 401, wwwAuthenticate: "Bearer x" } },
    ],
    ["403", (_, reply) => reply.status(403, "go away"), { code: "HTTP_ERROR", data: { status: 403, body: "go away" } }],
    [
      "403 with an error",
      (seen, reply) => reply.json(failure(seen.message.id, -32000), 403),
      { code: "HTTP_ERROR", data: { status: 403 } },
    ],
    ["429", (_, reply) => reply.status(429), { code: "HTTP_ERROR", data: { status: 429 } }],
    ["500", (_, reply) => reply.status(500, "oops"), { code: "HTTP_ERROR", data: { status: 500, body: "oops" } }],
    [
      "500 with an error",
      (seen, reply) => reply.json(failure(seen.message.id, -32603), 500),
      { code: "HTTP_ERROR", data: { status: 500 } },
    ],
    ["503", (_, reply) => reply.status(503), { code: "HTTP_ERROR", data: { status: 503 } }],
    ["a connection that is reset", (_, reply) => reply.cut(), { code: "SEND_FAILED" }],
    ["no response", () => undefined, { code: "CONNECT_TIMEOUT" }],
  ])("no era, no handshake: %s", async (_name, answer, error) => {
    const server = await fakeServer(probed(answer));
    const { client, transport } = clientFor(server);
    // Only a server that does not respond makes the client wait that long.
    const timeoutMs = "code" in error && error.code === "CONNECT_TIMEOUT" ? 500 : 20_000;
    await expect(client.connect(transport, { timeoutMs })).rejects.toMatchObject(error);
    expect(server.story).toEqual([discover]);
    expect(client.era).toBeUndefined();
    // The era is not kept: the next connection probes again.
    server.script = (seen, reply) => reply.json(discovered(seen.message.id));
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  });

  test("a lost response is requested once more", async () => {
    let losses = 1;
    const server = await fakeServer(
      probed((seen, reply) => (losses-- > 0 ? reply.events().end() : reply.json(discovered(seen.message.id)))),
    );
    await connected(server);
    expect(server.story).toEqual([discover, discover]);
    expect(new Set(server.seen.map(({ message }) => message.id)).size).toBe(2);
    losses = 2;
    await expect(connected(server)).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    expect(server.story).toEqual([discover, discover, discover, discover]);
  });

  test("a server with a slow response is not an older one", async () => {
    const server = await fakeServer(
      (seen, reply) => void setTimeout(() => reply.json(discovered(seen.message.id)), 100),
    );
    const { client } = await connected(server, { probeTimeoutMs: 10 });
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    expect(server.story).toEqual([discover]);
  });

  test("no server listens", async () => {
    const server = await fakeServer(() => undefined);
    await server.close();
    const url = "http://127.0.0.1:1/mcp";
    const { client, transport } = clientFor({ url });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "SEND_FAILED", data: { url } });
  });
});

describe("a client with revisions of only one era", () => {
  test("the handshake era: it does not probe", async () => {
    const server = await fakeServer(handshake(R4, get405));
    const revisions = (await import("@mcpwright/protocol/client-sides")).clientSides.filter(
      ({ revision }) => revision !== R5,
    );
    const made = clientFor(server, {}, { revisions } as object);
    await made.client.connect(made.transport);
    expect(server.story.filter((one) => one !== "GET")).toEqual([initialize, initialized]);
  });

  test("the stateless era: the error names the reason", async () => {
    const server = await fakeServer(probed((_, reply) => reply.status(400)));
    const revisions = (await import("@mcpwright/protocol/client-sides")).clientSides.filter(
      ({ revision }) => revision === R5,
    );
    const made = clientFor(server, {}, { revisions } as object);
    await expect(made.client.connect(made.transport)).rejects.toMatchObject({ code: "NO_COMMON_REVISION" });
    expect(server.story).toEqual([discover]);
  });
});

describe("a known era", () => {
  test("two endpoints of one origin have different eras", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.path === "/new"
        ? reply.json(discovered(seen.message.id))
        : probed((_, none) => none.status(404))(seen, reply),
    );
    const verdicts = await Promise.all(
      ["/new", "/old"].map(async (path) => {
        const { client } = await connected({ url: new URL(path, server.url).href });
        return client.era;
      }),
    );
    expect(verdicts).toEqual(["stateless", "handshake"]);
  });

  test("handshake, and still right: no probe", async () => {
    const server = await fakeServer(handshake(R4, get405));
    const { client } = await connected(server, { era: "handshake" });
    expect(client.getNegotiatedProtocolVersion()).toBe(R4);
    expect(server.of(discover)).toEqual([]);
  });

  test("handshake, but the server was upgraded: the rejected handshake leads to the stateless era", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.message.method === discover ? reply.json(discovered(seen.message.id)) : unsupported([R5])(seen, reply),
    );
    const { client } = await connected(server, { era: "handshake" });
    expect(client.getNegotiatedProtocolVersion()).toBe(R5);
    expect(server.story).toEqual([initialize, discover]);
  });

  test("stateless, but the server was downgraded: one probe, then the handshake", async () => {
    const server = await fakeServer(probed((_, reply) => reply.status(404)));
    const { client } = await connected(server, { era: "stateless" });
    expect(client.getNegotiatedProtocolVersion()).toBe(R4);
    expect(server.story.filter((one) => one !== "GET")).toEqual(legacy);
  });

  test("stateless, and the server is downgraded between two calls", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.message.method === discover
        ? reply.json(discovered(seen.message.id))
        : reply.json(result(seen.message.id, complete({ tools: [], ttlMs: 0, cacheScope: "private" }))),
    );
    const { client } = await connected(server);
    await client.listTools();
    server.script = probed((_, reply) => reply.status(400));
    const old = handshake(R4, (seen, reply) =>
      seen.method === "GET"
        ? reply.status(405)
        : seen.headers["mcp-method"] !== undefined
          ? reply.status(400)
          : reply.json(result(seen.message.id, { tools: [] })),
    );
    server.script = old;
    expect((await client.listTools()).tools).toEqual([]);
    expect(client.era).toBe("handshake");
    expect(server.story.filter((one) => one !== "GET")).toEqual([
      discover,
      "tools/list",
      "tools/list",
      ...legacy,
      "tools/list",
    ]);
  });

  test.each<[name: string, answer: Script, data: object]>([
    ["202", (_, reply) => reply.status(202), { status: 202 }],
    ["200 with a page", (_, reply) => reply.status(200, "<p>", { "content-type": "text/html" }), { status: 200 }],
    ["200 for another request", (_, reply) => reply.json(result("x", complete({ content: [] }))), { status: 200 }],
    ["409", (_, reply) => reply.status(409, "conflict"), { status: 409, body: "conflict" }],
  ])("stateless, and a call that may have been carried out is not sent again: %s", async (_name, answer, data) => {
    const server = await fakeServer((seen, reply) =>
      seen.message.method === discover ? reply.json(discovered(seen.message.id)) : answer(seen, reply),
    );
    const { client } = await connected(server);
    await expect(client.callTool({ name: "pay" })).rejects.toMatchObject({ code: "HTTP_ERROR", data });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("stateless, and one call gets a foreign response: the server is probed, then the error is reported", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.message.method === discover ? reply.json(discovered(seen.message.id)) : reply.status(404, "nothing here"),
    );
    const { client } = await connected(server);
    await expect(client.listTools()).rejects.toMatchObject({
      code: "HTTP_ERROR",
      data: { status: 404, body: "nothing here" },
    });
    expect(server.story).toEqual([discover, "tools/list", discover]);
  });
});

describe("a negotiated server", () => {
  const empty = { tools: [], content: [], ttlMs: 0, cacheScope: "private" };
  const modern: Script = (seen, reply) =>
    seen.message.method === discover
      ? reply.json(discovered(seen.message.id))
      : reply.json(result(seen.message.id, complete(empty)));

  test("keeps its revision while a gateway in front of it is down", async () => {
    const server = await fakeServer(modern);
    const { client } = await connected(server);
    server.script = (_, reply) => reply.status(404, "no backend");
    await expect(client.listTools()).rejects.toMatchObject({ code: "HTTP_ERROR" });
    server.script = (seen, reply) =>
      seen.headers["mcp-protocol-version"] === R5 ? modern(seen, reply) : reply.status(400);
    expect((await client.listTools()).tools).toEqual([]);
    expect([client.era, client.getNegotiatedProtocolVersion()]).toEqual(["stateless", R5]);
  });

  test("is probed once, however many calls it rejects", async () => {
    const server = await fakeServer(modern);
    const { client } = await connected(server);
    const old = handshake(R4, (seen, reply) =>
      seen.method === "GET" ? reply.status(405) : reply.json(result(seen.message.id, empty)),
    );
    let refuseCall: (() => unknown) | undefined;
    server.script = (seen, reply) => {
      if (seen.headers["mcp-protocol-version"] !== R5) return old(seen, reply);
      if (seen.message.method !== "tools/call") return unsupported([R4])(seen, reply);
      refuseCall = () => unsupported([R4])(seen, reply);
    };
    const called = client.callTool({ name: "slow" });
    await expect.poll(() => refuseCall).toBeDefined();
    await client.listTools();
    refuseCall?.();
    expect((await called).content).toEqual([]);
    expect(server.of(initialize)).toHaveLength(1);
  });
});

describe("a server of HTTP+SSE behind one URL", () => {
  const streams = (status: number): Script => {
    let events: ReturnType<Parameters<Script>[1]["events"]>;
    return (seen, reply) => {
      if (seen.method === "GET") {
        events = reply.events().send({ event: "endpoint", data: "/messages?s=1" });
        return;
      }
      if (seen.path === "/mcp") return reply.status(status, "not here");
      reply.status(202, "Accepted");
      const { id, method } = seen.message;
      if (id !== undefined)
        events.send({
          event: "message",
          data: result(
            id,
            method === initialize
              ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo }
              : { tools: [] },
          ),
        });
    };
  };

  test.each([400, 404, 405])("is detected when it responds to the handshake with %i", async (status) => {
    const server = await fakeServer(streams(status));
    const { client } = await connected(server);
    expect(client.getNegotiatedProtocolVersion()).toBe("2024-11-05");
    expect((await client.listTools()).tools).toEqual([]);
    expect(server.seen.map(({ method, path, message }) => [method, path, message.method])).toEqual([
      ["POST", "/mcp", discover],
      ["POST", "/mcp", initialize],
      ["GET", "/mcp", undefined],
      ["POST", "/messages?s=1", initialize],
      ["POST", "/messages?s=1", initialized],
      ["POST", "/messages?s=1", "tools/list"],
    ]);
  });

  test.each([401, 403, 406, 429, 500])("is not tried when the response to the handshake is %i", async (status) => {
    const server = await fakeServer(streams(status));
    const { client, transport } = clientFor(server);
    await expect(client.connect(transport, { era: "handshake" })).rejects.toMatchObject({
      code: "HTTP_ERROR",
      data: { status },
    });
    expect(server.story).toEqual([initialize]);
  });

  test("does not exist: the response to the handshake is reported", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.method === "GET" ? reply.status(404) : reply.status(405, "no posts"),
    );
    const { client, transport } = clientFor(server);
    await expect(client.connect(transport)).rejects.toMatchObject({
      code: "HTTP_ERROR",
      data: { status: 405, body: "no posts" },
    });
    expect(server.story).toEqual([discover, initialize, "GET"]);
  });

  test("does not exist: a JSON-RPC error is reported as such", async () => {
    const server = await fakeServer((seen, reply) =>
      seen.method === "GET"
        ? reply.status(405)
        : reply.json(failure(seen.message.id, -32000, undefined, "not today"), 400),
    );
    const { client, transport } = clientFor(server);
    await expect(client.connect(transport)).rejects.toMatchObject({ code: -32000, message: "not today" });
  });

  test.each<[string, string]>([
    ["another origin", "http://127.0.0.1:1/messages"],
    ["a name of another host", "//evil.example/messages"],
    ["not a URL", "http://"],
    ["a script", "javascript:alert(1)"],
  ])("is not followed to %s", async (_name, endpoint) => {
    const server = await fakeServer((seen, reply) => {
      if (seen.method === "GET") reply.events().send({ event: "endpoint", data: endpoint });
      else reply.status(404);
    });
    const { client, transport } = clientFor(server);
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 404 } });
    expect(server.story).toEqual([discover, initialize, "GET"]);
  });

  test("ends with its stream", async () => {
    let end = (): void => undefined;
    const script = streams(404);
    const server = await fakeServer(async (seen, reply) => {
      if (seen.method === "GET") end = () => void reply.response.end();
      await script(seen, reply);
    });
    let closed: Error | undefined;
    const { client } = await connected(server, {}, {}, { onclose: (error) => (closed = error) });
    const call = client.listPrompts();
    const refused = expect(call).rejects.toBeDefined();
    end();
    await refused;
    await expect.poll(() => closed).toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});
