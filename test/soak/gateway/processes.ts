import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** Starts a program that sends a port when it listens. */
export async function startListening(
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [port] = (await Promise.race([once(child, "message"), once(child, "exit")])) as unknown[];
  if (typeof port !== "number" || child.exitCode !== null) throw new Error(`${args.join(" ")} does not listen`);
  return { child, port };
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** A server on HTTP that is started again, at the same port, whenever it ends. */
export class LastingServer {
  #child: ChildProcess;
  #isWanted = true;

  private constructor(
    readonly program: string,
    readonly args: readonly string[],
    readonly port: number,
    child: ChildProcess,
  ) {
    this.#child = child;
    this.#watch();
  }

  static async start(program: string, ...args: readonly string[]): Promise<LastingServer> {
    const { child, port } = await startListening([program, "0", ...args]);
    return new LastingServer(program, args, port, child);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async suspend(ms: number): Promise<void> {
    const child = this.#child;
    child.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill("SIGCONT");
  }

  #wanted(): boolean {
    return this.#isWanted;
  }

  async close(): Promise<void> {
    this.#isWanted = false;
    this.kill();
    await ended(this.#child);
  }

  #watch(): void {
    this.#child.once("exit", () => void this.#again());
  }

  async #again(): Promise<void> {
    if (!this.#isWanted) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { child } = await startListening([this.program, String(this.port), ...this.args]);
    this.#child = child;
    this.#watch();
    // It may have been closed in the meantime.
    if (!this.#wanted()) this.kill();
  }
}

/** The command lines of the running processes that contain a text. Elsewhere than on Linux: none. */
export function processesWith(text: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(text) ? [`${pid}: ${line.slice(0, 200)}`] : [];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}
