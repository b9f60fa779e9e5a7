/**
 * Starts Redis, three nodes and a proxy that passes each request to the next node, and ends them all with Ctrl-C:
 * `npx tsx examples/cluster/main.ts [port]`. With `REDIS_URL`, it uses that Redis instead of one of its own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startProxy } from "./proxy.js";
import { end, startRedis } from "./redis-process.js";

const [port = "0"] = process.argv.slice(2);
/** What was started, the last first. */
const started: (() => Promise<void>)[] = [];
/** Further signals must not end this process before the ones that it has started. */
const stopped = new Promise((resolve) => process.on("SIGINT", resolve).on("SIGTERM", resolve));

/** Starts a node, and waits until it serves. */
async function startNode(name: string, env: Readonly<Record<string, string>>): Promise<URL> {
  const program = fileURLToPath(new URL("node.ts", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, ...env, PORT: "0", NODE_NAME: name },
    detached: true,
  });
  started.unshift(() => end(child));
  if (!child.stderr) throw new Error("the node has no standard error");
  for await (const line of createInterface(child.stderr)) {
    const url = /serves at (http:\S+)/.exec(line)?.[1];
    console.error(url === undefined ? line : `${line} (process ${child.pid})`);
    if (url === undefined) continue;
    child.stderr.pipe(process.stderr);
    return new URL(url);
  }
  throw new Error(`${name} has ended`);
}

try {
  const redisUrl = process.env["REDIS_URL"] ?? (await ownRedis());
  const env = { REDIS_URL: redisUrl, STATE_KEY: randomBytes(32).toString("base64") };
  const nodes = await Promise.all(["node-1", "node-2", "node-3"].map((name) => startNode(name, env)));
  const proxy = await startProxy(nodes, Number(port));
  started.unshift(() => proxy.close());
  console.error(`The proxy serves at ${proxy.url.href}. End it with Ctrl-C.`);
  await stopped;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  for (const close of started) await close();
}

async function ownRedis(): Promise<string> {
  const redis = await startRedis();
  started.unshift(() => redis.close());
  console.error(`Redis serves at ${redis.url} (process ${redis.pid})`);
  return redis.url;
}
