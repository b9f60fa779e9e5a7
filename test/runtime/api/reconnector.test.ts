import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { McpServer } from "../../../runtime/src/server.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A transport that reaches a new server at each start, and whose server can crash. */
function crashing(server: McpServer): Transport & { crash(): void; starts: number; broken: boolean } {
  let end: InMemoryTransport | undefined;
  const transport: Transport & { crash(): void; starts: number; broken: boolean } = {
    starts: 0,
    broken: false,
    async start() {
      transport.starts++;
      if (transport.broken) throw new Error("cannot be started");
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      near.onmessage = (message) => transport.onmessage?.(message);
      near.onclose = (error) => transport.onclose?.(error);
      await (end = near).start();
    },
    send: (message) => end?.send(message),
    close: async () => end?.close(),
    crash() {
      const gone = end;
      end = undefined;
      if (gone) gone.onclose = undefined;
      void gone?.close();
      transport.onclose?.(new Error("crashed"));
    },
  };
  return transport;
}

function library(): McpServer {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerTool("slow", {}, () => new Promise(() => undefined));
  server.registerTool("quick", {}, () => ({ content: [] }));
  return server;
}

test("restarts a server that has exited: calls fail, listeners are called, the era is kept", async () => {
  const transport = crashing(library());
  const closed: unknown[] = [];
  const restart = { pauseMs: 100 };
  const client = new Client({ name: "c", version: "1" }, { restart, onclose: (error) => closed.push(error?.message) });
  const changed = vi.fn();
  client.onChanged("tools", changed);
  await client.connect(transport);
  const call = client.callTool({ name: "slow" }).catch((error: unknown) => (error as { code: string }).code);
  transport.crash();
  expect(await call).toBe("CONNECTION_CLOSED");
  expect([closed, transport.starts, changed.mock.calls.length]).toEqual([["crashed"], 1, 0]);
  await expect(client.callTool({ name: "quick" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  expect(await client.callTool({ name: "quick" })).toMatchObject({ content: [] });
  expect(transport.starts).toBe(2);
  await client.close();
});

test("tries as often as allowed, with growing pauses", async () => {
  const transport = crashing(library());
  const errors: string[] = [];
  const restart = { attempts: 2, pauseMs: 100 };
  const client = new Client({ name: "c", version: "1" }, { restart, onerror: (error) => errors.push(error.message) });
  await client.connect(transport);
  transport.broken = true;
  transport.crash();
  const starts: number[] = [];
  for (const ms of [99, 1, 199, 1, 10_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    starts.push(transport.starts);
  }
  expect(starts).toEqual([1, 2, 2, 3, 3]);
  expect(errors).toEqual(["cannot be started", "cannot be started"]);
});

test("a client that is closed while it restarts its server stops trying", async () => {
  const transport = crashing(library());
  const client = new Client({ name: "c", version: "1" }, { restart: { pauseMs: 100 } });
  await client.connect(transport);
  transport.broken = true;
  transport.crash();
  await vi.advanceTimersByTimeAsync(99);
  const closing = vi.advanceTimersByTimeAsync(1);
  await client.close();
  await closing;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.starts).toBeLessThanOrEqual(2);
});

test("the signal of the first connect does not abort later ones", async () => {
  const transport = crashing(library());
  const client = new Client({ name: "c", version: "1" }, { restart: { pauseMs: 100 } });
  const controller = new AbortController();
  await client.connect(transport, { signal: controller.signal });
  controller.abort();
  transport.crash();
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(client.era).toBeDefined());
  expect(await client.callTool({ name: "quick" })).toMatchObject({ content: [] });
  await client.close();
});

test("a client that is closed while it connects stays closed", async () => {
  vi.useRealTimers();
  const [near, far] = InMemoryTransport.createLinkedPair();
  await far.start(); // never responds
  const closed = new Promise<void>((resolve) => (far.onclose = () => resolve()));
  const client = new Client({ name: "c", version: "1" });
  const connecting = client.connect(near).catch((error: unknown) => (error as { code: string }).code);
  await client.close();
  expect(await connecting).toBe("REQUEST_CANCELLED");
  await closed;
  await expect(client.listTools()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});

test.each([
  ["a closed connection", async (client: Client) => client.close()],
  [
    "one whose restart was aborted",
    async (client: Client, transport: { crash(): void }) => (transport.crash(), client.close()),
  ],
])("%s stays closed", async (_what, end) => {
  const transport = crashing(library());
  const client = new Client({ name: "c", version: "1" }, { restart: {} });
  await client.connect(transport);
  await end(client, transport);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.starts).toBe(1);
});
