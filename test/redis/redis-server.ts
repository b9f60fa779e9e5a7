/** Starts real Redis servers for tests, each with a folder and a port of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { freePort } from "../../scripts/free-port.js";

export class RedisServer {
  #process: ChildProcess | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), "mcpwright-redis-"));

  private constructor(
    readonly port: number,
    readonly args: readonly string[],
  ) {}

  /** @param args further arguments of `redis-server`, such as `--appendonly yes` */
  static async start(...args: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), args);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server again, with the data that it had on its disk. */
  async restart(): Promise<void> {
    const args = [
      "--port",
      String(this.port),
      "--bind",
      "127.0.0.1",
      "--dir",
      this.#folder,
      "--save",
      "",
      ...this.args,
    ];
    const child = spawn("redis-server", args, { stdio: "ignore" });
    const failed = once(child, "error").then(([cause]) => {
      throw new Error("redis-server did not start; install it, for example with apt-get install redis-server", {
        cause,
      });
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`redis-server ${args.join(" ")} ended with code ${String(code)} before it was ready`);
    });
    this.#process = child;
    const isReady = new AbortController();
    try {
      await Promise.race([failed, ended, this.#whenReady(isReady.signal)]);
    } finally {
      isReady.abort();
      for (const late of [failed, ended]) late.catch(() => undefined);
    }
  }

  /** Ends the server at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    // A child process that saves the data for a replica can still write.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Sends one command over a connection of its own. */
  async command(...args: string[]): Promise<unknown> {
    const client = createClient({ url: this.url, RESP: 2, socket: { reconnectStrategy: false } });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(args);
    } finally {
      client.destroy();
    }
  }

  async #whenReady(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if ((await this.command("PING")) === "PONG") return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}
