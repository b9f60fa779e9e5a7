import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { connected } from "./clients.js";
import { complete, fakeServer, type Reply, result, type Script, stateless, until } from "./fake-server.js";

const hints = { ttlMs: 0, cacheScope: "private" };
const tools = complete({ tools: [], ...hints });
const big = 2 ** 20;

/** Writes as long as the client reads. */
function endless(reply: Parameters<Script>[1], chunk: string): void {
  const { response } = reply;
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

describe("a hostile server fails one request, and uses no memory", () => {
  test.each<[string, Script, object]>([
    [
      "a line without end",
      (_, reply) => {
        reply.events();
        endless(reply, "data: " + "x".repeat(60_000));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "a comment without end",
      (_, reply) => {
        reply.events().raw(":");
        endless(reply, "x".repeat(60_000));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "an event without end",
      (_, reply) => {
        reply.events();
        endless(reply, `data: ${"x".repeat(1_000)}\n`);
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "an event name without end",
      (_, reply) => {
        reply.events().raw("event: ");
        endless(reply, "x".repeat(60_000));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "a message that is too long",
      (seen, reply) =>
        reply
          .events()
          .send({ data: result(seen.message.id, { ...tools, more: "x".repeat(2 * big) }) })
          .end(),
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "JSON without end",
      (_, reply) => {
        reply.response.writeHead(200, { "content-type": "application/json" });
        endless(reply, " ".repeat(60_000));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "JSON whose declared length is too long",
      (_, reply) => {
        reply.response.writeHead(200, { "content-type": "application/json", "content-length": String(2 ** 40) });
        endless(reply, " ".repeat(60_000));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "highly compressed JSON",
      (_, reply) => {
        reply.response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(gzipSync(" ".repeat(100 * big)));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "highly compressed events",
      (_, reply) => {
        reply.response
          .writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
          .end(gzipSync(`data: ${" ".repeat(100 * big)}`));
      },
      { code: "LIMIT_EXCEEDED" },
    ],
    [
      "an error page without end",
      (_, reply) => {
        reply.response.writeHead(500);
        endless(reply, "x".repeat(60_000));
      },
      { code: "HTTP_ERROR", data: { status: 500 } },
    ],
    [
      "a message that is nested too deeply to be one",
      (_, reply) =>
        reply
          .events()
          .send({ data: "[".repeat(200_000) })
          .end(),
      { code: "RESPONSE_LOST" },
    ],
    [
      "a stream of responses to other requests",
      (_, reply) => {
        const events = reply.events();
        for (let id = 1_000; id < 2_000; id++) events.send({ data: result(id, tools) });
        events.end();
      },
      { code: "RESPONSE_LOST" },
    ],
  ])("%s", async (_name, answer, error) => {
    const server = await fakeServer(
      stateless((seen, reply) =>
        seen.message.method === "tools/call" ? answer(seen, reply) : reply.json(result(seen.message.id, tools)),
      ),
    );
    const { client } = await connected(server, {}, { maxMessageBytes: big });
    const [failed, fine] = await Promise.allSettled([client.callTool({ name: "t" }), client.listTools()]);
    expect(failed).toMatchObject({ status: "rejected", reason: error });
    expect(fine.status).toBe("fulfilled");
    expect((await client.listTools()).tools).toEqual([]);
    // Nothing is left open.
    await until(() => server.seen.filter(({ message }) => message.method === "tools/call").length === 1);
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("text that is not JSON on a stream is reported, and the response still counts", async () => {
    const server = await fakeServer(
      stateless((seen, reply) =>
        reply
          .events()
          .send({ data: "{" })
          .send({ data: "\u0000" })
          .send({ event: "message", data: result(seen.message.id, tools) })
          .end(),
      ),
    );
    const { client, errors } = await connected(server);
    await client.listTools();
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE" }, { code: "INVALID_MESSAGE" }]);
  });

  const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)]);
  test.each<[string, Parameters<typeof connected>[2], number, boolean]>([
    ["1,000 levels", {}, 998, true],
    ["1,001 levels", {}, 999, false],
    ["one level more than `maxDepth`", { maxDepth: 10 }, 9, false],
  ])("a response with %s", async (_name, options, levels, isRead) => {
    const server = await fakeServer(
      stateless((seen, reply) => reply.json(result(seen.message.id, { ...tools, more: deep(levels) }))),
    );
    const { client, errors } = await connected(server, {}, options);
    const listed = client.listTools();
    if (isRead) expect((await listed).tools).toEqual([]);
    else {
      await expect(listed).rejects.toMatchObject({
        code: "INVALID_MESSAGE",
        message: expect.stringContaining("nested deeper") as string,
      });
      expect(errors).toEqual([]);
    }
  });

  test.each([
    ["JSON", (reply: Reply, message: object): unknown => reply.json(message)],
    ["a stream that stays open", (reply: Reply, message: object): unknown => reply.events().send({ data: message })],
  ])("a response with too many values, as %s, fails its request", async (_name, send) => {
    let closed: Promise<unknown> | undefined;
    const server = await fakeServer(
      stateless((seen, reply) => {
        closed = once(reply.response, "close");
        send(reply, result(seen.message.id, { ...tools, more: Array.from({ length: 2_000 }, () => 0) }));
      }),
    );
    const { client } = await connected(server, {}, { maxValues: 1_000 });
    await expect(client.listTools()).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: "The message has more than 1000 values (option maxValues)",
    });
    await closed;
  });

  test("the stream of a response that is nested too deeply is closed", async () => {
    let closed: Promise<unknown> | undefined;
    const server = await fakeServer(
      stateless((seen, reply) => {
        closed = once(reply.response, "close");
        reply.events().send({ data: result(seen.message.id, { ...tools, more: deep(999) }) });
      }),
    );
    const { client } = await connected(server);
    await expect(client.listTools()).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    await closed;
  });

  test("messages after the response have no effect", async () => {
    const server = await fakeServer(
      stateless((seen, reply) =>
        reply
          .events()
          .send({ data: result(seen.message.id, tools) })
          .send({ data: result(seen.message.id, tools) })
          .send({ data: "{" })
          .cut(),
      ),
    );
    const { client } = await connected(server);
    await client.listTools().catch(() => undefined);
    server.script = stateless((seen, reply) => reply.json(result(seen.message.id, tools)));
    await client.listTools();
  });

  test("a request in the stateless era gets no response", async () => {
    const server = await fakeServer(
      stateless((seen, reply) =>
        reply
          .events()
          .send({ data: { jsonrpc: "2.0", id: 1, method: "roots/list" } })
          .send({ data: result(seen.message.id, tools) })
          .end(),
      ),
    );
    const { client, errors } = await connected(server, {}, {}, { capabilities: { roots: {} } });
    await client.listTools();
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
    expect(server.story).toEqual(["server/discover", "tools/list"]);
  });
});

describe("redirects", () => {
  const secret = { requestInit: { headers: { authorization: "Bearer secret" } } };
  const moved =
    (status: number, location: string): Script =>
    (_, reply) =>
      reply.status(status, "", { location });

  test.each([301, 302, 303, 307, 308])("to another origin are never followed: %i", async (status) => {
    const other = await fakeServer(stateless(() => undefined));
    const server = await fakeServer(moved(status, other.url));
    await expect(connected(server, {}, secret)).rejects.toMatchObject({
      code: "HTTP_ERROR",
      message: expect.stringContaining(other.url) as unknown,
      data: { status },
    });
    expect(other.seen).toEqual([]);
  });

  test.each([301, 302, 303, 300, 305])("that change the method are not followed: %i", async (status) => {
    const server = await fakeServer((seen, reply) =>
      seen.path === "/mcp" ? moved(status, "/new")(seen, reply) : undefined,
    );
    await expect(connected(server)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status } });
    expect(server.seen).toHaveLength(1);
  });

  test.each([307, 308])("within the origin are followed, with method, headers and body: %i", async (status) => {
    const server = await fakeServer((seen, reply) =>
      seen.path === "/mcp"
        ? moved(status, "/new")(seen, reply)
        : stateless((_, end) => end.json(result(seen.message.id, tools)))(seen, reply),
    );
    const { client } = await connected(server, {}, secret);
    await client.listTools();
    expect(
      server.seen.map(({ path, headers, message }) => [
        path,
        headers.authorization,
        headers["mcp-method"],
        message.method,
      ]),
    ).toEqual(
      ["server/discover", "tools/list"].flatMap((method) =>
        ["/mcp", "/new"].map((path) => [path, "Bearer secret", method, method]),
      ),
    );
  });

  test("in a circle are stopped", async () => {
    const server = await fakeServer(moved(307, "/mcp"));
    await expect(connected(server)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 307 } });
    expect(server.seen.length).toBeLessThan(10);
  });

  test.each(["http://", "", "javascript:alert(1)"])("without a valid target are reported: %j", async (location) => {
    const server = await fakeServer((_, reply) => {
      reply.response.writeHead(308, { location }).end();
    });
    await expect(connected(server)).rejects.toMatchObject({ code: "HTTP_ERROR" });
  });
});
