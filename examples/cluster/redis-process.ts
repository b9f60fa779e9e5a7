import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../scripts/free-port.js";

export interface RedisProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Ends the process and deletes its data. */
  close(): Promise<void>;
}

/**
 * Starts a Redis of its own on a free port of this machine. It writes each change to its disk before it responds, and rejects writes when
 * its memory is full.
 * @throws Error when `redis-server` is not installed, or ends
 */
export async function startRedis(): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-cluster-"));
  const port = await freePort();
  const safe = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save", ""];
  const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...safe], {
    stdio: ["ignore", "pipe", "ignore"],
    // Ctrl-C in a terminal reaches the whole group. Redis ends last, after the nodes that use it.
    detached: true,
  });
  const close = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(child);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, close };
}

async function ready(child: ChildProcess): Promise<void> {
  const failed = once(child, "error").then(([cause]) => {
    const remedy = "install Redis 7 or newer (apt-get install redis-server, brew install redis), or set REDIS_URL";
    throw new Error(`redis-server cannot be started: ${remedy}`, { cause });
  });
  failed.catch(() => undefined);
  if (child.pid === undefined || !child.stdout) return failed;
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (!line.includes("Ready to accept connections")) continue;
    child.stdout.resume();
    return;
  }
  throw new Error(`redis-server has ended:\n${lines.join("\n")}`);
}

/** Ends a process, and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
