import { McpServer } from "@mcpwright/runtime/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { serveDevPage } from "../../../../../generator/commands/dev/page/serve-dev-page.js";
import { statusOf } from "../../../../support/status-of.js";
import { PageClient } from "./page-client.js";
import { relayEvent } from "./relay-event.js";
import { RelayToServer } from "./relay-to-server.js";

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

function newServer(): McpServer {
  const server = new McpServer({ name: "tried", title: "Tried", version: "1.0.0" }, { instructions: "Be kind." });
  server.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, ({ name }, context) => {
    context.progress({ progress: 1, total: 2, message: "half" });
    return text(`Hello ${name}`);
  });
  server.registerTool("wait", {}, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return text("cancelled");
  });
  server.registerTool("ask", {}, async (context) => {
    const requestedSchema = { type: "object" as const, properties: { colour: { type: "string" as const } } };
    return text(JSON.stringify(await context.elicit("a", { mode: "form", message: "Which?", requestedSchema })));
  });
  server.registerTool("visit", {}, async (context) => {
    const url = "https://exаmple.com/";
    return text(JSON.stringify(await context.elicit("a", { mode: "url", message: "Go", url, elicitationId: "1" })));
  });
  server.registerTool("think", {}, async (context) => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Think" } }];
    return text(JSON.stringify(await context.sample("a", { messages, maxTokens: 9 })));
  });
  server.registerTool("count", { outputSchema: z.object({ count: z.number() }) }, () => ({
    content: [],
    structuredContent: { count: 1 },
  }));
  server.registerPrompt("review", { argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
    messages: [{ role: "user", content: { type: "text", text: code } }],
  }));
  server.registerResource("readme", "file:///readme.md", {}, () => ({
    contents: [{ uri: "file:///readme.md", text: "# Readme" }],
  }));
  return server;
}

async function startPage(relay = new RelayToServer(newServer)) {
  const served = await serveDevPage({ relay, entry: "src/main.ts", port: 0 });
  onTestFinished(served.close);
  served.connect();
  const page = new PageClient(served.url);
  return { relay, served, page, url: served.url };
}

async function connected(relay?: RelayToServer) {
  const started = await startPage(relay);
  await started.page.listen();
  await expect.poll(() => started.page.latest.session?.resources).toBeDefined();
  return started;
}

const ask = (id: string, kind: "tool" | "prompt" | "resource", name: string, args?: Record<string, unknown>) => ({
  id,
  kind,
  name,
  ...(args && { arguments: args }),
});

test("the page may load only its own files, and its address carries the token where no server gets it", async () => {
  const { url, page } = await startPage();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{32}$/);
  const loaded = await fetch(url);
  const policy = loaded.headers.get("content-security-policy") ?? "";
  expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "media-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]);
  const html = await loaded.text();
  expect(html).not.toContain(page.headers["mcpwright-token"]);
  expect(html).not.toMatch(/<script>|\son\w+=|style=/);
  for (const [file, type] of [
    ["dev.js", "text/javascript"],
    ["dev.css", "text/css"],
  ] as const) {
    const response = await fetch(`${page.origin}/${file}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
  }
});

test("nothing of the server is served without the token, or for another host or origin", async () => {
  const { page, relay } = await connected();
  const { origin, headers } = page;
  const { host } = new URL(origin);
  const before = page.rows.size;
  for (const path of ["events", "request", "answer", "clear", "connect"])
    for (const method of ["GET", "POST"]) {
      expect(await statusOf(`${origin}/${path}`, {}, method)).toBe(401);
      expect(await statusOf(`${origin}/${path}`, { "mcpwright-token": "x".repeat(32) }, method)).toBe(401);
    }
  expect(await statusOf(`${origin}/clear`, { ...headers, host: "example.com" }, "POST")).toBe(403);
  expect(await statusOf(`${origin}/clear`, { ...headers, host, origin: "https://example.com" }, "POST")).toBe(403);
  expect(await statusOf(`${origin}/clear`, { ...headers, host, origin: "null" }, "POST")).toBe(403);
  expect(await statusOf(`${origin}/`, { host: `localhost:${new URL(origin).port}` })).toBe(403);
  expect(await statusOf(`${origin}/other`, headers)).toBe(404);
  expect(await statusOf(`${origin}/clear`, headers)).toBe(404);
  expect([page.rows.size, relay.connections]).toEqual([before, 1]);
});

test("the page shows the server, its lists and the messages, and nothing of an earlier connection twice", async () => {
  const { page } = await connected();
  await expect.poll(() => page.latest.session?.tools?.length).toBe(6);
  expect(page.latest.hello).toMatchObject({ entry: "src/main.ts" });
  expect(page.latest.session).toMatchObject({
    state: "connected",
    problems: [],
    server: { name: "tried", title: "Tried", version: "1.0.0" },
    revision: "2026-07-28",
    instructions: "Be kind.",
    prompts: [{ name: "review" }],
    resources: [{ uri: "file:///readme.md" }],
    resourceTemplates: [],
  });
  await expect.poll(() => [...page.rows.values()].at(-1)).toMatchObject({ type: "result" });
  expect([...page.rows.values()].flatMap((row) => ("findings" in row ? row.findings : []))).toEqual([]);

  const stop = await page.listen(page.lastEventId);
  const again = new PageClient(`${page.origin}/#${page.headers["mcpwright-token"] ?? ""}`);
  await again.listen(page.lastEventId);
  await expect.poll(() => again.latest.rows).toMatchObject({ oldest: 1, rows: [] });
  stop();
});

test("requests of the page get results, progress and errors", async () => {
  const { page } = await connected();
  expect(await page.request(ask("1", "tool", "greet", { name: "Ada" }))).toMatchObject({
    result: { content: [{ type: "text", text: "Hello Ada" }] },
    notes: [],
  });
  await expect.poll(() => page.latest.progress).toEqual({ request: "1", progress: 1, total: 2, message: "half" });
  expect(await page.request(ask("2", "prompt", "review", { code: "x" }))).toMatchObject({
    result: { messages: [{ content: { text: "x" } }] },
  });
  expect(await page.request(ask("3", "resource", "file:///readme.md"))).toMatchObject({
    result: { contents: [{ text: "# Readme" }] },
  });
  expect(await page.request(ask("4", "tool", "count"))).toMatchObject({
    result: { structuredContent: { count: 1 } },
    notes: [],
  });
  expect(await page.request(ask("5", "tool", "none"))).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("none") as string },
  });
  expect(await page.post("request", { kind: "eval" })).toBe("400 the page must send an id, a kind and a name");
  expect(await page.post("other", {})).toBe("404 Not Found");
});

test("a call is cancelled when the page does not wait for it any more", async () => {
  const { page } = await connected();
  const stop = new AbortController();
  const waiting = page.request(ask("1", "tool", "wait"), stop.signal);
  const isCall = (row: object) => "method" in row && row.method === "tools/call";
  await expect.poll(() => [...page.rows.values()].some(isCall)).toBe(true);
  stop.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  const methods = () => [...page.rows.values()].map((row) => ("method" in row ? row.method : undefined));
  await expect.poll(methods).toContain("notifications/cancelled");
});

test.each([
  ["ask", { action: "accept", content: { colour: "red" } }, { action: "accept", content: { colour: "red" } }],
  ["ask", { action: "decline" }, { action: "decline" }],
  ["visit", { action: "accept" }, { action: "accept" }],
  ["think", { action: "reply", text: "So" }, { content: { type: "text", text: "So" }, role: "assistant" }],
])("a question of the tool %s is answered with %j", async (name, answer, expected) => {
  const { page } = await connected();
  const calling = page.request(ask("1", "tool", name));
  await expect.poll(() => page.latest.questions?.length).toBe(1);
  const [question] = page.latest.questions ?? [];
  if (name === "visit")
    expect([question?.kind, question?.warnings?.[0]]).toEqual(["url", expect.stringContaining("xn--")]);
  expect(await page.post("answer", { id: question?.id, ...answer })).toEqual({ isOpen: true });
  expect(await page.post("answer", { id: question?.id, ...answer })).toEqual({ isOpen: false });
  const { result } = (await calling) as unknown as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? "")).toMatchObject(expected);
  await expect.poll(() => page.latest.questions).toEqual([]);
});

test("a sampling request can be refused, and the questions of a cancelled call are withdrawn", async () => {
  const { page } = await connected();
  const calling = page.request(ask("1", "tool", "think"));
  await expect.poll(() => page.latest.questions?.length).toBe(1);
  await page.post("answer", { id: page.latest.questions?.[0]?.id, action: "decline" });
  expect(JSON.stringify(await calling)).toContain("refused");

  const stop = new AbortController();
  const waiting = page.request(ask("2", "tool", "ask"), stop.signal);
  await expect.poll(() => page.latest.questions?.length).toBe(1);
  stop.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  await expect.poll(() => page.latest.questions).toEqual([]);
});

test("a changed list is fetched again", async () => {
  let server: McpServer | undefined;
  const relay = new RelayToServer(() => (server = newServer()));
  const { page } = await connected(relay);
  server?.registerTool("added", {}, () => text("new"));
  await expect.poll(() => page.latest.session?.tools?.map((tool) => tool["name"])).toContain("added");
});

test("after a failure, the page connects again when the server was started again, or when it is asked to", async () => {
  const relay = new RelayToServer(newServer);
  relay.failure = "The server has ended with exit code 1";
  const { page } = await startPage(relay);
  await page.listen();
  await expect
    .poll(() => page.latest.session)
    .toMatchObject({ state: "failed", problems: [expect.stringContaining("exit code 1") as string] });
  expect(await page.request(ask("1", "tool", "greet"))).toMatchObject({
    error: { message: "the page is not connected to the server" },
  });
  await page.post("connect", {});
  await expect.poll(() => relay.connections).toBe(2);
  await expect.poll(() => page.latest.session?.state).toBe("failed");
  relay.failure = undefined;
  relay.report(relayEvent({ kind: "server-started", connection: "2", pid: 1, start: 2, reason: "a.ts changed" }));
  await expect.poll(() => page.latest.session?.state).toBe("connected");
});

test("clear forgets the rows for every page", async () => {
  const { page } = await connected();
  await page.post("clear", {});
  await expect.poll(() => page.latest.rows?.rows).toEqual([]);
  expect(page.latest.rows?.oldest).toBeGreaterThan(Math.max(...page.rows.keys()));
});

test("a port in use is an error, and nothing is left open", async () => {
  const { url } = await startPage();
  const relay = new RelayToServer(newServer);
  await expect(serveDevPage({ relay, entry: "a", port: Number(new URL(url).port) })).rejects.toThrow("EADDRINUSE");
  expect(relay.connections).toBe(0);
});
