import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpuMsOf, peakMegabytesOf } from "../shared/cpu.js";

/** A server in its own process, which reports its port. */
export class HttpServerProcess {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(
    script: string,
    args: readonly string[],
    execArgv: readonly string[] = [],
  ): Promise<HttpServerProcess> {
    const child = fork(script, [...args], { execArgv: [...execArgv], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const [port] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
    if (child.exitCode !== null || typeof port !== "number")
      throw new Error(`${script} ${args.join(" ")} did not start`);
    return new HttpServerProcess(child, port);
  }

  get cpuMs(): number {
    return cpuMsOf(this.#pid);
  }

  get peakMegabytes(): number {
    return peakMegabytesOf(this.#pid);
  }

  /** Sends a question to the server's process and returns its reply. */
  async ask(question: string): Promise<unknown> {
    const answered = once(this.#child, "message", { signal: AbortSignal.timeout(60_000) });
    this.#child.send(question);
    return ((await answered) as unknown[])[0];
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }

  get #pid(): number {
    return this.#child.pid ?? NaN;
  }
}
