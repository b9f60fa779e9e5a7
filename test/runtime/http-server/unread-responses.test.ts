/** Clients that take nothing of a response are disconnected; clients that take it slowly are not. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectHttp2, createServer } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { serveHttp, toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts, type Sent } from "./hosts.js";
import { call, open, R4, turn, until } from "./messages.js";
import { Subject, text } from "./subject.js";

/** More than sockets buffer. */
const size = 16_000_000;

function largeSubject(): Subject {
  const subject = new Subject();
  subject.server.registerTool("large", {}, () => text("x".repeat(size)));
  subject.server.registerTool("huge", {}, () => text("x".repeat(4 * size)));
  subject.server.registerTool("large-stream", {}, (context) => {
    context.log("warning", "first");
    return text("x".repeat(size));
  });
  subject.server.registerTool("large-then-hold", {}, async (context) => {
    context.log("warning", "x".repeat(size));
    await new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
    subject.aborted.push("large-then-hold");
    return text("");
  });
  return subject;
}

const META = { "io.modelcontextprotocol/logLevel": "info" };

async function serve(options: McpHandlerOptions) {
  const subject = largeSubject();
  const served = await serveHttp(subject.server, options);
  onTestFinished(() => served.close());
  /** Sends a request, and reads nothing of the response. */
  const unread = ({ headers = {}, body }: Sent): { socket: Socket; closed: Promise<unknown> } => {
    const content = JSON.stringify(body);
    const lines = Object.entries({ host: "localhost", "content-length": String(content.length), ...headers });
    const socket = connect(Number(served.url.port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).pause();
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n${content}`);
    return {
      socket,
      closed: new Promise((resolve) => served.server.once("connection", (it) => it.on("close", resolve))),
    };
  };
  return { subject, served, unread };
}

describe("node:http", () => {
  test.each([
    ["a JSON response", "large"],
    ["the last event of a stream", "large-stream"],
    ["an earlier event of a stream", "large-then-hold"],
  ])("closes a connection that takes nothing of %s", async (_, name) => {
    const { subject, unread } = await serve({ writeTimeoutMs: 100, keepAliveMs: 0 });
    await unread(call(1, name, undefined, { meta: META })).closed;
    await until(() => subject.server.server.connections.size === 0);
    expect(subject.aborted).toEqual(name === "large-then-hold" ? [name] : []);
  });

  test("keeps a connection that takes a little every 15 seconds, until it stops", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { unread } = await serve({});
    const { socket, closed } = unread(call(1, "huge"));
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    let received = 0;
    let wanted = 0;
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received >= wanted) socket.pause();
    });
    while (wanted < 2 * size) {
      wanted += size / 4;
      socket.resume();
      while (received < wanted && !socket.destroyed) await new Promise(setImmediate);
      vi.advanceTimersByTime(15_000);
    }
    expect(isClosed).toBe(false);
    vi.advanceTimersByTime(80_000);
    await closed;
  });
});

test.each(["large", "large-then-hold"])("HTTP/2: ends a stream of which the client takes nothing: %s", async (name) => {
  const subject = largeSubject();
  const handler = createMcpHandler(subject.server, { writeTimeoutMs: 100, keepAliveMs: 0 });
  const handle = toNodeHandler(handler);
  let closed = 0;
  const listener = createServer((request, response) => {
    response.on("close", () => closed++);
    handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    client.destroy();
    listener.close();
    await handler.close(0);
  });
  const post = ({ headers, body }: Sent) =>
    client.request({ ":method": "POST", ":path": "/mcp", ...headers }).end(JSON.stringify(body));
  post(call(1, name, undefined, { meta: META })).on("error", () => undefined);
  await until(() => closed === 1);
  await until(() => subject.server.server.connections.size === 0);
});

test("fetch: aborts a stream that is not read", async () => {
  const [{ open: host } = { open: undefined }] = hosts;
  const subject = largeSubject();
  const at = await host?.(subject.server, { writeTimeoutMs: 60, keepAliveMs: 0 });
  if (!at) return;
  const stuck = at.unread(call(1, "large-then-hold", undefined, { meta: META }));
  await until(() => subject.aborted.length === 1);
  expect(await stuck.isCut()).toBe(true);
  const session = await open(at, R4);
  const ended = at.unread(
    session.sent({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "large-stream" } }),
  );
  await ended.opened;
  await turn(200);
  expect(await ended.isCut()).toBe(true);
});
