/** An authorization that takes time: what happens with the request, its body and its client meanwhile. */
import { createServer, request as httpRequest } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { bearer, FakeAuthorization, sender, withTokens } from "./fake-authorization.js";
import { hosts, type Sent } from "./hosts.js";
import { call, type Message, modern, open, R4, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

const principal = sender("ada");
const authorized = ({ ...sent }: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, authorization: bearer("ada") },
});

/** An authorization that waits while it is shut, until it is released. */
class Gate {
  isShut = false;
  waiting = 0;
  #release: (() => void)[] = [];
  readonly authorization = new FakeAuthorization({
    before: () => {
      if (!this.isShut) return Promise.resolve();
      this.waiting++;
      return new Promise<void>((resolve) => this.#release.push(resolve));
    },
  });

  release(): void {
    for (const one of this.#release.splice(0)) one();
  }
}

describe.each(hosts)("$name", ({ open: host }) => {
  async function start() {
    const subject = new Subject();
    const gate = new Gate();
    const at = await host(subject.server, { authorization: gate.authorization });
    return { subject, gate, at, connections: () => subject.server.server.connections.size };
  }

  test("a call is not begun for a client that has left", async () => {
    const { subject, gate, at, connections } = await start();
    gate.isShut = true;
    const left = until(() => gate.waiting === 1);
    await at.sendAndLeave(authorized(call(1, "hold", { key: "a" })), left);
    await turn(50);
    gate.release();
    await turn(50);
    expect([subject.entered, connections(), subject.reports]).toEqual([[], 0, []]);
  });

  test("a stream is closed for a client that has left", async () => {
    const { gate, at, connections } = await start();
    const session = await open(withTokens(at), R4, { principal });
    gate.isShut = true;
    const headers = { accept: "text/event-stream" };
    await at.sendAndLeave(
      authorized({ method: "GET", headers }),
      until(() => gate.waiting === 1),
    );
    await at.sendAndLeave(
      authorized({ method: "GET", headers: { ...headers, ...session.headers } }),
      until(() => gate.waiting === 2),
    );
    await turn(50);
    gate.release();
    // Only the session is left, and no stream of it.
    await until(() => connections() === 1);
    gate.isShut = false;
    const stream = await session.get();
    expect((await session.delete()).status).toBe(200);
    expect(await stream.isWhole()).toBe(true);
  });

  test("a request that waits during the shutdown is rejected, and the shutdown does not wait for it", async () => {
    const { subject, gate, at } = await start();
    gate.isShut = true;
    const pending = at.send(authorized(call(1, "hold", { key: "a" })));
    await until(() => gate.waiting === 1);
    await at.handler.close(0);
    gate.release();
    const answer = await pending;
    expect([answer.status, answer.header("retry-after"), subject.entered]).toEqual([503, "1", []]);
  });
});

test("responds with 503 when the authorization takes longer than 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const gate = new Gate();
  gate.isShut = true;
  const subject = new Subject();
  const handler = createMcpHandler(subject.server, { authorization: gate.authorization });
  const { headers, body } = authorized(modern(1, "tools/list"));
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: headers as Record<string, string>,
    body: JSON.stringify(body),
  });
  const pending = handler.fetch(request);
  vi.advanceTimersByTime(30_000);
  const answer = await pending;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(((await answer.json()) as Message).error).toMatchObject({ code: -32603 });
  // That of all deadlines.
  expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  // A late answer changes nothing.
  gate.release();
  await Promise.resolve();
  expect(subject.reports).toEqual([]);
});

test("node:http: reads no body before the sender is known", async () => {
  const gate = new Gate();
  gate.isShut = true;
  const handler = createMcpHandler(new Subject().server, { authorization: gate.authorization });
  const handle = toNodeHandler(handler);
  let flowing: boolean | null | undefined;
  const listener = createServer((request, response) => {
    handle(request, response);
    flowing = request.readableFlowing;
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await handler.close(0);
    listener.closeAllConnections();
    listener.close();
  });
  const { headers, body } = authorized(modern(1, "tools/list"));
  const { port } = listener.address() as AddressInfo;
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    path: "/mcp",
    method: "POST",
    headers: headers as Record<string, string>,
  });
  const status = new Promise((resolve) => outgoing.on("response", (response) => resolve(response.resume().statusCode)));
  outgoing.end(JSON.stringify(body));
  await until(() => gate.waiting === 1);
  expect(flowing).toBe(null);
  gate.release();
  expect(await status).toBe(200);
});

test("HTTP/2: notices that a client has left meanwhile", async () => {
  const gate = new Gate();
  gate.isShut = true;
  const subject = new Subject();
  const handler = createMcpHandler(subject.server, { authorization: gate.authorization });
  const handle = toNodeHandler(handler);
  const listener = createHttp2Server((request, response) => handle(request as never, response as never));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const client = connectHttp2(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await handler.close(0);
    client.destroy();
    listener.close();
  });
  const open = client.request({ ":path": "/mcp", accept: "text/event-stream", authorization: bearer("ada") });
  open.on("error", () => undefined);
  await until(() => gate.waiting === 1);
  open.destroy();
  await turn(50);
  gate.release();
  await turn(50);
  expect([subject.server.server.connections.size, subject.reports]).toEqual([0, []]);
});

test("node:http: shows a second Authorization header, which Node drops", async () => {
  const seen: (string | undefined)[] = [];
  const authorization = new FakeAuthorization({
    before: (request) => {
      seen.push(request.header("authorization"));
      return Promise.resolve();
    },
  });
  const handler = createMcpHandler(new Subject().server, { authorization });
  const handle = toNodeHandler(handler);
  const listener = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await handler.close(0);
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  for (const headers of [
    ["Authorization", "Bearer a"],
    ["Authorization", "Bearer a", "AUTHORIZATION", "Bearer b"],
    ["Authorisation", "Bearer a"],
  ])
    await new Promise((resolve) => {
      httpRequest({ host: "127.0.0.1", port, path: "/mcp", headers: ["Host", "localhost", ...headers] as never })
        .on("response", (response) => resolve(response.resume()))
        .end();
    });
  expect(seen).toEqual(["Bearer a", "Bearer a, Bearer b", undefined]);
});
