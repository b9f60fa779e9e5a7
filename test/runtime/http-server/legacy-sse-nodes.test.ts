/** HTTP+SSE of 2024-11-05 over several nodes: POSTs reach other nodes than the stream. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { BackplaneError, MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { deferred } from "../../../runtime/src/timing/deferred.js";
import type { McpServerOptions } from "../../../runtime/src/server.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { type Answer, type Host, hosts, type Sent } from "./hosts.js";
import { initialize, type Message, modern, notification, plain, R1, request, until } from "./messages.js";
import { ada, bob, Subject, text } from "./subject.js";

const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];
const GET: Sent = { method: "GET", headers: { accept: "text/event-stream" } };

/** A backplane that counts the appended entries, and fails on demand. */
class TestedBackplane extends MemoryBackplane {
  appended = 0;
  failure: BackplaneError | undefined;

  override append(...given: Parameters<MemoryBackplane["append"]>): string {
    if (this.failure) throw this.failure;
    this.appended++;
    return super.append(...given);
  }
}

interface Node {
  readonly subject: Subject;
  readonly at: Host;
}

/** Returns one of the nodes, in turns. */
function at(nodes: readonly Node[], index: number): Node {
  const node = nodes[index % nodes.length];
  if (!node) throw new Error("there are no nodes");
  return node;
}

describe.each(hosts)("$name", ({ open: host }) => {
  async function startNode(
    backplane: TestedBackplane,
    options?: McpHandlerOptions,
    more?: McpServerOptions,
  ): Promise<Node> {
    const subject = new Subject({ backplane, stateKeys, ...more });
    subject.server.registerTool("sample", {}, async (context) => {
      const { content } = await context.sample("s", {
        messages: [{ role: "user", content: { type: "text", text: "?" } }],
        maxTokens: 1,
      });
      return text(JSON.stringify(content));
    });
    subject.server.registerTool("progress", { inputSchema: z.object({ key: z.string() }) }, ({ key }, context) => {
      subject.entered.push(key);
      context.progress({ progress: 1, message: key });
      return text(key);
    });
    onTestFinished(() => subject.server.close(0));
    return { subject, at: await host(subject.server, options) };
  }

  async function start(count = 2, options?: McpHandlerOptions) {
    const backplane = new TestedBackplane();
    const nodes = await Promise.all(Array.from({ length: count }, () => startNode(backplane, options)));
    return { backplane, nodes, a: at(nodes, 0), b: at(nodes, 1) };
  }

  /** Opens a stream at one node; each POST goes to the next of the others. */
  async function connect(node: Node, others: readonly Node[], more: Partial<Sent> = {}) {
    const stream = await node.at.send({ ...GET, ...more });
    const { data: path = "" } = await stream.block();
    let count = 0;
    const post = (body: unknown, sent: Partial<Sent> = {}): Promise<Answer> => {
      const { at: other } = at(others, count++);
      return other.send({ principal: more.principal, ...plain(body, sent), path });
    };
    return { stream, path, post };
  }

  async function opened(node: Node, others: readonly Node[], more?: Partial<Sent>, capabilities?: object) {
    const client = await connect(node, others, more);
    expect((await client.post(initialize(R1, capabilities))).status).toBe(202);
    expect(await client.stream.message()).toMatchObject({ id: 0, result: { protocolVersion: R1 } });
    expect((await client.post(notification("notifications/initialized"))).status).toBe(202);
    return client;
  }

  const reportsOf = (nodes: readonly Node[]): Error[] => nodes.flatMap(({ subject }) => subject.reports);

  test("each POST may reach any node; the handlers run where the stream is", async () => {
    const { nodes, a } = await start(3);
    const { stream, path, post } = await opened(a, nodes);
    expect(path).toMatch(/^\/mcp\?sseSession=v1\.k\.[\w-]{100,250}$/);
    for (let id = 1; id <= 9; id++) {
      const posted = await post(request(id, "tools/call", { name: "echo", arguments: { text: `t${id}` } }));
      expect([posted.status, await posted.text()]).toEqual([202, ""]);
      expect(await stream.message()).toMatchObject({ id, result: { content: [{ text: `t${id}` }] } });
    }
    expect(nodes.map(({ subject }) => subject.server.server.connections.size)).toEqual([1, 0, 0]);
    expect(reportsOf(nodes)).toEqual([]);
  });

  test("a sampling request is answered at another node", async () => {
    const { nodes, a, b } = await start();
    const { stream, post } = await opened(a, [b], {}, { sampling: {} });
    await post(request(1, "tools/call", { name: "sample", arguments: {} }));
    const asked: Message = await stream.message();
    expect(asked.method).toBe("sampling/createMessage");
    const result = { role: "assistant", content: { type: "text", text: "!" }, model: "m" };
    expect((await post({ jsonrpc: "2.0", id: asked.id, result })).status).toBe(202);
    expect(await stream.message()).toMatchObject({
      id: 1,
      result: { content: [{ text: '{"type":"text","text":"!"}' }] },
    });
    expect(reportsOf(nodes)).toEqual([]);
  });

  test("progress arrives, and a cancellation that reached another node aborts the handler", async () => {
    const { nodes, a, b } = await start();
    const { stream, post } = await opened(a, [b]);
    const _meta = { progressToken: "p" };
    await post(request(1, "tools/call", { name: "progress", arguments: { key: "k" }, _meta }));
    expect(await stream.message()).toMatchObject({ method: "notifications/progress", params: { progressToken: "p" } });
    expect(await stream.message()).toMatchObject({ id: 1, result: {} });
    await post(request(2, "tools/call", { name: "hold", arguments: { key: "k" } }));
    await until(() => a.subject.holds("k"));
    await post(notification("notifications/cancelled", { requestId: 2 }));
    await until(() => a.subject.aborted.length === 1);
    expect(b.subject.entered).toEqual([]);
    expect(reportsOf(nodes)).toEqual([]);
  });

  test("concurrent POSTs to one node keep their order, and those of several clients are kept apart", async () => {
    const { nodes, a, b } = await start();
    const clients = [await opened(a, [b]), await opened(a, [b]), await opened(b, [a])];
    const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
    const answers = clients.flatMap(({ post }) =>
      keys.map((key, id) => post(request(id + 1, "tools/call", { name: "progress", arguments: { key } }))),
    );
    for (const answer of answers) expect((await answer).status).toBe(202);
    for (const { stream } of clients)
      for (const [index, key] of keys.entries())
        expect(await stream.message()).toMatchObject({ id: index + 1, result: { content: [{ text: key }] } });
    expect(b.subject.entered).toEqual(keys);
    expect(reportsOf(nodes)).toEqual([]);
  });

  test("handlers can read the URL, the address, some headers and the principal of the POST, but no credentials", async () => {
    const { a, b } = await start();
    const seen: unknown[] = [];
    const names = ["user-agent", "traceparent", "x-request-id", "authorization", "cookie", "x-api-key", "x-own"];
    a.subject.server.registerTool("headers", {}, ({ http, principal }) => {
      seen.push(http?.url, principal, ...names.map((name) => http?.header(name)));
      return text("");
    });
    const principal = { ...ada, scopes: ["read"] };
    const { stream, path, post } = await opened(a, [b], { path: "/mcp?key=1", principal });
    const headers = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
    await post(request(1, "tools/call", { name: "headers", arguments: {} }), { headers });
    await stream.message();
    const passed = ["the user-agent", "the traceparent", "the x-request-id"];
    expect(path).toMatch(/^\/mcp\?key=1&sseSession=/);
    expect(seen).toEqual([path, principal, ...passed, undefined, undefined, undefined, undefined]);
  });

  test.each([
    ["another principal", bob],
    ["a request without a principal", undefined],
  ])("rejects POSTs of %s without a message to the other node", async (_, principal) => {
    const { backplane, a, b } = await start();
    const { stream, post } = await opened(a, [b], { principal: ada });
    const before = backplane.appended;
    const foreign = await post(request(1, "ping"), { principal });
    expect([foreign.status, ((await foreign.json()) as Message).id, stream.waiting]).toEqual([404, 1, []]);
    expect(backplane.appended).toBe(before);
    await post(request(2, "ping"));
    expect(await stream.message()).toMatchObject({ id: 2 });
  });

  test("rejects unknown ids without a message to other nodes", async () => {
    const { backplane, a, b } = await start();
    const { path } = await opened(a, [b]);
    const before = backplane.appended;
    const changed = `${path.slice(0, -9)}${path.at(-9) === "A" ? "B" : "A"}${path.slice(-8)}`;
    const node = crypto.randomUUID();
    const ids = [
      "",
      "x",
      node,
      `${node}.${node}`,
      "v1.k.AAAA",
      "v1.x.AAAA",
      "__proto__",
      "x".repeat(10_000),
      "%00",
      "%ff",
    ];
    for (const path of [changed, ...ids.map((id) => `/mcp?sseSession=${id}`)]) {
      const answer = await b.at.send({ ...plain(request(1, "ping")), path });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const named = { ...modern(1, "server/discover"), path: "/mcp?sseSession=x" };
    expect((await b.at.send(named)).status).toBe(200);
    expect(backplane.appended).toBe(before);
  });

  test("rejects POSTs for a stream that has ended", async () => {
    const { backplane, a, b } = await start();
    const { stream, path, post } = await opened(a, [b]);
    stream.cut();
    await until(() => a.subject.server.server.connections.size === 0);
    expect((await post(request(1, "ping"))).status).toBe(404);
    const before = backplane.appended;
    expect((await a.at.send({ ...plain(request(1, "ping")), path })).status).toBe(404);
    expect(backplane.appended).toBe(before);
  });

  test.each([
    ["away", new BackplaneError("unavailable", "it is away"), 503, "1"],
    ["full", new BackplaneError("full", "it is full"), 503, "1"],
    ["too small for the message", new BackplaneError("too-large", "it is too long"), 413, undefined],
  ])("while the backplane is %s, rejects POSTs for other nodes only", async (_, failure, status, retryAfter) => {
    const { backplane, a, b } = await start();
    const { stream, path, post } = await opened(a, [b]);
    backplane.failure = failure;
    const rejected = await post(request(1, "ping"));
    expect([rejected.status, rejected.header("retry-after")]).toEqual([status, retryAfter]);
    expect(((await rejected.json()) as Message).id).toBe(1);
    expect((await a.at.send({ ...plain(request(2, "ping")), path })).status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 2 });
    backplane.failure = undefined;
    expect((await post(request(3, "ping"))).status).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 3 });
    expect(b.subject.reports).toEqual(status === 503 ? [failure] : []);
  });

  test("the limits of the node with the stream apply", async () => {
    const { backplane, b } = await start();
    const small = await startNode(backplane, { maxHeldBytes: 60_000, clientShare: 1 });
    const { stream, post } = await opened(small, [b]);
    const text = "x".repeat(80_000);
    const rejected = await post(request(1, "tools/call", { name: "echo", arguments: { text } }));
    expect([rejected.status, rejected.header("retry-after")]).toEqual([503, "1"]);
    expect(await rejected.json()).toMatchObject({ id: 1, error: { code: -32603, message: /Too many requests/ } });
    await post(request(2, "ping"));
    expect(await stream.message()).toMatchObject({ id: 2 });
  });

  test("the limits of the node that receives the POST apply to requests, and are given back", async () => {
    const { backplane, a } = await start();
    const small = await startNode(backplane, { maxRequests: 1 });
    const { stream, post } = await opened(a, [small]);
    const lost = vi.spyOn(backplane, "append").mockImplementation(() => "1-1");
    const waiting = post(request(1, "ping"));
    await until(() => lost.mock.calls.length === 1);
    const rejected = await post(request(2, "ping"));
    expect([rejected.status, rejected.header("retry-after")]).toEqual([503, "1"]);
    lost.mockRestore();
    expect((await post(notification("notifications/cancelled", { requestId: 9 }))).status).toBe(202);
    small.subject.server.server.node?.end();
    expect((await waiting).status).toBe(503);
    expect(small.at.handler.endpoint).toMatchObject({ requestCount: 0 });
    expect(stream.waiting).toEqual([]);
  });

  const large = "x".repeat(40_000);
  const largeRequest = request(1, "tools/call", { name: "echo", arguments: { text: large } });
  const largeResponse = { jsonrpc: "2.0", id: 9, result: { text: large } };
  const largeNotification = notification("notifications/x", { text: large });
  test.each([
    ["response", largeResponse, largeRequest],
    ["notification", largeNotification, largeRequest],
    ["request", largeRequest, largeResponse],
  ])("a %s that waits takes memory, of which requests and the others have a part each", async (_, message, other) => {
    const { backplane, a } = await start();
    const small = await startNode(backplane, { maxHeldBytes: 60_000, clientShare: 1 });
    const { post } = await opened(a, [small]);
    const lost = vi.spyOn(backplane, "append").mockImplementation(() => "1-1");
    const waiting = post(message);
    await until(() => lost.mock.calls.length === 1);
    const rejected = await post(message);
    expect([rejected.status, rejected.header("retry-after")]).toEqual([503, "1"]);
    lost.mockRestore();
    expect((await post(other)).status).toBe(202);
    small.subject.server.server.node?.end();
    expect((await waiting).status).toBe(503);
    expect(small.at.handler.endpoint).toMatchObject({ requestCount: 0 });
  });

  test("a node that is closing rejects requests, and its streams end", async () => {
    const { nodes, a, b } = await start();
    const { stream, post } = await opened(a, [b]);
    await post(request(1, "tools/call", { name: "hold", arguments: { key: "k" } }));
    await until(() => a.subject.holds("k"));
    const closing = a.at.handler.close(10_000);
    const rejected = await post(request(2, "ping"));
    expect([rejected.status, rejected.header("retry-after")]).toEqual([503, "1"]);
    expect((await post(notification("notifications/cancelled", { requestId: 1 }))).status).toBe(202);
    await closing;
    expect(await stream.messages()).toEqual([]);
    expect((await post(request(3, "ping"))).status).toBe(404);
    expect(reportsOf(nodes)).toEqual([]);
  });

  test("POSTs that wait for another node when theirs is closed get 503", async () => {
    const { backplane, a, b } = await start();
    const { path } = await opened(a, [b]);
    // Messages to the other node arrive no longer.
    vi.spyOn(backplane, "publish").mockImplementation(() => undefined);
    const append = vi.spyOn(backplane, "append").mockImplementation(() => "1-1");
    const pending = b.at.send({ ...plain(request(1, "ping")), path });
    await until(() => append.mock.calls.length > 0);
    await b.subject.server.close(0);
    expect((await pending).status).toBe(503);
  });

  test("a POST that waits for the one before is not sent after the end of its node", async () => {
    const { backplane, a, b } = await start();
    const { post } = await opened(a, [b]);
    const sent = deferred();
    const append = vi.spyOn(backplane, "append").mockImplementation(() => sent.promise.then(() => "1-1") as never);
    const pending = [post(request(1, "ping")), post(request(2, "ping"))];
    const endpoint = b.at.handler.endpoint as Endpoint;
    await until(() => append.mock.calls.length === 1 && endpoint.requestCount === 2);
    b.subject.server.server.node?.end();
    for (const one of pending) expect((await one).status).toBe(503);
    sent.resolve();
    for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(append).toHaveBeenCalledTimes(1);
  });

  test("without common stateKeys, POSTs at other nodes get 404, and the reason is reported once", async () => {
    const backplane = new TestedBackplane();
    const a = await startNode(backplane);
    const b = await startNode(backplane, undefined, { stateKeys: undefined as never });
    const { post } = await connect(a, [b]);
    for (let times = 0; times < 2; times++) expect((await post(initialize(R1))).status).toBe(404);
    // Nodes also report, independently of requests, that their keys differ.
    const reports = b.subject.reports.filter(({ message }) => message.includes("HTTP+SSE"));
    expect(reports).toMatchObject([{ code: "INVALID_CONFIGURATION", message: /same stateKeys/ }]);
  });

  test("opens no stream beyond maxStreams, or while it is closing", async () => {
    const { a } = await start(2, { maxStreams: 2 });
    const answers = await Promise.all([a.at.send(GET), a.at.send(GET), a.at.send(GET)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    answers.forEach((answer) => answer.cut());
    const late = a.at.send(GET);
    await a.at.handler.close(0);
    expect([503, 200]).toContain((await late).status);
    await until(() => a.subject.server.server.connections.size === 0);
  });
});
