import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { StreamableHTTPClientTransportOptions } from "../../../runtime/src/client/http.js";
import { type Connected, clientFor, connected, quick } from "./clients.js";
import {
  type EventWriter,
  type FakeServer,
  fakeServer,
  handshake,
  note,
  pause,
  result,
  type Script,
  until,
} from "./fake-server.js";

const R2 = "2025-03-26";
const R4 = "2025-11-25";
const changed = note("notifications/tools/list_changed");

/** Responds to every POST; the test controls the stream. */
const onGet = (get: Script, revision = R4, session?: () => string): Script =>
  handshake(
    revision,
    (seen, reply) => {
      if (seen.method === "GET") return get(seen, reply);
      return seen.message.id === undefined
        ? reply.status(202)
        : reply.json(result(seen.message.id, { tools: [], contents: [] }));
    },
    session,
  );

const cursors = (server: FakeServer): unknown[] => server.of("GET").map(({ headers }) => headers["last-event-id"]);

/** A client that counts its notifications. */
async function listening(
  server: FakeServer,
  options: StreamableHTTPClientTransportOptions = {},
): Promise<Connected & { readonly heard: string[] }> {
  const made = clientFor(server, options);
  const heard: string[] = [];
  made.client.onChanged("tools", () => heard.push("tools"));
  await made.client.connect(made.transport, { era: "handshake" });
  await made.client.subscribeResource({ uri: "file:///a" }, (uri) => heard.push(uri));
  return { ...made, heard };
}

describe("the stream of messages that belong to no request", () => {
  test.each([
    [R2, 400],
    [R4, 400],
    [R4, 404],
    [R4, 405],
    [R4, 410],
  ])("%s: resumes without an event that the server rejects with %i, and reports a gap", async (revision, status) => {
    let events: EventWriter | undefined;
    const server = await fakeServer(
      onGet(({ headers }, reply) => {
        if (headers["last-event-id"] !== undefined) return reply.status(status);
        const isFirst = !events;
        events = reply.events();
        if (isFirst) events.send({ id: "e-1", data: changed }).end();
        return undefined;
      }, revision),
    );
    const { client, heard, errors } = await listening(server);
    await until(() => cursors(server).length === 3 && heard.includes("file:///a"));
    expect(cursors(server)).toEqual([undefined, "e-1", undefined]);
    const before = heard.length;
    events?.send({ data: changed });
    await until(() => heard.length > before);
    await client.listTools();
    expect(errors).toEqual([]);
  });

  test("that breaks without event ids is opened again, and reports a gap", async () => {
    const server = await fakeServer(
      onGet((_, reply) => {
        const events = reply.events();
        if (cursors(server).length === 1) events.end();
      }),
    );
    const { heard, errors } = await listening(server);
    await until(() => cursors(server).length === 2 && heard.includes("tools") && heard.includes("file:///a"));
    expect(errors).toEqual([]);
  });

  test("reports no gap when it resumes after the last event", async () => {
    const server = await fakeServer(
      onGet((_, reply) => {
        const events = reply.events();
        if (cursors(server).length === 1) events.send({ id: "e-1", data: "" }).end();
        else events.send({ id: "e-2", data: changed });
      }),
    );
    const { heard } = await listening(server);
    await until(() => heard.length > 0);
    await pause(20);
    expect(heard).toEqual(["tools"]);
    expect(cursors(server)).toEqual([undefined, "e-1"]);
  });

  test("that the server still considers open is requested until it notices", async () => {
    const server = await fakeServer(
      onGet((_, reply) => {
        const { length } = cursors(server);
        if (length === 2 || length === 3) return reply.status(409);
        const events = reply.events();
        if (length === 1) events.send({ id: "e-1", data: changed }).end();
        return undefined;
      }),
    );
    const { errors } = await listening(server);
    await until(() => cursors(server).length === 4);
    expect(cursors(server)).toEqual([undefined, "e-1", "e-1", "e-1"]);
    expect(errors).toEqual([]);
  });

  test.each([
    ["with an event id", "e-1"],
    ["without one", undefined],
  ])("is requested again after an outage, once requests succeed: %s", async (_name, id) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    let isDown = false;
    let events: EventWriter | undefined;
    const server = await fakeServer(
      onGet((_, reply) => {
        if (isDown) return reply.status(503);
        events = reply.events().send({ ...(id !== undefined && { id }), data: changed });
        return undefined;
      }),
    );
    const reconnectionOptions = { ...quick, maxReconnectionDelay: 60_000 };
    const { client, heard, errors } = await listening(server, { reconnectionOptions });
    await until(() => heard.length > 0);
    isDown = true;
    events?.end();
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ code: "RESPONSE_LOST" }]);
    const tries = cursors(server).length;
    expect(tries).toBe(1 + quick.maxRetries);
    // Only after a while, regardless of the number of requests.
    for (let round = 0; round < 20; round++) await client.listTools();
    expect(cursors(server)).toHaveLength(tries);
    isDown = false;
    vi.advanceTimersByTime(60_001);
    expect(cursors(server)).toHaveLength(tries);
    heard.length = 0;
    await client.listTools();
    await until(() => heard.length > 0);
    expect(cursors(server).slice(1)).toEqual(Array(quick.maxRetries + 1).fill(id));
    // Without an event id, anything may have been missed.
    if (id === undefined) await until(() => heard.includes("file:///a"));
    expect(errors).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 405, 406, 501])("that never opened is not requested again: %i", async (status) => {
    const server = await fakeServer(
      onGet(
        (_, reply) => reply.status(status),
        R4,
        () => "s",
      ),
    );
    const reconnectionOptions = { ...quick, maxReconnectionDelay: 1 };
    const { client } = await connected(server, { era: "handshake" }, { reconnectionOptions });
    await until(() => cursors(server).length > 0);
    for (let round = 0; round < 3; round++) {
      await pause(10);
      await client.listTools();
    }
    expect(cursors(server)).toHaveLength(1);
  });

  test("with a too long event id resumes without it", async () => {
    const server = await fakeServer(
      onGet((_, reply) => {
        const events = reply.events();
        if (cursors(server).length === 1)
          events.send({ id: "e-1", data: "" }).raw(`id: e-2\ndata: ${"x".repeat(100_000)}`);
      }),
    );
    const reconnectionOptions = { ...quick, maxReconnectionDelay: 1 };
    const { client, errors } = await listening(server, { reconnectionOptions, maxMessageBytes: 5_000 });
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ code: "LIMIT_EXCEEDED" }]);
    await pause(10);
    await client.listTools();
    await until(() => cursors(server).length === 2);
    expect(cursors(server)).toEqual([undefined, undefined]);
  });
});

describe("a server that closes each stream at once, with a retry time of 0", () => {
  test.each([
    ["with an id", "id: 1\nretry: 0\n\n"],
    ["without an id", "retry: 0\n\n"],
    ["with an empty event", "id: 1\nretry: 0\ndata:\n\n"],
    ["with a message", `id: 1\nretry: 0\ndata: ${JSON.stringify(changed)}\n\n`],
  ])("gets a few requests per second: %s", async (_name, text) => {
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.method === "GET" || seen.message.method === "tools/call") return reply.events().raw(text).end();
        return reply.status(202);
      }),
    );
    const { client } = await connected(server, { era: "handshake" }, { reconnectionOptions: {} });
    const call = client.callTool({ name: "t" }).catch(() => undefined);
    await pause(300);
    expect(cursors(server).length).toBeLessThan(8);
    await client.close();
    await call;
  });

  test.each([
    ["less and less often, if it sends no data", 0, [150, 225, 337, 506, 759, 1_000, 1_000, 1_000]],
    ["as often as its retry time allows, if that is not too often", 2_000, Array(8).fill(2_000) as number[]],
  ])("gets requests %s", async (_name, retry, least) => {
    const delays: number[] = [];
    const server = await fakeServer(
      handshake(R4, (seen, reply) => {
        if (seen.message.method === "tools/call") return reply.events().send({ id: "0", retry, data: "" }).end();
        if (seen.method !== "GET") return reply.status(202);
        if (seen.headers["last-event-id"] === undefined) return reply.status(405);
        if (delays.length < least.length)
          return reply
            .events()
            .send({ id: String(delays.length), retry })
            .end();
        return reply
          .events()
          .send({ data: result(server.of("tools/call")[0]?.message.id, { content: [] }) })
          .end();
      }),
    );
    const reconnectionScheduler = (reconnect: () => void, delay: number): undefined => {
      delays.push(delay);
      reconnect();
    };
    const { client } = await connected(
      server,
      { era: "handshake" },
      { reconnectionScheduler, reconnectionOptions: { maxRetries: 2 } },
    );
    await client.callTool({ name: "t" });
    expect(delays).toHaveLength(least.length);
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual(least[index] ?? Infinity);
      expect(delay).toBeLessThanOrEqual((least[index] ?? 0) * 1.1 + 2);
    });
  });
});

test("a scheduler that closes the client stops the reconnection, and its timer is cancelled", async () => {
  const server = await fakeServer(onGet((_, reply) => reply.events().send({ id: "1" }).end()));
  let calledOff = 0;
  const made = clientFor(server, {
    reconnectionScheduler: () => {
      void made.client.close();
      return () => {
        calledOff++;
      };
    },
  });
  await made.client.connect(made.transport, { era: "handshake" });
  await until(() => calledOff > 0);
  await pause(20);
  expect([calledOff, server.of("GET").length, made.client.era]).toEqual([1, 1, undefined]);
});
