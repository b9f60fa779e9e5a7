/** Middleware of the application sends the response instead of the endpoint, such as after a time limit. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "../../../runtime/src/http-server/endpoint.js";
import { toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { call, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

type Condition = (subject: Subject, response: ServerResponse) => boolean;

/** When the application responds: at once, or when a condition is true; and how. */
const rows: readonly (readonly [string, Condition | undefined, (response: ServerResponse) => unknown])[] = [
  ["before the body is read", undefined, (response) => response.end("late")],
  ["while the handler runs", (subject) => subject.holds("a"), (response) => response.writeHead(503).end("late")],
  [
    "while the handler runs, without ending the response",
    (subject) => subject.holds("a"),
    (response) => response.writeHead(503).write("late"),
  ],
  ["while our stream is open", (_, response) => response.headersSent, (response) => response.end()],
];
test.each(rows)("%s: the process continues and keeps no state of the request", async (_, isTime, take) => {
  const subject = new Subject();
  const handler = createMcpHandler(subject.server, { keepAliveMs: 60 });
  const handle = toNodeHandler(handler);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  process.on("uncaughtException", failed);
  const server = createServer((request, response) => {
    if (isTime) void until(() => isTime(subject, response)).then(() => take(response));
    else take(response);
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
  const sent = isTime ? call(1, "hold", { key: "a" }) : call(1, "unknown");
  const headers = sent.headers as Record<string, string>;
  const init = { method: "POST", headers, body: JSON.stringify(sent.body), signal: controller.signal };
  await fetch(`http://127.0.0.1:${port}/mcp`, init).catch(() => undefined);
  // Comments of our stream would be written now.
  await turn(150);
  if (subject.holds("a")) subject.release("a");
  await until(() => (handler.endpoint as Endpoint).requestCount + subject.server.server.connections.size === 0);
  expect(failures).toEqual([]);
  controller.abort();
});
