/** A body may take a minute to arrive, also behind a server without time-outs. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serveHttp, toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { Subject } from "../http-server/subject.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";

/** A server without limits of its own, and a request whose body has begun. */
async function begin() {
  const handle = toNodeHandler(createMcpHandler(new Subject().server));
  const server = createServer({ requestTimeout: 0 }, handle);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const arrived = new Promise<IncomingMessage>((resolve) =>
    server.on("request", (request) => request.once("data", () => resolve(request))),
  );
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined).write(`${head}{`);
  return { socket, request: await arrived };
}

test("later it gets 408, and the connection is closed", async () => {
  const { socket } = await begin();
  const answer = text(socket);
  await vi.advanceTimersByTimeAsync(59_000);
  socket.write(" ");
  await vi.advanceTimersByTimeAsync(3_000);
  // The connection lingers for a client that still sends.
  await vi.advanceTimersByTimeAsync(3_000);
  const [first = "", ...rest] = (await answer).toLowerCase().split("\r\n");
  expect(first).toBe("http/1.1 408 request timeout");
  expect(rest).toContain("connection: close");
});

test("in time it gets its answer, and nothing happens later", async () => {
  const { socket, request } = await begin();
  socket.write(`}${" ".repeat(98)}`);
  await once(request, "end");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toContain("HTTP/1.1 400");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test("a client that leaves is forgotten", async () => {
  const { socket, request } = await begin();
  const closed = new Promise((resolve) => request.on("close", resolve));
  socket.destroy();
  await closed;
  await vi.advanceTimersByTimeAsync(70_000);
});

test("serveHttp ends a slow head within a minute, too", async () => {
  const served = await serveHttp(new Subject().server);
  onTestFinished(() => served.close());
  const { headersTimeout, requestTimeout } = served.server;
  expect(Math.max(headersTimeout, requestTimeout)).toBeLessThan(60_000);
});
