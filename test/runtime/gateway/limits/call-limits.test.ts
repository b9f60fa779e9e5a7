import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { callLimits, createGateway, type Gateway } from "../../../../runtime/src/gateway.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { clientOf, text, errorOf } from "../../api/pair.js";
import { call as request } from "../../http-server/messages.js";
import { fetchOf } from "../http.js";
import { endOf } from "../in-memory.js";

/** A server whose tool `work` ends when the test says so. */
function worker(): { server: McpServer; started: string[]; finish: (name: string) => void } {
  const server = new McpServer({ name: "worker", version: "1.0.0" });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const inputSchema = z.object({ name: z.string() });
  server.registerTool("work", { inputSchema }, async ({ name }, { signal }) => {
    started.push(name);
    await new Promise<void>((resolve) => {
      ends.set(name, resolve);
      signal.addEventListener("abort", () => resolve());
    });
    return text(name);
  });
  return { server, started, finish: (name) => ends.get(name)?.() };
}

async function connectTo(gateway: Gateway, revision: "2025-11-25" | "2026-07-28" = "2026-07-28") {
  const { client } = clientOf(revision);
  await client.connect(await endOf(gateway));
  onTestFinished(() => client.close());
  return client;
}

const work = (name: string) => ({ name: "w_work", arguments: { name } });

test("requests above the concurrency wait, and clients have their turns", async () => {
  const { server, started, finish } = worker();
  const gateway = createGateway({ servers: { w: { server, limits: callLimits({ concurrency: 1 }) } } });
  const [greedy, other] = [await connectTo(gateway), await connectTo(gateway, "2025-11-25")];
  await greedy.listTools();
  await other.listTools();
  const first = greedy.callTool(work("a"));
  await expect.poll(() => started).toEqual(["a"]);
  const rest = [greedy.callTool(work("b")), greedy.callTool(work("c")), greedy.callTool(work("d"))];
  // The calls of one connection are handled in their order, so that these wait now.
  await greedy.ping().catch(() => undefined);
  const patient = other.callTool(work("e"));
  await other.ping();
  finish("a");
  await first;
  await expect.poll(() => started.length).toBe(2);
  finish("b");
  await expect.poll(() => started.length).toBe(3);
  expect(started).toContain("e");
  for (const name of ["e", "c", "d"]) {
    await expect.poll(() => started).toContain(name);
    finish(name);
  }
  await Promise.all([...rest, patient]);
});

test("a cancelled request leaves the queue, and one that runs makes room", async () => {
  const { server, started, finish } = worker();
  const gateway = createGateway({ servers: { w: { server, limits: callLimits({ concurrency: 1 }) } } });
  const client = await connectTo(gateway);
  await client.listTools();
  const [running, waiting] = [new AbortController(), new AbortController()];
  const cancelled = [
    expect(client.callTool(work("a"), { signal: running.signal })).rejects.toThrow("aborted"),
    expect(client.callTool(work("b"), { signal: waiting.signal })).rejects.toThrow("aborted"),
  ];
  await expect.poll(() => started).toEqual(["a"]);
  const last = client.callTool(work("c"));
  waiting.abort();
  running.abort();
  await Promise.all(cancelled);
  await expect.poll(() => started).toEqual(["a", "c"]);
  finish("c");
  expect(await last).toMatchObject(text("c"));
});

test("requests above those of a minute are refused, also with a status", async () => {
  const server = new McpServer({ name: "quick", version: "1.0.0" });
  server.registerTool("work", {}, () => text("done"));
  const limits = callLimits({ callsPerMinute: 2 });
  const gateway = createGateway({ servers: { w: { server, limits } } });
  const client = await connectTo(gateway);
  for (let call = 0; call < 2; call++) await client.callTool({ name: "w_work" });
  expect(await errorOf(client.callTool({ name: "w_work" }))).toMatchObject({
    code: 429,
    message: 'Server "w" accepts 2 calls a minute; try again in 60 s (limit callsPerMinute)',
    data: { retryAfterMs: expect.any(Number) as number },
  });
  // Lists go on, and so do other servers of the same limits.
  expect((await client.listTools()).tools).toHaveLength(1);

  const { fetch, close } = fetchOf(createGateway({ servers: { w: { server, limits } } }));
  onTestFinished(close);
  const { headers, body } = request("1", "w_work");
  const call = (): Promise<Response> =>
    fetch("http://localhost/mcp", {
      method: "POST",
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
  for (let sent = 0; sent < 2; sent++) expect((await call()).status).toBe(200);
  const refused = await call();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("a result that is too large is an error, and the next one arrives", async () => {
  const server = new McpServer({ name: "large", version: "1.0.0" });
  const inputSchema = z.object({ size: z.number() });
  server.registerTool("work", { inputSchema }, ({ size }) => text("x".repeat(size)));
  const limits = callLimits({ maxBytes: 1_000, concurrency: 1 });
  const client = await connectTo(createGateway({ servers: { w: { server, limits } } }));
  expect(await errorOf(client.callTool({ name: "w_work", arguments: { size: 1_000 } }))).toMatchObject({
    code: -32603,
    message: 'The result of server "w" is larger than 1000 bytes; request less (limit maxBytes)',
  });
  expect(await client.callTool({ name: "w_work", arguments: { size: 10 } })).toMatchObject(text("x".repeat(10)));
});

test("invalid limits are refused at once", () => {
  expect(() => callLimits({ concurrency: 0 })).toThrow("concurrency must be a whole number that is 1 or more, not 0");
});
