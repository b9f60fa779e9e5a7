import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client as CoreClient } from "../../../runtime/src/client/core.js";
import { Client, type SendOptions } from "../../../runtime/src/client.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { McpServer } from "../../../runtime/src/server.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A transport that reaches a new server at each start, and whose server can crash. */
function crashing(server: McpServer): Transport & { crash(): void; starts: number; broken: boolean; deaf: boolean } {
  let end: InMemoryTransport | undefined;
  const transport: Transport & { crash(): void; starts: number; broken: boolean; deaf: boolean } = {
    starts: 0,
    broken: false,
    deaf: false,
    async start() {
      transport.starts++;
      if (transport.broken) throw new Error("cannot be started");
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      near.onmessage = (message) => transport.onmessage?.(message);
      near.onclose = (error) => transport.onclose?.(error);
      await (end = near).start();
    },
    send: (message) => (transport.deaf ? undefined : end?.send(message)),
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

test("restarts a server that has exited: calls wait, listeners are called, the era is kept", async () => {
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
  const waiting = [client.callTool({ name: "quick" }), client.listTools()];
  expect(() => client.connection).toThrow("the server is being restarted; call again later");
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  expect(await Promise.all(waiting)).toMatchObject([{ content: [] }, { tools: [{}, {}] }]);
  expect(await client.callTool({ name: "quick" })).toMatchObject({ content: [] });
  expect(transport.starts).toBe(2);
  await client.close();
});

test("calls wait for a restart as long as they may, and fail when the client gives up or is closed", async () => {
  const transport = crashing(library());
  const gaveUp: Error[] = [];
  const restart = { pauseMs: 100, attempts: 1, onGiveUp: (error: Error) => gaveUp.push(error) };
  const client = new Client({ name: "c", version: "1" }, { restart, onerror: () => undefined });
  const failure = async (options?: SendOptions): Promise<unknown> =>
    client.callTool({ name: "quick" }, options).catch((error: unknown) => error);
  await client.connect(transport);
  transport.broken = true;
  transport.crash();
  const aborted = AbortSignal.abort(new Error("aborted"));
  expect(await failure({ signal: aborted })).toEqual(new Error("aborted"));
  const short = failure({ timeoutMs: 50 });
  const long = failure();
  await vi.advanceTimersByTimeAsync(50);
  expect(await short).toMatchObject({ code: "REQUEST_TIMEOUT", message: "the server was not back within 50 ms" });
  expect(gaveUp).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  const message = "the client gave up restarting the server; call connect() to try again";
  expect(await long).toMatchObject({ code: "NOT_CONNECTED", message });
  expect(gaveUp).toMatchObject([{ code: "CONNECTION_CLOSED", message: "the client gave up restarting the server" }]);
  expect(await failure()).toMatchObject({ code: "NOT_CONNECTED", message });

  transport.broken = false;
  await client.connect(transport);
  transport.crash();
  const pending = failure();
  await client.close();
  expect(await pending).toMatchObject({ code: "NOT_CONNECTED" });
  expect(gaveUp).toHaveLength(1);
});

test("a server that exits soon after each restart is not restarted forever", async () => {
  const transport = crashing(library());
  const gaveUp = vi.fn();
  const restart = { attempts: 2, pauseMs: 100, onGiveUp: gaveUp };
  const client = new Client({ name: "c", version: "1" }, { restart });
  await client.connect(transport);
  for (const pauseMs of [100, 200]) {
    transport.crash();
    await vi.advanceTimersByTimeAsync(pauseMs);
    await vi.waitFor(() => expect(client.era).toBeDefined());
    await client.listTools();
  }
  transport.crash();
  expect([gaveUp.mock.calls.length, transport.starts]).toEqual([1, 3]);
});

test("a server that does not respond to pings is restarted", async () => {
  vi.useRealTimers();
  const transport = crashing(library());
  const keepAlive = { intervalMs: 20, failures: 1 };
  const revisions = clientSides.filter(({ revision }) => revision === "2025-11-25");
  const closed: unknown[] = [];
  const onclose = (error?: Error): void => {
    closed.push(error?.message);
    transport.deaf = false;
  };
  const client = new CoreClient(
    { name: "c", version: "1" },
    { revisions, keepAlive, restart: { pauseMs: 0 }, onclose, onerror: () => undefined },
  );
  await client.connect(transport);
  transport.deaf = true;
  await vi.waitFor(() => expect(closed).toEqual(["the peer did not respond; missing responses: 1"]));
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
