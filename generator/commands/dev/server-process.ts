import { type ChildProcess, spawn } from "node:child_process";
import { lastCharacters } from "./cut-text.js";
import { LineSplitter } from "./line-splitter.js";
import { isWireUnit } from "./json-messages.js";
import { settledWithin } from "./settled-within.js";
import { endGroup, killGroup, trackGroup } from "./process-group.js";

/** The command of a server: always a program of this machine, never a shell. */
export interface DevCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Default: the working directory of this process. */
  readonly cwd?: string;
  /** Default: the variables of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface ServerProcessEvents {
  /** Called with each message or batch. */
  readonly onMessage: (unit: unknown) => void;
  /** Called with each line of standard output that is not a message. */
  readonly onNoise: (line: string) => void;
  readonly onStderr: (line: string) => void;
}

export interface ServerExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the process could not be started. */
  readonly error?: Error;
}

/** Lines of standard error that are kept for error messages, and the characters of each. */
const keptLines = 20;
const keptCharacters = 4_000;
/** Milliseconds that the rest of the output has to arrive: a child of the server may keep the pipes open. */
const restMs = 200;
/** Milliseconds that a server has to exit before it is killed. */
export const defaultGraceMs = 200;

/** One process of a server, in a process group of its own. */
export class ServerProcess {
  /** Resolves when the process has exited, its output was read and its children were ended. Never rejects. */
  readonly exited: Promise<ServerExit>;
  readonly #child: ChildProcess;
  readonly #stderr: string[] = [];
  #hasExited = false;
  #isEnding = false;

  constructor(
    { command, args, cwd, env = process.env }: DevCommand,
    private readonly events: ServerProcessEvents,
  ) {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that its children can be ended with it. Windows would open a console.
      detached: process.platform !== "win32",
      windowsHide: true,
      env,
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    const out = new LineSplitter((line) => this.#receive(line));
    const err = new LineSplitter((line) => this.#keep(line));
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk)).on("error", ignore);
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk)).on("error", ignore);
    // The exit reports what matters.
    child.stdin.on("error", ignore);
    const untrack = trackGroup(this.pid);
    // It may follow the exit immediately.
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    this.exited = exitOf(child).then(async (exit) => {
      this.#hasExited = true;
      if (this.#isEnding) killGroup(this.pid);
      await settledWithin(restMs, closed);
      out.end();
      err.end();
      killGroup(this.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      untrack();
      return exit;
    });
  }

  /** 0 for a process that could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The newest lines of standard error. */
  get lastStderr(): readonly string[] {
    return this.#stderr;
  }

  /** Whether the relay has asked the process to end. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  send(unit: unknown): void {
    if (this.#child.stdin?.writable === true) this.#child.stdin.write(`${JSON.stringify(unit)}\n`);
  }

  /** Closes the input, by which a server of stdio ends when it has answered. */
  endInput(): void {
    this.#isEnding = true;
    this.#child.stdin?.end();
  }

  /**
   * Ends the process and its children: closes its input, asks it to end, and kills it after a while.
   * @param graceMs milliseconds before it is killed
   */
  async end(graceMs = defaultGraceMs): Promise<void> {
    this.endInput();
    if (!this.#hasExited) {
      endGroup(this.pid);
      const timer = setTimeout(() => killGroup(this.pid), graceMs);
      await this.exited;
      clearTimeout(timer);
    }
    await this.exited;
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let unit: unknown;
    try {
      unit = JSON.parse(line);
    } catch {
      return this.events.onNoise(line);
    }
    if (isWireUnit(unit)) this.events.onMessage(unit);
    else this.events.onNoise(line);
  }

  #keep(line: string): void {
    this.#stderr.push(lastCharacters(line, keptCharacters));
    if (this.#stderr.length > keptLines) this.#stderr.shift();
    this.events.onStderr(line);
  }
}

function ignore(): void {
  // See `exited`.
}

function exitOf(child: ChildProcess): Promise<ServerExit> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, error });
    });
  });
}
