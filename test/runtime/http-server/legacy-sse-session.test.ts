/** HTTP+SSE of 2024-11-05, on the same endpoint. */
import { describe, expect, test } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, type Host, hosts, type Sent } from "./hosts.js";
import {
  initialize,
  type Message,
  modern,
  notification,
  open,
  plain,
  R1,
  R2,
  R4,
  request,
  turn,
  until,
} from "./messages.js";
import { ada, bob, Subject } from "./subject.js";

const GET: Sent = { method: "GET", headers: { accept: "text/event-stream" } };

describe.each(hosts)("$name", ({ open: host }) => {
  async function connect(at: Host, more: Partial<Sent> = {}) {
    const stream = await at.send({ ...GET, ...more });
    const { event, data: path = "" } = await stream.block();
    const post = (body: unknown, principal = more.principal): Promise<Answer> =>
      at.send({ ...plain(body), path, principal });
    return { stream, event, path, post };
  }

  async function start(options?: McpHandlerOptions) {
    const subject = new Subject();
    return { subject, at: await host(subject.server, options) };
  }

  async function opened(at: Host, more?: Partial<Sent>) {
    const client = await connect(at, more);
    await client.post(initialize(R1));
    await client.stream.message();
    await client.post(notification("notifications/initialized"));
    return client;
  }

  test("sends the endpoint URL and all responses on the stream", async () => {
    const { at } = await start();
    const { stream, event, path, post } = await connect(at, { path: "/mcp?a=1" });
    expect([stream.status, stream.type, event]).toEqual([200, "text/event-stream", "endpoint"]);
    // The query may contain a key, without which the POSTs would be rejected.
    expect(path).toMatch(/^\/mcp\?a=1&sseSession=[\x21-\x7e]{32,}$/);
    const posted = await post(initialize(R1));
    expect([posted.status, await posted.text()]).toEqual([202, ""]);
    expect(await stream.message()).toMatchObject({ id: 0, result: { protocolVersion: R1 } });
    await post(notification("notifications/initialized"));
    await post(request(1, "tools/call", { name: "say", arguments: { lines: ["a"] } }));
    expect(await stream.message()).toMatchObject({ method: "notifications/message", params: { data: "a" } });
    expect(await stream.message()).toMatchObject({ id: 1, result: { content: [{ text: "said" }] } });
  });

  test("without sessions, opens a stream only with legacySse", async () => {
    expect((await (await start({ sessions: false })).at.send(GET)).status).toBe(405);
    expect((await (await start({ sessions: false, legacySse: true })).at.send(GET)).status).toBe(200);
  });

  test("lets clients post to another path than that of the stream", async () => {
    const { at } = await start({ legacySse: { postPath: "/messages" } });
    const { stream, path, post } = await connect(at, { path: "/sse?a=1" });
    expect(path).toMatch(/^\/messages\?a=1&sseSession=[\x21-\x7e]{32,}$/);
    expect((await post(initialize(R1))).status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 0, result: { protocolVersion: R1 } });
  });

  test.each(["messages", "", "//other.example", "/\\other.example", "https://other.example/", "/a?b", "/a\nb"])(
    "rejects the postPath %j",
    async (postPath) => {
      await expect(async () => start({ legacySse: { postPath } })).rejects.toThrow(
        /legacySse\.postPath must be a path/,
      );
    },
  );

  test("serves a request that names a revision, with any query", async () => {
    const { at } = await start();
    expect((await at.send({ ...modern(1, "server/discover"), path: "/mcp?sseSession=x" })).status).toBe(200);
  });

  test("allows a sessionId in the URL", async () => {
    const { at } = await start();
    const path = "/mcp?sessionId=x";
    const opening = await at.send({ ...plain(initialize(R4)), path });
    const headers = { "mcp-session-id": opening.header("mcp-session-id") };
    const ping = await at.send({ ...plain(request(1, "ping"), { headers }), path });
    expect([opening.status, ping.status]).toEqual([200, 200]);
    const { path: postUrl, post } = await connect(at, { path });
    expect([postUrl.startsWith(`${path}&`), (await post(request(2, "ping"))).status]).toEqual([true, 202]);
  });

  test("sends changes, and handles cancellations", async () => {
    const { subject, at } = await start();
    const { stream, post } = await opened(at);
    subject.server.sendToolListChanged();
    expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
    await post(request(1, "tools/call", { name: "hold", arguments: { key: "k" } }));
    await post(notification("notifications/cancelled", { requestId: 1 }));
    await until(() => subject.aborted.length === 1);
  });

  test("requires neither Accept nor a version", async () => {
    const { at } = await start();
    const { stream, path } = await opened(at);
    const headers = { "content-type": "application/json" };
    expect((await at.send({ path, headers, body: request(1, "ping") })).status).toBe(202);
    expect(await stream.message()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("a disconnect ends the session and aborts its handlers", async () => {
    const { subject, at } = await start();
    const { stream, post } = await opened(at);
    await post(request(1, "tools/call", { name: "hold", arguments: { key: "k" } }));
    await until(() => subject.holds("k"));
    stream.cut();
    await until(() => subject.server.server.connections.size === 0);
    expect(subject.aborted).toEqual(["k"]);
    expect((await post(request(2, "ping"))).status).toBe(404);
  });

  test("keeps clients apart", async () => {
    const { at } = await start();
    const [a, b] = [await opened(at), await opened(at)];
    await a.post(request(1, "tools/call", { name: "echo", arguments: { text: "a" } }));
    await b.post(request(1, "tools/call", { name: "echo", arguments: { text: "b" } }));
    expect(await b.stream.message()).toMatchObject({ id: 1, result: { content: [{ text: "b" }] } });
    expect(await a.stream.message()).toMatchObject({ id: 1, result: { content: [{ text: "a" }] } });
  });

  test.each([
    ["another principal", bob],
    ["a request without a principal", undefined],
  ])("the session cannot be used by %s", async (_, principal) => {
    const { at } = await start();
    const { stream, path, post } = await opened(at, { principal: ada });
    const foreign = await at.send({ ...plain(request(1, "ping")), path, principal });
    expect([foreign.status, stream.waiting]).toEqual([404, []]);
    await post(request(2, "ping"), ada);
    expect(await stream.message()).toMatchObject({ id: 2 });
  });

  test("rejects an unknown session", async () => {
    const { at } = await start();
    const answer = await at.send({ ...plain(request(1, "ping")), path: "/mcp?sseSession=nope" });
    expect([answer.status, ((await answer.json()) as Message).id]).toEqual([404, 1]);
  });

  test("writes comments to idle streams", async () => {
    const { at } = await start({ keepAliveMs: 20 });
    const { stream } = await connect(at);
    expect(await stream.block()).toEqual({ comment: "" });
  });

  test("rejects more than maxStreams streams", async () => {
    const { at } = await start({ maxStreams: 1 });
    await connect(at);
    expect((await at.send(GET)).status).toBe(503);
  });

  test("closes the stream of a client that does not read", async () => {
    const { subject, at } = await start({ maxQueuedBytes: 50_000 });
    const stuck = at.unread(GET);
    await stuck.opened;
    const { connections } = subject.server.server;
    const [connection] = connections;
    for (let times = 0; times < 1_000 && connections.size > 0; times++) {
      connection?.notifyInBackground("notifications/message", { level: "info", data: "x".repeat(40_000) });
      if (times % 20 === 0) await turn();
    }
    expect([await stuck.isCut(), connections.size]).toEqual([true, 0]);
  });

  test.each([
    ["false", { legacySse: false }, 400],
    ["the default, where 2024-11-05 is supported", {}, 200],
  ])("legacySse: %s", async (_, options, status) => {
    const { at } = await start(options);
    const answer = await at.send(GET);
    expect(answer.status).toBe(status);
    answer.cut();
  });

  test("serves all HTTP transports at one URL concurrently", async () => {
    const { subject, at } = await start();
    const legacy = await opened(at);
    const sessions = [await open(at, R2), await open(at, R4)];
    const streams = await Promise.all(sessions.map((session) => session.get()));
    const listening = await at.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
    await listening.message();
    subject.server.sendToolListChanged();
    for (const stream of [legacy.stream, ...streams, listening]) {
      expect(await stream.message()).toMatchObject({ method: "notifications/tools/list_changed" });
      expect(stream.waiting).toEqual([]);
    }
    await at.handler.close(0);
    for (const stream of [legacy.stream, ...streams]) expect(await stream.isWhole()).toBe(true);
    expect(await listening.messages()).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
  });
});
