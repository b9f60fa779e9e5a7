/** hono on Node, over a socket: bodies that are large or cut off, and clients that leave. */
import { type Server, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { mcpMiddleware } from "../../../runtime/src/hono.js";
import { call, plain, type Message } from "../http-server/messages.js";
import { Subject } from "../http-server/subject.js";
import type { Sent } from "../http-server/hosts.js";

async function start() {
  const subject = new Subject();
  const mcp = mcpMiddleware(subject.server, { maxBodyBytes: 100_000 });
  const server = serve({ fetch: new Hono().use(mcp).fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(async () => {
    await mcp.handler.close(0);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = ({ headers, body }: Sent, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const echoes = async () => (await (await send(call(9, "echo", { text: "x" }))).json()) as Message;
  return { subject, port, send, echoes };
}

test("bounds bodies", async () => {
  const { send, echoes } = await start();
  expect((await send(call(1, "echo", { text: "x".repeat(200_000) }))).status).toBe(413);
  expect(await echoes()).toMatchObject({ id: 9, result: {} });
});

test("a body that is cut off leaves the application alive", async () => {
  const { port, echoes } = await start();
  const headers = { ...plain("").headers, "content-length": "1000" } as Record<string, string>;
  await new Promise<void>((resolve) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers });
    sent.on("error", () => resolve()).on("close", () => resolve());
    sent.write('{"jsonrpc":', () => sent.destroy());
  });
  expect(await echoes()).toMatchObject({ id: 9, result: {} });
});

test("a client that disconnects aborts its call", async () => {
  const { subject, send, echoes } = await start();
  const leaving = new AbortController();
  const left = send(call(1, "hold", { key: "k" }), leaving.signal).catch(() => "left");
  while (!subject.holds("k")) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  expect(await left).toBe("left");
  while (subject.aborted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  subject.release("k");
  expect(await echoes()).toMatchObject({ id: 9, result: {} });
});
