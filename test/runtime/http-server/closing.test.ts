/** How an endpoint closes. */
import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { serveHttp, type ServeHttpOptions } from "../../../runtime/src/node.js";
import { hosts } from "./hosts.js";
import { call, type Message, modern, open, plain, R4, request, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const LOG = { meta: { "io.modelcontextprotocol/logLevel": "info" } };
const listen = (id: number) => modern(id, "subscriptions/listen", { notifications: { toolsListChanged: true } });

describe.each(hosts)("$name", ({ open: host }) => {
  async function busy() {
    const subject = new Subject();
    const at = await host(subject.server);
    const session = await open(at, R4);
    const listens = [await at.send(listen(1)), await at.send(listen(2)), await at.send(listen(3))];
    for (const stream of listens) await stream.message();
    const streaming = await at.send(call(4, "hold", { key: "a", first: "x" }, LOG));
    const plainly = at.send(call(5, "hold", { key: "b" }));
    const inSession = session.call(6, "hold", { key: "c" });
    const get = await session.get();
    await until(() => ["a", "b", "c"].every((key) => subject.holds(key)));
    return { subject, at, session, listens, streaming, plainly, inSession, get };
  }

  test("lets running handlers finish, ends subscriptions with their result, and rejects new requests", async () => {
    const { subject, at, session, listens, streaming, plainly, inSession, get } = await busy();
    const closed = at.handler.close(3_000);
    for (const sent of [
      call(7, "echo", { text: "x" }),
      session.sent(request(8, "ping")),
      plain(request(9, "initialize", {})),
    ]) {
      const refused = await at.send(sent);
      expect([refused.status, refused.header("retry-after"), ((await refused.json()) as Message).error?.code]).toEqual([
        503,
        "1",
        -32603,
      ]);
    }
    for (const [index, stream] of listens.entries())
      expect(await stream.messages()).toMatchObject([{ id: index + 1, result: {} }]);
    for (const key of ["a", "b", "c"]) subject.release(key);
    await closed;
    expect(await streaming.messages()).toMatchObject([
      { params: { data: "x" } },
      { id: 4, result: { content: [{ text: "a" }] } },
    ]);
    expect(await (await plainly).json()).toMatchObject({ id: 5, result: { content: [{ text: "b" }] } });
    expect(await (await inSession).json()).toMatchObject({ id: 6, result: { content: [{ text: "c" }] } });
    expect([
      await get.messages(),
      await get.isWhole(),
      subject.aborted,
      subject.server.server.connections.size,
    ]).toEqual([[], true, [], 0]);
  });

  test("lets a handler that waits for the user get the response", async () => {
    const at = await host(new Subject().server);
    const session = await open(at, R4, { capabilities: { elicitation: {} } });
    const asking = await session.call(2, "ask-and-wait");
    const question = (await asking.message()) as Message;
    const closed = at.handler.close(3_000);
    const answer = { action: "accept", content: { name: "Ada" } };
    expect((await session.post({ jsonrpc: "2.0", id: question.id, result: answer })).status).toBe(202);
    expect(await asking.messages()).toMatchObject([{ id: 2, result: { content: [{ text: "hello Ada" }] } }]);
    await closed;
  });

  test("aborts handlers that do not finish in time", async () => {
    const { subject, at, streaming, plainly, inSession } = await busy();
    await at.handler.close(20);
    expect(subject.aborted.sort()).toEqual(["a", "b", "c"]);
    expect(await streaming.isWhole()).toBe(false);
    expect([(await plainly).status, (await inSession).status]).toEqual([503, 404]);
    expect([await (await plainly).json(), await (await inSession).json()]).toMatchObject([
      { id: 5, error: { code: -32603 } },
      { id: 6, error: { code: -32600 } },
    ]);
    for (const key of ["a", "b", "c"]) subject.release(key);
    await turn(5);
    expect(subject.reports).toEqual([]);
  });

  test("can be closed twice, and does not affect other endpoints of the same server", async () => {
    const subject = new Subject();
    const [one, other] = [await host(subject.server), await host(subject.server)];
    const [gone, stays] = [await open(one, R4), await open(other, R4)];
    await Promise.all([one.handler.close(), one.handler.close()]);
    expect((await gone.post(request(1, "ping"))).status).toBe(503);
    expect((await stays.post(request(1, "ping"))).status).toBe(200);
  });
});

describe("serveHttp", () => {
  async function serve(subject: Subject, options?: ServeHttpOptions) {
    const served = await serveHttp(subject.server, options);
    const post = (body: unknown, headers: object = {}) =>
      fetch(served.url, {
        method: "POST",
        headers: { accept: "*/*", "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    return { served, post };
  }

  test("serves only at its url", async () => {
    const { served, post } = await serve(new Subject(), { path: ["/mcp", "/also"] });
    expect(served.url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const sent = call(1, "echo", { text: "x" });
    expect((await post(sent.body, sent.headers)).status).toBe(200);
    for (const [path, status] of [
      ["/also", 200],
      ["/also?a=1", 200],
      ["/", 404],
      ["/mcp/", 404],
      ["/mcp/x", 404],
    ] as const) {
      const url = new URL(path, served.url);
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...(sent.headers as Record<string, string>) },
        body: JSON.stringify(sent.body),
      });
      expect([path, answer.status]).toEqual([path, status]);
    }
    await served.close();
  });

  test("passes requests for other paths to the fallback", async () => {
    const { served, post } = await serve(new Subject(), {
      fallback: ({ url }, response) => response.writeHead(url === "/health" ? 200 : 404).end(url),
    });
    const sent = call(1, "echo", { text: "x" });
    expect((await post(sent.body, sent.headers)).status).toBe(200);
    for (const [path, status] of [
      ["/health", 200],
      ["/other", 404],
    ] as const) {
      const response = await fetch(new URL(path, served.url));
      expect([response.status, await response.text()]).toEqual([status, path]);
    }
    await served.close();
  });

  test("accepts a request line with the whole URL", async () => {
    const { served } = await serve(new Subject(), { path: ["/mcp", "/"] });
    const { body, headers } = call(1, "echo", { text: "x" });
    for (const [path, status] of [
      [served.url.href, 200],
      [`${served.url.href}?a=1`, 200],
      [served.url.origin, 200],
      [`${served.url.origin}?a=1`, 200],
      [`${served.url.origin}/other`, 404],
    ] as const) {
      const sent = httpRequest({
        port: served.url.port,
        path,
        method: "POST",
        headers: headers as OutgoingHttpHeaders,
      });
      sent.end(JSON.stringify(body));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      answer.resume();
      expect([path, answer.statusCode]).toEqual([path, status]);
    }
    await served.close();
  });

  test("closes: answers running requests, rejects new ones with 503, then stops listening", async () => {
    const subject = new Subject();
    const { served, post } = await serve(subject, { graceMs: 3_000 });
    const sent = call(1, "hold", { key: "k" });
    const running = post(sent.body, sent.headers);
    await until(() => subject.holds("k"));
    // It never sends a request, and closing does not wait for it.
    const idle = connect(Number(served.url.port), "127.0.0.1");
    idle.on("error", () => undefined);
    const closed = served.close();
    expect((await post(sent.body, sent.headers)).status).toBe(503);
    subject.release("k");
    expect((await running).status).toBe(200);
    await closed;
    await expect(post(sent.body, sent.headers)).rejects.toThrow();
    idle.destroy();
    await served.close();
  });

  test("closes on signals, and removes its signal listeners", async () => {
    const count = () => process.listenerCount("SIGTERM") + process.listenerCount("SIGINT");
    const before = count();
    const { served, post } = await serve(new Subject());
    expect(count()).toBe(before + 2);
    const [stop] = process.listeners("SIGTERM").slice(-1);
    (stop as () => void)();
    await until(() => !served.server.listening);
    expect(count()).toBe(before);
    await expect(post({})).rejects.toThrow();
  });

  test("requires allowedHosts for an address other than loopback", async () => {
    await expect(serveHttp(new Subject().server, { host: "0.0.0.0" })).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    const warned = once(process, "warning");
    const { served } = await serve(new Subject(), { host: "0.0.0.0", allowedHosts: ["mcp.example"] });
    expect(String(await warned)).toContain("set stateKeys");
    await served.close();
  });

  test("reports a port that is in use, with a remedy", async () => {
    const { served } = await serve(new Subject());
    const { port } = served.url;
    await expect(serveHttp(new Subject().server, { port: Number(port) })).rejects.toMatchObject({
      code: "EADDRINUSE",
      message: `cannot listen on port ${port} of 127.0.0.1: the port is in use; stop the program that listens on it, or choose another port (0: any free port)`,
    });
    await served.close();
  });

  test("reports an address that this machine does not have", async () => {
    const options = { host: "192.0.2.1", allowedHosts: "any", stateKeys: [] } as const;
    await expect(serveHttp(new Subject().server, options)).rejects.toMatchObject({
      code: "EADDRNOTAVAIL",
      message: expect.stringContaining("this machine does not have the address") as string,
    });
  });

  test("serves IPv6 loopback", async () => {
    const { served, post } = await serve(new Subject(), { host: "::1" });
    expect(served.url.host).toMatch(/^\[::1\]:\d+$/);
    const sent = call(1, "echo", { text: "x" });
    expect((await post(sent.body, sent.headers)).status).toBe(200);
    await served.close();
  });
});
