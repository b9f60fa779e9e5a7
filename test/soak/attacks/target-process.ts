import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { sleep, waitUntil } from "../wait.js";
import type { FromTarget, TargetState, ToTarget } from "./target-messages.js";

const patienceMs = 30_000;
/** The server keeps unused sessions, questions and events for two seconds at most. */
const forgottenMs = 3_000;
/** Megabytes of old-generation heap; beyond it, Node ends the process. */
const heapLimit = 1_000;

/** The attacked server, in its own process with a limited heap. */
export class TargetProcess {
  readonly #child: ChildProcess;

  private constructor(
    child: ChildProcess,
    readonly port: number,
  ) {
    this.#child = child;
  }

  static async start(program: string): Promise<TargetProcess> {
    const child = fork(program, [], {
      execArgv: ["--expose-gc", `--max-old-space-size=${heapLimit}`],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [message] = (await once(child, "message", { signal: AbortSignal.timeout(patienceMs) })) as [FromTarget];
    if (message.type !== "ready") throw new Error("the target did not report its port");
    return new TargetProcess(child, message.port);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async state(): Promise<TargetState> {
    if (!this.isRunning) throw new Error("the server's process has ended");
    const told = once(this.#child, "message", { signal: AbortSignal.timeout(patienceMs) }) as Promise<[TargetState]>;
    this.#send({ type: "state" });
    const [state] = await told;
    return state;
  }

  /** Waits until everything has expired and nothing is left. @throws when something is left */
  async released(): Promise<TargetState> {
    await sleep(forgottenMs);
    let state = await this.state();
    await waitUntil(
      async () => {
        state = await this.state();
        return state.connections + state.exchanges + state.sockets === 0;
      },
      patienceMs,
      200,
    );
    const { connections, exchanges, sockets } = state;
    if (connections + exchanges + sockets > 0)
      throw new Error(`${connections} connections, ${exchanges} exchanges and ${sockets} sockets are left`);
    return state;
  }

  async close(): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#child, "exit");
    this.#send({ type: "close" });
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), patienceMs);
    await exited;
    clearTimeout(timer);
  }

  #send(message: ToTarget): void {
    if (this.#child.connected) this.#child.send(message);
  }
}
