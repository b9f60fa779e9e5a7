import { diagnosticReason } from "./failure-reason.js";
import { type DevCommand, type ServerExit, ServerProcess } from "./server-process.js";
import { settledWithin } from "./settled-within.js";

/** What a supervisor needs from its connection, and reports to it. */
export interface SupervisorHooks {
  /** The command of the next process. @throws when the server cannot be started now; the message is the reason */
  readonly command: () => DevCommand;
  /** Opens the session of the host at a new process. @throws when the process cannot be used; the message is the reason */
  readonly open: (process: ServerProcess) => Promise<void>;
  readonly onMessage: (unit: unknown) => void;
  readonly onNoise: (line: string, pid: number) => void;
  readonly onStderr: (line: string, pid: number) => void;
  readonly onStarted: (start: ServerStart) => void;
  readonly onReady: (start: ServerStart) => void;
  readonly onEnded: (pid: number, exit: ServerExit, isExpected: boolean) => void;
  readonly onFailed: (failure: ServerFailure) => void;
}

export interface ServerStart {
  readonly pid: number;
  /** 1 for the first process. */
  readonly count: number;
  /** Why the server is started again. */
  readonly reason: string | undefined;
  /** `performance.now()` when the start was requested. */
  readonly requestedAt: number;
}

/** Why there is no server. */
export interface ServerFailure {
  /** What happened, in a sentence without a full stop. */
  readonly summary: string;
  /** The last lines of its standard error, if they say why. */
  readonly stderr?: readonly string[];
  /** Whether the next request should start the server again; otherwise the next change does. */
  readonly startsAtNextRequest: boolean;
}

export type SupervisorState = "starting" | "running" | "failed" | "closed";

/**
 * Starts the server of one connection again and again, one process at a time. A start that is requested during another one replaces it; of
 * several, only the last one happens.
 */
export class ServerSupervisor {
  #state: SupervisorState = "starting";
  #process: ServerProcess | undefined;
  /** The newest start that was requested, by `count`. */
  #wanted: Omit<ServerStart, "pid"> = { count: 0, reason: undefined, requestedAt: 0 };
  #isLooping = false;
  #loop: Promise<void> = Promise.resolve();
  /** Processes that were started. */
  #count = 0;
  /** Whether the current process has sent a message. */
  #hasSpoken = false;
  #failure: ServerFailure | undefined;

  constructor(private readonly hooks: SupervisorHooks) {}

  get state(): SupervisorState {
    return this.#state;
  }

  /** The process that gets the messages. */
  get process(): ServerProcess | undefined {
    return this.#process;
  }

  /** Why there is no server, in the state `failed`. */
  get failure(): ServerFailure | undefined {
    return this.#state === "failed" ? this.#failure : undefined;
  }

  /** Starts the server, or replaces the current process. */
  start(reason?: string): void {
    if (this.#state === "closed") return;
    this.#wanted = { count: this.#wanted.count + 1, reason, requestedAt: performance.now() };
    this.#state = "starting";
    void this.#process?.end();
    if (this.#isLooping) return;
    this.#isLooping = true;
    this.#loop = this.#startNewest();
  }

  /** Reports that the current process cannot be used, and ends it. */
  fail(failure: ServerFailure): void {
    if (this.#state === "closed" || this.#state === "failed") return;
    this.#state = "failed";
    this.#failure = failure;
    void this.#process?.end();
    this.hooks.onFailed(failure);
  }

  /** Lets the server answer what it has received, then ends it. @param ms milliseconds that it may take */
  async finish(ms: number): Promise<void> {
    await settledWithin(ms, this.#loop);
    const process = this.#process;
    if (this.#state === "running" && process) {
      process.endInput();
      await settledWithin(ms, process.exited);
    }
    await this.close(ms);
  }

  /** Ends the server permanently. @param graceMs milliseconds until it is killed */
  async close(graceMs?: number): Promise<void> {
    this.#state = "closed";
    await this.#process?.end(graceMs);
  }

  async #startNewest(): Promise<void> {
    for (let done = 0; done !== this.#wanted.count;) {
      await this.#process?.end();
      done = this.#wanted.count;
      if (!this.#isClosed) await this.#startOne(this.#wanted);
    }
    this.#isLooping = false;
  }

  async #startOne(wanted: Omit<ServerStart, "pid">): Promise<void> {
    const isNewest = (): boolean => this.#state === "starting" && this.#wanted === wanted;
    let process: ServerProcess;
    try {
      process = this.#spawn(wanted);
    } catch (error) {
      this.fail({ summary: diagnosticReason(error), startsAtNextRequest: false });
      return;
    }
    try {
      await Promise.race([this.hooks.open(process), process.exited.then(() => rejectExited())]);
    } catch (error) {
      // An exit is reported with its reason by `#onExit`.
      if (isNewest() && !(error instanceof ProcessExited))
        this.fail({ summary: diagnosticReason(error), startsAtNextRequest: false });
      return;
    }
    if (!isNewest()) return;
    this.#state = "running";
    this.hooks.onReady({ ...wanted, pid: process.pid });
  }

  #spawn(wanted: Omit<ServerStart, "pid">): ServerProcess {
    this.#hasSpoken = false;
    const isCurrent = (): boolean => this.#process === process && !this.#isReplaced(wanted);
    const process: ServerProcess = new ServerProcess(this.hooks.command(), {
      onMessage: (unit) => {
        if (!isCurrent()) return;
        this.#hasSpoken = true;
        this.hooks.onMessage(unit);
      },
      onNoise: (line) => this.hooks.onNoise(line, process.pid),
      onStderr: (line) => this.hooks.onStderr(line, process.pid),
    });
    this.#process = process;
    this.#count++;
    void process.exited.then((exit) => this.#onExit(process, exit, isCurrent()));
    if (process.pid !== 0) this.hooks.onStarted({ ...wanted, count: this.#count, pid: process.pid });
    return process;
  }

  /** Whether the messages of the process of a start must not reach the host any more. */
  #isReplaced(wanted: Omit<ServerStart, "pid">): boolean {
    return this.#wanted !== wanted || this.#state === "failed";
  }

  #onExit(process: ServerProcess, exit: ServerExit, isCurrent: boolean): void {
    if (process.pid !== 0) this.hooks.onEnded(process.pid, exit, process.isEnding);
    if (!isCurrent || process.isEnding) return;
    const stderr = process.lastStderr.filter((line) => line.trim() !== "");
    this.fail({
      summary: describeExit(exit),
      ...(stderr.length > 0 && { stderr }),
      startsAtNextRequest: this.#state === "running" && this.#hasSpoken,
    });
  }

  get #isClosed(): boolean {
    return this.#state === "closed";
  }
}

class ProcessExited extends Error {}

function rejectExited(): never {
  throw new ProcessExited();
}

function describeExit({ exitCode, signal, error }: ServerExit): string {
  if (error) return `The server cannot be started: ${error.message}`;
  return signal === null ? `The server exited with code ${String(exitCode)}` : `The server was ended by ${signal}`;
}
