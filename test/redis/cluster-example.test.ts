/** The command of `examples/cluster/`: three nodes behind a proxy that sends each request to the next one. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Client } from "../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { root } from "../cli/command-line.js";
import { clientOf, handshakeEra, type Revision, revisions } from "../runtime/api/pair.js";

const program = join(root, "examples/cluster/main.ts");
const loader = import.meta.resolve("tsx");

interface Cluster {
  readonly child: ChildProcess;
  readonly url: URL;
  /** The processes that it started, by name. */
  readonly processes: ReadonlyMap<string, { readonly url: string; readonly pid: number }>;
}

async function start(env: NodeJS.ProcessEnv = {}): Promise<Cluster> {
  const child = spawn(process.execPath, ["--import", loader, program], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, REDIS_URL: undefined, ...env },
  });
  const processes = new Map<string, { url: string; pid: number }>();
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    const [, name, url, pid] = /^(\S+) serves at (\S+) \(process (\d+)\)/.exec(line) ?? [];
    if (name !== undefined && url !== undefined) processes.set(name, { url, pid: Number(pid) });
    const proxy = /^The proxy serves at (\S+)\./.exec(line)?.[1];
    if (proxy === undefined) continue;
    child.stderr.resume();
    return { child, url: new URL(proxy), processes };
  }
  throw new Error(`the cluster did not start:\n${lines.join("\n")}`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await start();
});
afterAll(async () => {
  const ended = once(cluster.child, "exit");
  cluster.child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  for (const { pid } of cluster.processes.values()) expect(isRunning(pid)).toBe(false);
});

const text = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content[0] as { readonly text: string }).text;
};

async function connect(revision: Revision): Promise<Client> {
  const { client } = clientOf(revision, { capabilities: { elicitation: { form: {} } } });
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  const isSse = revision === "2024-11-05";
  await client.connect(isSse ? new SSEClientTransport(cluster.url) : new StreamableHTTPClientTransport(cluster.url));
  return client;
}

test("starts Redis and three nodes", () => {
  expect([...cluster.processes.keys()].sort()).toEqual(["Redis", "node-1", "node-2", "node-3"]);
  for (const { pid } of cluster.processes.values()) expect(isRunning(pid)).toBe(true);
});

test.each(revisions.slice(1))("%s: requests of one client reach all nodes", async (revision) => {
  const client = await connect(revision);
  const nodes = new Set<string>();
  for (let call = 0; call < 6; call++) nodes.add(await text(client, "where"));
  expect(nodes).toEqual(new Set(["node-1", "node-2", "node-3"]));
});

test.each(handshakeEra.slice(1))("%s: every node has the data of the session", async (revision) => {
  const client = await connect(revision);
  for (let call = 1; call <= 7; call++) expect(await text(client, "count")).toBe(`call ${call}`);
});

test("2024-11-05: the node with the stream serves what reaches other nodes", async () => {
  const client = await connect("2024-11-05");
  const nodes = new Set<string>();
  for (let call = 1; call <= 6; call++) {
    nodes.add(await text(client, "where"));
    expect(await text(client, "count")).toBe(`call ${call}`);
  }
  expect(nodes.size).toBe(1);
});

test.each(["2025-06-18", "2025-11-25", "2026-07-28"] as const)(
  "%s: a question that one node asks is answered at another",
  async (revision) => {
    const client = await connect(revision);
    for (let call = 0; call < 5; call++) expect(await text(client, "greet")).toBe("Hello, Ada");
  },
);

test.each(revisions)("%s: a change at one node reaches clients at all", async (revision) => {
  const clients = await Promise.all([connect(revision), connect(revision), connect(revision)]);
  const notified: number[] = [];
  for (const [at, client] of clients.entries())
    await client.subscribeResource({ uri: "note://shared" }, () => notified.push(at));
  notified.splice(0);
  const [writer] = clients;
  await text(writer, "write", { text: `by ${revision}` });
  await vi.waitFor(() => expect([...new Set(notified)].sort()).toEqual([0, 1, 2]), 10_000);
  const { contents } = await writer.readResource({ uri: "note://shared" });
  expect(contents).toMatchObject([{ text: `by ${revision}` }]);
});

test("each node serves the routes of operators", async () => {
  await text(await connect("2026-07-28"), "where");
  for (const [name, { url }] of cluster.processes) {
    if (name === "Redis") continue;
    const get = async (path: string) => {
      const response = await fetch(new URL(path, url));
      return [response.status, await response.text()] as const;
    };
    expect(await get("/healthz")).toEqual([200, "ok"]);
    expect(await get("/readyz")).toEqual([200, "ok"]);
    const [status, metrics] = await get("/metrics");
    expect(status).toBe(200);
    for (const line of metrics.trimEnd().split("\n"))
      expect(line).toMatch(/^(# TYPE \w+ \w+|\w+(\{method="[^"]*",outcome="\w+"\})? [\d.e-]+)$/);
    expect(metrics).toContain("mcp_request_duration_seconds_count{");
  }
});

test("after a node was killed, the others serve its clients", async () => {
  const client = await connect("2026-07-28");
  const { pid } = cluster.processes.get("node-2") ?? {};
  if (pid === undefined) throw new Error("there is no node-2");
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 5_000);
  const nodes = new Set<string>();
  for (let call = 0; call < 8; call++) nodes.add(await text(client, "where"));
  expect(nodes).toEqual(new Set(["node-1", "node-3"]));
});

test("while Redis is away, the nodes are not ready; calls without questions go on, answers to questions get an error", async () => {
  const client = await connect("2026-07-28");
  const { pid } = cluster.processes.get("Redis") ?? {};
  const { url } = cluster.processes.get("node-1") ?? {};
  if (pid === undefined || url === undefined) throw new Error("the cluster is not complete");
  process.kill(pid, "SIGKILL");
  const status = async (path: string) => (await fetch(new URL(path, url))).status;
  await vi.waitFor(async () => expect(await status("/readyz")).toBe(503), 10_000);
  expect(await status("/healthz")).toBe(200);
  for (let call = 0; call < 4; call++) expect(await text(client, "where")).toMatch(/^node-[13]$/);
  await expect(client.callTool({ name: "greet" })).rejects.toMatchObject({ code: -32603 });
});

test("without redis-server, it ends with a line that says what to install", async () => {
  await expect(start({ PATH: "/nonexistent" })).rejects.toThrow(
    "redis-server cannot be started: install Redis 7 or newer (apt-get install redis-server, brew install redis), or set REDIS_URL",
  );
});
