/** Middleware of the application sends the response instead of the endpoint, such as after a time limit. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { call } from "./messages.js";
import { Subject } from "./subject.js";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const rows: readonly (readonly [string, number, (response: ServerResponse) => unknown])[] = [
  ["before the body is read", 0, (response) => response.end("late")],
  ["while the handler runs", 20, (response) => response.writeHead(503).end("late")],
  ["while the handler runs, without ending the response", 20, (response) => response.writeHead(503).write("late")],
  ["while our stream is open", 200, (response) => response.end()],
];
test.each(rows)("%s: the process continues and keeps no state of the request", async (_, after, take) => {
  const subject = new Subject();
  const handler = createMcpHandler(subject.server, { keepAliveMs: 60 });
  const handle = toNodeHandler(handler);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  process.on("uncaughtException", failed);
  const server = createServer((request, response) => {
    if (after === 0) take(response);
    else setTimeout(() => void take(response), after);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    process.off("uncaughtException", failed);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const controller = new AbortController();
  const sent = after === 0 ? call(1, "unknown") : call(1, "hold", { key: "a" });
  const headers = sent.headers as Record<string, string>;
  const init = { method: "POST", headers, body: JSON.stringify(sent.body), signal: controller.signal };
  await fetch(`http://127.0.0.1:${port}/mcp`, init).catch(() => undefined);
  await pause(300);
  subject.release("a");
  await pause(50);
  expect(failures).toEqual([]);
  expect((handler.endpoint as Endpoint).requestCount).toBe(0);
  expect(subject.server.server.connections.size).toBe(0);
  controller.abort();
});
