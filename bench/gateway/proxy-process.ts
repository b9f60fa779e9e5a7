import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { cpuMsOf } from "../shared/cpu.js";

const packageJson = createRequire(import.meta.url).resolve("mcp-proxy/package.json");

/** The command of npm's mcp-proxy, in front of a server on stdio. */
export class ProxyProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(script: string): Promise<ProxyProcess> {
    const port = await freePort();
    const command = join(dirname(packageJson), "dist/bin/mcp-proxy.mjs");
    const args = ["--host", "127.0.0.1", "--port", String(port), "--", process.execPath, script];
    const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "ignore", "inherit"] });
    const proxy = new ProxyProcess(child, port);
    try {
      await proxy.#listening();
      return proxy;
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  /** CPU milliseconds of the process itself, without its server. */
  get cpuMs(): number {
    return cpuMsOf(this.child.pid ?? NaN);
  }

  /** The server ends when its standard input is closed. */
  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }

  async #listening(): Promise<void> {
    for (const end = performance.now() + 30_000; performance.now() < end;) {
      if (this.child.exitCode !== null) throw new Error(`mcp-proxy exited with ${this.child.exitCode}`);
      const response = await fetch(`http://127.0.0.1:${this.port}/ping`).catch(() => undefined);
      if (response?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("mcp-proxy does not listen");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
