import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { McpServer } from "../../../runtime/src/server.js";
import { type ServeStdioOptions, serveStdio, StdioServerTransport } from "../../../runtime/src/stdio.js";

const listeners = () => process.listenerCount("SIGTERM") + process.listenerCount("SIGINT");

function serve() {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: "test", version: "1.0.0" });
  return { near, far, server, ...serveStdio(server, { transport: far }) };
}

test("the process handles signals itself again once the client has left", async () => {
  const before = listeners();
  const { near, connection } = serve();
  const opened = await connection;
  expect(listeners()).toBe(before + 2);
  await near.start();
  await near.close();
  await expect.poll(() => opened.isOpen).toBe(false);
  expect(listeners()).toBe(before);
});

test("and once the server has been closed", async () => {
  const before = listeners();
  const served = serve();
  await served.close();
  expect(listeners()).toBe(before);
});

test("and if it cannot be served", async () => {
  const before = listeners();
  const { server, far, connection } = serve();
  await connection;
  await expect(serveStdio(server, { transport: far }).connection).rejects.toMatchObject({ code: "ALREADY_CONNECTED" });
  expect(listeners()).toBe(before + 2);
  await (await connection).close();
  expect(listeners()).toBe(before);
});

test("and if that fails synchronously", () => {
  const before = listeners();
  const broken = {
    connect: () => {
      throw new Error("broken");
    },
  };
  expect(() => serveStdio(broken, { transport: InMemoryTransport.createLinkedPair()[0] })).toThrow("broken");
  expect(listeners()).toBe(before);
});

test.each(["opened", "closed"] as const)("a signal does not report that a transport cannot be %s", async (what) => {
  const broken = () => Promise.reject(new Error("broken"));
  const [far] = InMemoryTransport.createLinkedPair();
  const problems: unknown[] = [];
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  const onerror = (error: Error) => problems.push(error);
  const server = new McpServer({ name: "test", version: "1.0.0" }, { onerror });
  if (what === "opened") far.start = broken;
  else far.close = broken;
  const { connection, closed } = serveStdio(server, { transport: far });
  const outcome = connection.catch((error: unknown) => error);
  if (what === "closed") await connection;
  process.listeners("SIGTERM").at(-1)?.("SIGTERM");
  await outcome;
  await closed;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
  expect(problems).toEqual(what === "closed" ? [new Error("broken")] : []);
});

/** A server whose tool runs until it is released, and its client's ends of the streams. */
async function serveSlowTool(options?: ServeStdioOptions) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = new McpServer({ name: "test", version: "1.0.0" });
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let began!: () => void;
  const running = new Promise<void>((resolve) => (began = resolve));
  const signals: AbortSignal[] = [];
  server.registerTool("slow", {}, async ({ signal }) => {
    signals.push(signal);
    began();
    await released;
    return { content: [{ type: "text", text: "done" }] };
  });
  const handle = serveStdio(server, { ...options, transport: new StdioServerTransport(stdin, stdout) });
  const order: string[] = [];
  void handle.closed.then(() => order.push("closed"));
  await handle.connection;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "slow", arguments: {}, _meta: meta };
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
  await running;
  return { ...handle, stdin, stdout, release, order, signals };
}

describe("closed", () => {
  test.each(["the end of the input", "a signal", "close"])("resolves after running calls, at %s", async (how) => {
    const served = await serveSlowTool();
    const { stdin, stdout, release, order, closed } = served;
    const output = text(stdout).then((all) => order.push(all.includes('"done"') ? "result" : all));
    if (how === "close") void served.close();
    else if (how === "a signal") process.listeners("SIGTERM").at(-1)?.("SIGTERM");
    else stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual([]);
    release();
    await closed;
    await output;
    expect(order.sort()).toEqual(["closed", "result"]);
  });

  test("resolves when the output fails", async () => {
    const { stdout, closed, release } = await serveSlowTool();
    stdout.destroy();
    release();
    await closed;
  });

  test("resolves when the transport cannot be opened", async () => {
    const [far] = InMemoryTransport.createLinkedPair();
    far.start = () => Promise.reject(new Error("broken"));
    const { closed, connection } = serveStdio(new McpServer({ name: "test", version: "1" }), { transport: far });
    await expect(connection).rejects.toThrow("broken");
    await closed;
  });
});

test("graceMs applies to the end of the input, too", async () => {
  const { stdin, closed, signals } = await serveSlowTool({ graceMs: 60_000 });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  stdin.end();
  await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(signals[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(signals[0]?.aborted).toBe(true);
  await closed;
});
