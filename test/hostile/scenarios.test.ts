import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client.js";
import type { MethodHandlers } from "../../runtime/src/connection/dispatch-table.js";
import { InMemoryTransport } from "../../runtime/src/index.js";
import { type McpServerOptions, Server } from "../../runtime/src/server.js";
import { StdioClientTransport, StdioServerTransport } from "../../runtime/src/stdio.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { connectRaw, hostileHandlers, MARKER, type RawPeer } from "./subject.js";
import { scenarios } from "./table.js";

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: "2.0", id, method, params });
const claim = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const canElicit = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

async function until(done: () => boolean): Promise<void> {
  for (let turns = 0; !done() && turns < 2_000; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(done()).toBe(true);
}

/** A server, and a client of it that must not be affected. */
async function withBystander(options?: McpServerOptions) {
  const { server, reports } = hostileHandlers(options);
  const bystander = await connectRaw(server, "in-memory");
  onTestFinished(() => bystander.close());
  return { server, reports, undisturbed: () => answersPing(bystander) };
}

async function answersPing(peer: RawPeer): Promise<void> {
  expect(peer.texts).toStrictEqual([]);
  peer.send(request("alive", "ping"));
  await until(() => peer.texts.length > 0);
  expect(peer.texts.pop()).toBe('{"jsonrpc":"2.0","id":"alive","result":{}}');
}

async function opened(server: ReturnType<typeof hostileHandlers>["server"]): Promise<RawPeer> {
  const peer = await connectRaw(server, "stdio");
  peer.send(request(0, "initialize", hello));
  await until(() => peer.texts.length === 1);
  peer.texts.length = 0;
  return peer;
}

const plays: Readonly<Record<keyof typeof scenarios, () => Promise<void>>> = {
  async truncated() {
    const { server, reports, undisturbed } = await withBystander();
    const peer = await opened(server);
    peer.write('{"jsonrpc":"2.0","id":1,"method":"tools/l');
    peer.endInput();
    await until(() => !peer.connection.isOpen);
    expect(reports.map(({ message }) => message)).toStrictEqual([
      "The stream ended within a message, after 41 bytes of it",
    ]);
    expect([peer.texts, peer.connection.isOpen]).toStrictEqual([[], false]);
    await undisturbed();
  },

  async killed() {
    const { server, undisturbed } = await withBystander();
    const aborted: unknown[] = [];
    server.registerTool("wait-for-end", {}, ({ signal }) => {
      signal.addEventListener("abort", () => aborted.push((signal.reason as { code?: unknown }).code));
      return new Promise(() => undefined);
    });
    const peer = await opened(server);
    peer.send(request(1, "tools/call", { name: "wait-for-end" }));
    peer.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait-');
    await new Promise((resolve) => setImmediate(resolve));
    const ended = peer.connection.shutdown(10);
    peer.endInput();
    await ended;
    expect([aborted, peer.connection.isOpen]).toStrictEqual([["CONNECTION_CLOSED"], false]);
    await undisturbed();
  },

  async stuck() {
    const { server, undisturbed } = await withBystander();
    const closed: unknown[] = [];
    const stdin = new PassThrough();
    const stdout = new Writable({ highWaterMark: 1_000, write: () => undefined });
    const transport = new StdioServerTransport(stdin, stdout, { maxQueuedBytes: 100_000 });
    const connection = await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = (error) => {
      closed.push((error as { code?: unknown } | undefined)?.code);
      onclose?.(error);
    };
    const call = request(1, "tools/call", { name: "echo", arguments: { text: "x".repeat(1_000) }, _meta: claim });
    for (let calls = 0; calls < 1_000 && connection.isOpen; calls++) {
      stdin.write(`${JSON.stringify(call)}\n`);
      if (calls % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
    const readAhead = stdout.writableLength;
    // The server no longer reads from it; messages that the server sends on its own still count.
    expect([stdin.isPaused(), readAhead < 200_000]).toStrictEqual([true, true]);
    for (let told = 0; told < 1_000 && connection.isOpen; told++)
      connection.notifyInBackground("notifications/message", { level: "info", data: "x".repeat(1_000) });
    expect([connection.isOpen, closed]).toStrictEqual([false, ["LIMIT_EXCEEDED"]]);
    await undisturbed();
  },

  async foreignState() {
    const key = (fill: number) => ({ id: "k", key: new Uint8Array(32).fill(fill) });
    const sealed = hostileHandlers({ stateKeys: [key(1)] });
    const { server, reports, undisturbed } = await withBystander({ stateKeys: [key(2)] });
    const params = { name: "ask", arguments: { what: "x" }, _meta: { ...claim, ...canElicit } };
    const [theirs, ours] = [await connectRaw(sealed.server, "in-memory"), await connectRaw(server, "in-memory")];
    theirs.send(request(1, "tools/call", params));
    await until(() => theirs.texts.length === 1);
    const { requestState } = (JSON.parse(theirs.texts[0] ?? "") as { result: { requestState: string } }).result;
    const retry = request(2, "tools/call", { ...params, requestState });
    theirs.send(retry);
    ours.send(retry);
    await until(() => theirs.texts.length === 2 && ours.texts.length === 1);
    expect(theirs.texts[1]).toContain('"resultType":"input_required"');
    expect(ours.texts).toStrictEqual([
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid or expired requestState"}}',
    ]);
    expect(reports).toHaveLength(1);
    await Promise.all([theirs.close(), ours.close()]);
    await undisturbed();
  },

  async lowLevel() {
    const reports: Error[] = [];
    const server = new Server(
      { name: "low", version: "1" },
      { capabilities: { tools: {} }, onerror: (error) => void reports.push(error) },
    );
    const [near, far] = InMemoryTransport.createLinkedPair();
    const received: unknown[] = [];
    near.onmessage = (message) => void received.push(message);
    await near.start();
    await server.connect(far);
    near.send(request(0, "initialize", hello) as never);
    const unreadable = Object.defineProperty({}, "tools", {
      enumerable: true,
      get: () => {
        throw new Error(MARKER);
      },
    });
    const results = [undefined, null, "text", [], 1, unreadable];
    for (const [index, result] of results.entries()) {
      server.handle<MethodHandlers>({ "tools/list": () => result, "tools/call": () => Promise.resolve(result) });
      near.send(request(2 * index + 1, "tools/list") as never);
      near.send(request(2 * index + 2, "tools/call", { name: "x" }) as never);
      await until(() => received.length === 2 * index + 3);
    }
    expect(received.slice(1)).toStrictEqual(
      Array.from({ length: 2 * results.length }, (_, index) => ({
        jsonrpc: "2.0",
        id: index + 1,
        error: { code: -32603, message: "Internal error" },
      })),
    );
    expect(reports).toHaveLength(2 * results.length);
    await near.close();
  },

  async inFlight() {
    const { server, undisturbed } = await withBystander({ limits: { requestsInFlight: 3 } });
    const peer = await opened(server);
    for (let id = 1; id <= 5; id++) peer.send(request(id, "tools/call", { name: "deaf" }));
    await until(() => peer.texts.length === 2);
    const error = { code: -32603, message: "Too many requests in flight; try again later" };
    expect(peer.texts.splice(0).map((text) => JSON.parse(text) as unknown)).toStrictEqual([
      { jsonrpc: "2.0", id: 4, error },
      { jsonrpc: "2.0", id: 5, error },
    ]);
    peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await answersPing(peer);
    await peer.connection.close();
    await undisturbed();
  },

  async subscriptions() {
    const { server, undisturbed } = await withBystander({ limits: { subscriptions: 2 } });
    const peer = await connectRaw(server, "stdio");
    for (let id = 1; id <= 3; id++)
      peer.send(request(id, "subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: claim }));
    await until(() => peer.texts.length === 3);
    expect(peer.texts.splice(0)[2]).toBe(
      '{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Too many subscriptions"}}',
    );
    server.sendToolListChanged();
    await until(() => peer.texts.length === 2);
    await peer.connection.shutdown(10);
    await undisturbed();
  },

  async serverProcess() {
    const folder = temporaryFolder("hostile");
    const outfile = join(folder, "serve.mjs");
    const entry = join(import.meta.dirname, "serve.ts");
    buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
    const child = spawn(process.execPath, [outfile], { env: { ...process.env, SECRET: MARKER }, cwd: folder });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
    const lines: readonly (object | string)[] = [
      "no JSON",
      [request(1, "ping")],
      request(2, "initialize", hello),
      [],
      request(null, "ping"),
      Array.from({ length: 10_000 }, (_, id) => request(`b${id}`, "ping")),
      "[".repeat(100_000),
      "x".repeat(2 ** 24 + 1),
      request(3, "prompts/get", { name: "throw" }),
      request(4, "resources/read", { uri: "test://throw" }),
      request(5, "tools/call", { name: "throw-error" }),
      request(6, "tools/call", { name: "deaf" }),
      request(7, "ping"),
    ];
    for (const line of lines) child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    await until(() => out.includes('"id":7'));
    child.stdin.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}}\n`);
    child.stdin.end('{"jsonrpc":"2.0","id":8,"meth');
    const [code] = (await once(child, "exit")) as [number | null];
    const replies = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id?: unknown; error?: { code: unknown } });
    expect(replies.map(({ id, error }) => [id, error?.code])).toStrictEqual([
      [undefined, -32700],
      [1, -32600],
      [2, undefined],
      [undefined, -32600],
      [undefined, -32600],
      ...Array.from({ length: 10_000 }, (_, id) => [`b${id}`, -32600]),
      [undefined, -32700],
      [undefined, -32600],
      ...[
        [7, undefined],
        [5, undefined],
        [3, -32603],
        [4, -32603],
      ].sort(([a], [b]) => out.indexOf(`"id":${a}`) - out.indexOf(`"id":${b}`)),
    ]);
    expect(out).not.toContain(MARKER);
    expect(out).not.toContain(folder);
    expect(code).toBe(0);
  },

  async clientProcess() {
    const reports: string[] = [];
    const client = new Client(
      { name: "subject", version: "1" },
      { onerror: ({ message }) => void reports.push(message) },
    );
    const server = join(import.meta.dirname, "fixtures/garbage-server.mjs");
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }), { era: "handshake" });
    expect(await client.callTool({ name: "live" })).toMatchObject({ content: [{ type: "text", text: "é😀" }] });
    await expect(client.callTool({ name: "die" })).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      cause: { message: expect.stringMatching(/exited with code 1 in the middle of a message$/) as unknown },
    });
    expect(new Set(reports.map((text) => text.split(":", 1)[0]))).toStrictEqual(
      new Set(["Parse error", "Invalid Request"]),
    );
  },
};

for (const [name, { input }] of Object.entries(scenarios)) test(input, plays[name as keyof typeof scenarios]);
