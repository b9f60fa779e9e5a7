/** A client that disconnects cancels its request in the stateless era, and never in the handshake era. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { serveHttp, toNodeHandler } from "../../../runtime/src/node.js";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts } from "./hosts.js";
import { call, type Message, modern, notification, open, plain, R4, R5, request, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const LOG = { meta: { "io.modelcontextprotocol/logLevel": "info" } };

describe.each(hosts)("$name", ({ open: host }) => {
  async function start(options?: McpHandlerOptions, backplane?: Backplane) {
    const subject = new Subject({ backplane });
    return { subject, at: await host(subject.server, options) };
  }

  describe("in the stateless era", () => {
    test("during a stream: aborts the handler and keeps no state", async () => {
      const { subject, at } = await start();
      const answer = await at.send(call(1, "hold", { key: "k", first: "first", last: "last" }, LOG));
      await answer.message();
      answer.cut();
      await until(() => subject.aborted.length === 1);
      expect([subject.aborted, subject.server.server.connections.size]).toEqual([["k"], 0]);
      subject.release("k");
      await turn(5);
      expect(subject.reports).toEqual([]);
    });

    test("before a JSON response: aborts the handler", async () => {
      const { subject, at } = await start();
      await at.sendAndLeave(
        call(1, "hold", { key: "k" }),
        until(() => subject.holds("k")),
      );
      await until(() => subject.aborted.length === 1);
      expect(subject.server.server.connections.size).toBe(0);
      subject.release("k");
      await turn(5);
      expect(subject.reports).toEqual([]);
    });

    test("right after the response: aborts nothing", async () => {
      const { subject, at } = await start();
      for (const args of [{ key: "k" }, { key: "k", first: "first" }]) {
        const pending = at.send(call(1, "hold", args, LOG));
        await until(() => subject.holds("k"));
        subject.release("k");
        const answer = await pending;
        await answer.rest();
        answer.cut();
        await turn(10);
        expect([subject.aborted, subject.server.server.connections.size]).toEqual([[], 0]);
      }
    });

    test("ignores a cancellation notification from any client", async () => {
      const { subject, at } = await start();
      const pending = at.send(call(1, "hold", { key: "k" }));
      await until(() => subject.holds("k"));
      const cancel = notification("notifications/cancelled", {
        requestId: 1,
        _meta: { "io.modelcontextprotocol/protocolVersion": R5 },
      });
      expect((await at.send(plain(cancel, { headers: { "mcp-protocol-version": R5 } }))).status).toBe(202);
      await turn(5);
      expect(subject.aborted).toEqual([]);
      subject.release("k");
      expect((await (await pending).json()) as Message).toMatchObject({ id: 1, result: {} });
    });

    test("does not affect other clients", async () => {
      const { subject, at } = await start();
      const stays = at.send(call(1, "hold", { key: "stays" }));
      const leaves = await at.send(call(1, "hold", { key: "leaves", first: "x" }, LOG));
      await until(() => subject.holds("stays") && subject.holds("leaves"));
      leaves.cut();
      await until(() => subject.aborted.length === 1);
      subject.release("stays");
      expect([(await stays).status, subject.aborted]).toEqual([200, ["leaves"]]);
    });

    test.each([
      ["comments", {}],
      ["keepAliveMs: 0", { keepAliveMs: 0 }],
      ["responseMode: json", { responseMode: "json" }],
    ] as const)("with %s: a handler that hangs no longer counts", async (_, options) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const { subject, at } = await start({ ...options, maxRequests: 1 });
      let entered = false;
      subject.server.registerTool("hang", {}, () => {
        entered = true;
        return new Promise<never>(() => undefined);
      });
      const has = (isEntered: () => boolean) => vi.waitFor(() => expect(isEntered()).toBe(true));
      await at.sendAndLeave(
        call(1, "hang"),
        has(() => entered),
      );
      const endpoint = at.handler.endpoint as Endpoint;
      expect(endpoint.requestCount).toBe(1);
      // Without comments, pending requests are looked at every 15 seconds.
      vi.advanceTimersByTime(20_000);
      await has(() => endpoint.requestCount === 0);
      expect(subject.server.server.connections.size).toBe(0);
      expect((await at.send(call(2, "echo", { text: "x" }))).status).toBe(200);
    });

    test("ends a subscription", async () => {
      const { subject, at } = await start();
      const listening = await at.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
      await listening.message();
      expect(subject.server.server.connections.size).toBe(1);
      listening.cut();
      await until(() => subject.server.server.connections.size === 0);
    });
  });

  describe("in the handshake era", () => {
    test.each([
      ["during a stream", "first"],
      ["before a JSON response", undefined],
    ])("%s: the handler continues", async (_, first) => {
      const { subject, at } = await start();
      const session = await open(at, R4);
      const sent = session.sent(
        request(1, "tools/call", { name: "hold", arguments: { key: "k", first, last: "last" } }),
      );
      await at.sendAndLeave(
        sent,
        until(() => subject.holds("k")),
      );
      await turn(20);
      expect([subject.aborted, subject.holds("k")]).toEqual([[], true]);
      // The id stays in use until the handler is done.
      expect((await session.post(request(1, "ping"))).status).toBe(400);
      subject.release("k");
      await until(() => !subject.holds("k"));
      await turn(5);
      expect((await session.post(request(1, "ping"))).status).toBe(200);
      expect(subject.reports).toEqual([]);
    });

    test("without a session, the handler continues, and counts until it is done", async () => {
      const { subject, at } = await start({ sessions: false });
      const sent = plain(request(1, "tools/call", { name: "hold", arguments: { key: "k" } }), {
        headers: { "mcp-protocol-version": R4 },
      });
      await at.sendAndLeave(
        sent,
        until(() => subject.holds("k")),
      );
      await turn(20);
      const endpoint = at.handler.endpoint as Endpoint;
      expect([subject.aborted, endpoint.requestCount]).toEqual([[], 1]);
      subject.release("k");
      await until(() => subject.server.server.connections.size === 0);
      expect(endpoint.requestCount).toBe(0);
    });

    test("the response is stored for a client that resumes", async () => {
      const { subject, at } = await start({}, new MemoryBackplane());
      const session = await open(at, R4);
      const broken = await session.call(1, "hold", { key: "k", first: "first" });
      const { id } = await broken.block();
      await until(() => subject.holds("k"));
      broken.cut();
      subject.release("k");
      const messages = (await (await session.get(id)).messages()) as Message[];
      expect(messages).toMatchObject([{ params: { data: "first" } }, { id: 1, result: {} }]);
    });
  });
});

test("over HTTP/1.1, a client that closes its sending half counts as disconnected", async () => {
  const subject = new Subject();
  const served = await serveHttp(subject.server);
  onTestFinished(() => served.close());
  const { headers, body } = call(1, "hold", { key: "k" });
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: "localhost", "content-length": text.length, ...headers }).map((one) =>
    one.join(": "),
  );
  const socket = connect({ host: "127.0.0.1", port: Number(served.url.port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text}`);
  await until(() => subject.holds("k"));
  socket.end();
  await until(() => subject.aborted.length === 1);
  subject.release("k");
});

test("handles a request from a framework whose client has already disconnected", async () => {
  const subject = new Subject();
  const handler = createMcpHandler(subject.server);
  const handle = toNodeHandler(handler);
  const sent = call(1, "hold", { key: "k" });
  const leaving = new AbortController();
  const listener = createServer((request, response) => {
    request.resume();
    leaving.abort();
    response.on("close", () => setImmediate(() => handle(request, response, { parsedBody: sent.body })));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const headers = sent.headers as Record<string, string>;
  const gone = fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body: "{}", signal: leaving.signal });
  await expect(gone).rejects.toThrow();
  await until(() => subject.aborted.length === 1);
  expect([subject.aborted, subject.server.server.connections.size]).toEqual([["k"], 0]);
  listener.close();
});
