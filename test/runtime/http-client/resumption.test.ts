import { describe, expect, test } from "vitest";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { clientFor, connected, quick } from "./clients.js";
import { type EventWriter, fakeServer, handshake, note, result, type Script, stateless, until } from "./fake-server.js";

const R4 = "2025-11-25";
const called = (text: string): object => ({ content: [{ type: "text", text }] });
/** A GET without an event id opens the stream that belongs to no request. */
const isResuming = ({ method, headers }: Parameters<Script>[0]): boolean =>
  method === "GET" && headers["last-event-id"] !== undefined;

describe("a stream that the server closes before the response", () => {
  test("is polled no sooner than the server asks, and nothing is lost, doubled or mixed", async () => {
    const closed = new Map<string, number>();
    const waits: number[] = [];
    const ids = new Map<string, unknown>();
    const close = (stream: string, events: EventWriter): void => {
      closed.set(stream, performance.now());
      events.end();
    };
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        const { id, method, params } = seen.message;
        const tool = String(params?.["name"]);
        if (method === "tools/call") {
          ids.set(tool, id);
          return close(tool, reply.events().send({ id: `${tool}:0`, data: "", retry: tool === "a" ? 60 : 90 }));
        }
        const cursor = seen.headers["last-event-id"];
        if (typeof cursor !== "string") return reply.status(405);
        const [stream = "", at] = cursor.split(":");
        waits.push(seen.at - (closed.get(stream) ?? 0));
        const events = reply.events();
        if (at === "0") {
          events.send({
            id: `${stream}:1`,
            data: note("notifications/progress", { progressToken: ids.get(stream), progress: 1 }),
          });
          return close(stream, events.send({ retry: stream === "a" ? 130 : 30 }));
        }
        return events.send({ id: `${stream}:2`, data: result(ids.get(stream), called(`of ${stream}`)) }).end();
      }),
    );
    const { client, errors } = await connected(server, { era: "handshake" });
    const heard: string[] = [];
    const call = (name: string) =>
      client.callTool({ name }, { onProgress: ({ progress }) => heard.push(`${name} ${progress}`) });
    const [a, b] = await Promise.all([call("a"), call("b")]);
    expect([a.content, b.content]).toEqual(
      [called("of a"), called("of b")].map((one) => (one as { content: unknown }).content),
    );
    expect(heard.sort()).toEqual(["a 1", "b 1"]);
    const polls = server.seen.filter(isResuming).map(({ headers }) => headers["last-event-id"]);
    expect(polls.sort()).toEqual(["a:0", "a:1", "b:0", "b:1"]);
    const least = new Map([
      ["a:0", 60],
      ["a:1", 130],
      ["b:0", 90],
      ["b:1", 30],
    ]);
    server.seen.filter(isResuming).forEach(({ headers }, index) => {
      expect(waits[index]).toBeGreaterThanOrEqual(least.get(String(headers["last-event-id"])) ?? Infinity);
    });
    for (const { headers } of server.seen.filter(isResuming))
      expect(headers).toMatchObject({ accept: "text/event-stream", "mcp-protocol-version": R4 });
    expect(errors).toEqual([]);
  });

  test("is polled as long as necessary", async () => {
    let polls = 0;
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return reply.events().send({ id: "0", retry: 1, data: "" }).end();
        if (!isResuming(seen)) return reply.status(405);
        if (++polls < 20) return reply.events().send({ retry: 1 }).end();
        return reply
          .events()
          .send({ data: result(server.of("tools/call")[0]?.message.id, called("done")) })
          .end();
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    expect(await client.callTool({ name: "t" })).toMatchObject(called("done"));
    expect(polls).toBe(20);
  });

  test("is given up when it brings no data, and fails only its request", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        const { id, method } = seen.message;
        if (method === "tools/call") return reply.events().send({ id: "0", data: "" }).end();
        if (method === "tools/list") return reply.json(result(id, { tools: [] }));
        return isResuming(seen) ? reply.events().end() : reply.status(405);
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    expect(server.seen.filter(isResuming)).toHaveLength(quick.maxRetries);
    await client.listTools();
  });

  test("survives a temporary outage of the server", async () => {
    let polls = 0;
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") {
          const events = reply.events().send({ id: "0", data: "" });
          return void setTimeout(() => events.cut(), 20);
        }
        if (!isResuming(seen)) return reply.status(405);
        polls++;
        if (polls === 1) return reply.cut();
        if (polls === 2) return reply.status(503);
        return reply
          .events()
          .send({ data: result(server.of("tools/call")[0]?.message.id, called("done")) })
          .end();
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    expect(await client.callTool({ name: "t" })).toMatchObject(called("done"));
  });

  test.each([
    [400, { code: "HTTP_ERROR", data: { status: 400 } }],
    [405, { code: "HTTP_ERROR", data: { status: 405 } }],
  ])("fails its request at once when the event id is rejected with %i", async (status, error) => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return reply.events().send({ id: "0", data: "" }).end();
        return reply.status(isResuming(seen) ? status : 405);
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject(error);
    expect(server.seen.filter(isResuming)).toHaveLength(1);
  });

  test.each<[string, string]>([
    ["only an id", "id: 7\n\n"],
    ["an id and a retry time", "id: 7\nretry: 1\n\n"],
    ["an id after data", 'data: {"jsonrpc":"2.0","method":"notifications/x"}\nid: 7\n\n'],
    ["an id and other line ends", "id:7\r\n\r\n"],
  ])("is resumed after an event with %s", async (_name, event) => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return reply.events().raw(event).end();
        if (!isResuming(seen)) return reply.status(405);
        return reply
          .events()
          .send({ data: result(server.of("tools/call")[0]?.message.id, called("done")) })
          .end();
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    await client.callTool({ name: "t" });
    expect(server.seen.find(isResuming)?.headers["last-event-id"]).toBe("7");
  });

  test("without an event id is lost, and not requested again", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) =>
        seen.message.method === "tools/call"
          ? reply
              .events()
              .send({ data: note("notifications/message", { level: "info", data: 1 }) })
              .end()
          : reply.status(405),
      ),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    expect(server.seen.filter(isResuming)).toEqual([]);
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("is lost in the stateless era, even with ids", async () => {
    const server = await fakeServer(
      stateless((_, reply) => reply.events().send({ id: "5", retry: 1, data: "" }).end()),
    );
    const { client } = await connected(server);
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({
      code: "RESPONSE_LOST",
      message: "the stream ended before the response; the request may have been carried out",
    });
    expect(server.story).toEqual(["server/discover", "tools/call"]);
  });

  const reading = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  test.each<[string, (reply: Parameters<Script>[1]) => void]>([
    ["a stream that ends", (reply) => reply.events().end()],
    ["a stream that breaks off", (reply) => reply.events().cut()],
    [
      "JSON that breaks off",
      (reply) => {
        reply.response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
        setTimeout(() => reply.cut(), 10);
      },
    ],
  ])("is requested once more in the stateless era if that only reads: %s", async (_name, lose) => {
    let losses = 1;
    const server = await fakeServer(
      stateless((seen, reply) =>
        losses-- > 0 ? lose(reply) : reply.json(result(seen.message.id, { ...reading, tools: [], contents: [] })),
      ),
    );
    const { client, errors } = await connected(server);
    await client.listTools();
    const ids = server.of("tools/list").map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(2);
    expect(errors).toEqual([]);
    losses = 2;
    await expect(client.listTools()).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    expect(server.of("tools/list")).toHaveLength(4);
    losses = 1;
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("is not polled any more once its request has timed out", async () => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return reply.events().send({ id: "0", retry: 50, data: "" }).end();
        return reply.status(seen.method === "POST" ? 202 : 405);
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.callTool({ name: "t" }, { timeoutMs: 10 })).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.seen.filter(isResuming)).toEqual([]);
  });
});

describe("event ids", () => {
  test.each([
    ["ASCII", "a b/c=="],
    ["other characters", "päß-世界"],
    ["an id that is cleared", ""],
    ["an id too long for a header", "x".repeat(5_000)],
  ])("%s", async (_name, id) => {
    const usable = id !== "" && id.length < 5_000;
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call")
          return reply.events().send({ id: "first", data: "" }).send({ id, data: "" }).end();
        if (!isResuming(seen)) return reply.status(405);
        return reply
          .events()
          .send({ data: result(server.of("tools/call")[0]?.message.id, called("done")) })
          .end();
      }),
    );
    const { client } = await connected(server, { era: "handshake" });
    const call = client.callTool({ name: "t" });
    if (!usable) return expect(call).rejects.toMatchObject({ code: "RESPONSE_LOST" });
    await call;
    const sent = String(server.seen.find(isResuming)?.headers["last-event-id"]);
    expect(Buffer.from(sent, "latin1").toString()).toBe(id);
    return undefined;
  });
});

describe("waiting", () => {
  test("is left to a scheduler, which gets the delay and the attempt", async () => {
    const asked: [delay: number, attempt: number][] = [];
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call")
          return reply.events().send({ id: "0", retry: 10_000_000_000, data: "" }).end();
        if (!isResuming(seen)) return reply.status(405);
        return asked.length < 3
          ? reply.status(502)
          : reply
              .events()
              .send({ data: result(server.of("tools/call")[0]?.message.id, called("done")) })
              .end();
      }),
    );
    const { client, transport } = clientFor(server, {
      reconnectionScheduler: (reconnect, delay, attempt) => {
        asked.push([delay, attempt]);
        reconnect();
        return undefined;
      },
    });
    await client.connect(transport, { era: "handshake" });
    await client.callTool({ name: "t" });
    expect(asked.map(([, attempt]) => attempt)).toEqual([0, 1, 2]);
    // A delay that no server can mean is shortened.
    for (const [delay] of asked) expect(delay).toBeGreaterThanOrEqual(3_600_000);
    for (const [delay] of asked) expect(delay).toBeLessThan(3_700_000);
  });

  test("grows up to a limit, and differs between clients", async () => {
    const delays: number[] = [];
    const server = await fakeServer(handshake(R4, (seen, reply) => reply.status(seen.method === "GET" ? 503 : 202)));
    const { client, errors } = clientFor(server);
    const transport = new StreamableHTTPClientTransport(server.url, {
      reconnectionOptions: {
        initialReconnectionDelay: 100,
        reconnectionDelayGrowFactor: 2,
        maxReconnectionDelay: 500,
        maxRetries: 6,
      },
      reconnectionScheduler: (reconnect, delay) => {
        delays.push(delay);
        reconnect();
        return undefined;
      },
    });
    await client.connect(transport, { era: "handshake" });
    await until(() => errors.length > 0);
    expect(delays).toHaveLength(6);
    [100, 200, 400, 500, 500, 500].forEach((most, index) => {
      expect(delays[index]).toBeLessThanOrEqual(most);
      expect(delays[index]).toBeGreaterThanOrEqual(most / 2);
    });
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});
