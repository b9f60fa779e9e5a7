/** Servers with limits: which requests wait, which are refused, and which do not count. */
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../../../runtime/src/client.js";
import { createGateway, type GatewayServer, callLimits, tasksThrough } from "../../../../runtime/src/gateway.js";
import { McpServer, ResourceTemplate } from "../../../../runtime/src/server.js";
import { tasks as serverTasks } from "../../../../runtime/src/tasks.js";
import { tasks as clientTasks } from "../../../../runtime/src/tasks/client.js";
import { clientOf, eras, errorOf, info, text } from "../../api/pair.js";
import { fetchOf, httpTransport } from "../http.js";
import { join } from "../in-memory.js";

/** A server whose tool `wait` responds when the test lets it. */
function waiting() {
  const server = new McpServer(info);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  server.registerTool("wait", { inputSchema: z.object({ name: z.string() }) }, async ({ name }, { signal }) => {
    started.push(name);
    await new Promise<void>((resolve) => {
      ends.set(name, resolve);
      signal.addEventListener("abort", () => resolve());
    });
    return { content: [{ type: "text", text: name }] };
  });
  server.registerPrompt("hello", {}, () => ({ messages: [] }));
  server.registerResource(
    "page",
    new ResourceTemplate("page:{id}", { complete: { id: () => ["1"] } }),
    {},
    ({ href }) => ({
      contents: [{ uri: href, text: "" }],
    }),
  );
  return { server, started, end: (name: string) => ends.get(name)?.() };
}

function gatewayTo(server: GatewayServer) {
  const gateway = createGateway({ servers: { up: server }, extensions: [tasksThrough()] });
  onTestFinished(() => gateway.close(0));
  return gateway;
}

const call = (client: Client, name: string, signal?: AbortSignal): Promise<string> =>
  client.callTool({ name: "up_wait", arguments: { name } }, signal && { signal }).then(
    () => "ended",
    (error: unknown) => (error as Error).name,
  );

test.each(eras)("calls of a client of %s wait for each other; lists and pings do not wait", async (revision) => {
  const up = waiting();
  const client = await join(
    gatewayTo({ server: up.server, limits: callLimits({ concurrency: 1 }) }),
    clientOf(revision).client,
  );
  const first = call(client, "first");
  await expect.poll(() => up.started).toEqual(["first"]);
  const second = call(client, "second");
  expect((await client.listTools()).tools).toHaveLength(1);
  if (revision === "2025-11-25") await client.ping();
  expect(up.started).toEqual(["first"]);
  up.end("first");
  expect(await first).toBe("ended");
  await expect.poll(() => up.started).toEqual(["first", "second"]);
  up.end("second");
  expect(await second).toBe("ended");
});

test.each(eras)("a cancelled call of %s leaves the queue, or its place", async (revision) => {
  const up = waiting();
  const client = await join(
    gatewayTo({ server: up.server, limits: callLimits({ concurrency: 1, maxWaiting: 1 }) }),
    clientOf(revision).client,
  );
  const [runs, waits] = [new AbortController(), new AbortController()];
  const running = call(client, "running", runs.signal);
  await expect.poll(() => up.started).toEqual(["running"]);
  const second = call(client, "second", waits.signal);
  const full = await errorOf(client.callTool({ name: "up_wait", arguments: { name: "third" } }));
  expect(full.message).toBe('Server "up" is busy: 1 calls run and 1 wait; try again later (limit concurrency)');
  waits.abort();
  expect(await second).toBe("AbortError");
  const fourth = call(client, "fourth");
  runs.abort();
  expect(await running).toBe("AbortError");
  await expect.poll(() => up.started).toEqual(["running", "fourth"]);
  up.end("fourth");
  expect(await fourth).toBe("ended");
});

test.each(eras)("a client of %s that leaves frees its places", async (revision) => {
  const up = waiting();
  const gateway = gatewayTo({ server: up.server, limits: callLimits({ concurrency: 1 }) });
  const [gone, other] = [clientOf(revision).client, clientOf(revision).client];
  await join(gateway, gone);
  await join(gateway, other);
  const lost = ["a", "b", "c"].map((name) => call(gone, name));
  await expect.poll(() => up.started).toEqual(["a"]);
  const served = call(other, "other");
  await gone.close();
  await Promise.all(lost);
  await expect.poll(() => up.started).toEqual(["a", "other"]);
  up.end("other");
  expect(await served).toBe("ended");
});

test("clients have their turns one after the other", async () => {
  const up = waiting();
  const gateway = gatewayTo({ server: up.server, limits: callLimits({ concurrency: 1 }) });
  const busy = await join(gateway, clientOf("2025-11-25").client);
  const other = await join(gateway, clientOf("2025-11-25").client);
  const calls = ["a", "b", "c"].map((name) => call(busy, name));
  await expect.poll(() => up.started).toEqual(["a"]);
  await busy.ping();
  calls.push(call(other, "d"));
  await other.ping();
  for (const name of ["a", "b", "d", "c"]) {
    await expect.poll(() => up.started.at(-1)).toBe(name);
    up.end(name);
  }
  expect(await Promise.all(calls)).toEqual(["ended", "ended", "ended", "ended"]);
});

test("calls, prompts, reads and completions count; one too many is refused with the time to wait", async () => {
  const up = waiting();
  const client = await join(
    gatewayTo({ server: up.server, limits: callLimits({ callsPerMinute: 3 }) }),
    clientOf("2026-07-28").client,
  );
  await client.listTools();
  await client.listResources();
  await client.getPrompt({ name: "up_hello" });
  await client.readResource({ uri: "page:1" });
  await client.complete({ ref: { type: "ref/resource", uri: "page:{id}" }, argument: { name: "id", value: "" } });
  const refused = await errorOf(client.getPrompt({ name: "up_hello" }));
  expect(refused.message).toMatch(
    /^Server "up" accepts 3 calls a minute; try again in \d+ s \(limit callsPerMinute\)$/,
  );
  expect(refused).toMatchObject({ data: { retryAfterMs: expect.any(Number) as number } });
  expect((await client.listPrompts()).prompts).toHaveLength(1);
});

test("over HTTP, a refusal has status 429", async () => {
  const up = waiting();
  const gateway = gatewayTo({ server: up.server, limits: callLimits({ callsPerMinute: 1 }) });
  const { fetch } = fetchOf(gateway);
  const statuses: number[] = [];
  const { client } = clientOf("2026-07-28");
  await client.connect(
    httpTransport(async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    }),
  );
  onTestFinished(() => client.close());
  await client.getPrompt({ name: "up_hello" });
  await errorOf(client.getPrompt({ name: "up_hello" }));
  expect(statuses.at(-1)).toBe(429);
});

test("the messages of a task do not count, and a task keeps no place", async () => {
  const server = new McpServer(info, { extensions: [serverTasks()] });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  server.registerTool("work", { task: "required" }, async () => {
    await ended;
    return { content: [{ type: "text", text: "worked" }] };
  });
  server.registerTool("add", {}, () => ({ content: [{ type: "text", text: "added" }] }));
  const limits = callLimits({ concurrency: 1, callsPerMinute: 2 });
  const { client } = clientOf("2026-07-28", { extensions: [clientTasks()] });
  await join(gatewayTo({ server, limits }), client);
  const working = client.callTool({ name: "up_work" });
  expect(await client.callTool({ name: "up_add" })).toMatchObject({ content: [{ text: "added" }] });
  end();
  expect(await working).toMatchObject({ content: [{ text: "worked" }] });
});

test("limits that callLimits did not return are refused", () => {
  const limits = { concurrency: 1 } as never;
  expect(() => createGateway({ servers: { up: { url: "http://localhost/mcp", limits } } })).toThrow(
    'limits of the server "up" must be what callLimits() returns',
  );
});

test("a result that is too large is an error, and the next one arrives", async () => {
  const server = new McpServer({ name: "large", version: "1.0.0" });
  const inputSchema = z.object({ size: z.number() });
  server.registerTool("work", { inputSchema }, ({ size }) => text("x".repeat(size)));
  const limits = callLimits({ maxBytes: 1_000, concurrency: 1 });
  const { client } = clientOf("2026-07-28");
  await join(createGateway({ servers: { w: { server, limits } } }), client);
  expect(await errorOf(client.callTool({ name: "w_work", arguments: { size: 1_000 } }))).toMatchObject({
    code: -32603,
    message: 'The result of server "w" is larger than 1000 bytes; request less (limit maxBytes)',
  });
  expect(await client.callTool({ name: "w_work", arguments: { size: 10 } })).toMatchObject(text("x".repeat(10)));
});

test("invalid limits are refused at once", () => {
  expect(() => callLimits({ concurrency: 0 })).toThrow("concurrency must be a whole number that is 1 or more, not 0");
});
