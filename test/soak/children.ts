import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { waitUntil } from "./wait.js";
import type { FromServer, FromWorker, ServerState, ToServer, ToWorker } from "./messages.js";

/** The limit of file descriptors of a server, low enough to be exhausted. */
const descriptors = 600;
const patienceMs = 20_000;
/** Longer than the time-outs of a call and of a reconnection after it together. */
const endMs = 60_000;

/** Does not keep the driver's process alive. */
const patience = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** A child process that distinguishes an expected exit from a crash. */
export class Child<In, Out extends object> {
  readonly process: ChildProcess;
  #isWanted = false;

  constructor(
    readonly name: string,
    [command = "", ...args]: readonly string[],
    onmessage: (message: In) => void,
    died: (how: string) => void,
  ) {
    this.process = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.process.on("message", onmessage as (message: unknown) => void);
    this.process.once("exit", (code, signal) => {
      if (!this.#isWanted) died(`${name} died: ${signal ?? `exit code ${code}`}`);
    });
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Marks an exit of the process as expected. */
  letGo(): void {
    this.#isWanted = true;
  }

  send(message: Out): void {
    if (this.process.connected) this.process.send(message, () => undefined);
  }

  async kill(): Promise<void> {
    this.#isWanted = true;
    if (!this.isRunning) return;
    const exited = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exited;
  }

  /** Waits for the exit of a process that was asked to end. Returns the problem, if there is one. */
  async end(): Promise<string | undefined> {
    this.letGo();
    if (this.isRunning) await Promise.race([once(this.process, "exit"), patience(endMs)]);
    if (this.isRunning) {
      await this.kill();
      return `${this.name} did not exit: something is still open`;
    }
    const { exitCode, signalCode } = this.process;
    return exitCode === 0 ? undefined : `${this.name} ended with ${signalCode ?? `exit code ${exitCode}`}`;
  }
}

export class ServerChild extends Child<FromServer, ToServer> {
  ports: { readonly port: number; readonly hostilePort: number } | undefined;
  #states: ((state: ServerState) => void)[] = [];

  constructor(name: string, program: string, died: (how: string) => void) {
    const limit = process.platform === "linux" ? ["prlimit", `--nofile=${descriptors}`] : [];
    super(
      name,
      [...limit, process.execPath, "--expose-gc", program],
      (message) => {
        if (message.type === "ready") this.ports = message;
        else for (const take of this.#states.splice(0)) take(message.state);
      },
      died,
    );
  }

  async ready(): Promise<void> {
    await waitUntil(() => this.ports !== undefined || !this.isRunning, patienceMs, 10);
    if (!this.ports) throw new Error(`${this.name} does not start serving`);
  }

  async state(): Promise<ServerState> {
    const told = new Promise<ServerState>((resolve) => this.#states.push(resolve));
    this.send({ type: "state" });
    const state = await Promise.race([told, patience(patienceMs)]);
    if (!state) throw new Error(`${this.name} does not report its state`);
    return state;
  }
}

export class WorkerChild extends Child<FromWorker, ToWorker> {
  constructor(
    name: string,
    program: string,
    hostileStdio: string,
    onmessage: (message: FromWorker) => void,
    died: (how: string) => void,
  ) {
    super(name, [process.execPath, "--expose-gc", program, hostileStdio], onmessage, died);
  }
}
