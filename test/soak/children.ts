import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { waitUntil } from "./wait.js";
import type { FromServer, FromWorker, ServerState, ToServer, ToWorker } from "./messages.js";

/** Descriptors that a server may have, so that all can be used up. */
const descriptors = 600;
const patienceMs = 20_000;
/** More than the time-outs of a call and of the connecting after it, which a fault may have made necessary. */
const endMs = 60_000;

/** Does not keep the driver alive once nobody waits for it any more. */
const patience = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** A child process, of which it is known whether its end was wanted. */
class Child<In, Out extends object> {
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

  /** It may end now. */
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

  /** It has been told to end. Gives what is wrong with how it does. */
  async end(): Promise<string | undefined> {
    this.letGo();
    if (this.isRunning) await Promise.race([once(this.process, "exit"), patience(endMs)]);
    if (this.isRunning) {
      await this.kill();
      return `${this.name} did not end by itself: something is still open`;
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
    if (!this.ports) throw new Error(`${this.name} does not begin to serve`);
  }

  async state(): Promise<ServerState> {
    const told = new Promise<ServerState>((resolve) => this.#states.push(resolve));
    this.send({ type: "state" });
    const state = await Promise.race([told, patience(patienceMs)]);
    if (!state) throw new Error(`${this.name} does not tell its state`);
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
