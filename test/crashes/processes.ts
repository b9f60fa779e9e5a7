import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";

/** What a process reports first. */
export interface Ready {
  /** The port of a server. */
  readonly ready: number;
}

/** A folder for a program and a database. */
export interface Workplace {
  /** The path of the bundled program. */
  readonly program: string;
  /** The path of a database that does not exist yet. */
  readonly database: string;
  remove(): void;
}

/** Bundles a program of this folder. */
export async function makeWorkplace(source: string): Promise<Workplace> {
  // Below node_modules, where the program finds libsql.
  const cache = join(import.meta.dirname, "../../node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "crashes-"));
  const program = join(folder, "program.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, source)],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["libsql"],
  });
  return {
    program,
    database: join(folder, "tasks.db"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A process that reports lines of JSON. */
export class Child {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** Resolves when the process has opened the store. */
  readonly ready: Promise<Ready>;

  constructor(args: readonly string[], onLine: (line: object) => void = () => undefined) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = child;
    // After the last line.
    this.#exited = once(child, "close");
    this.ready = new Promise((resolve, reject) => {
      createInterface(child.stdout).on("line", (text) => {
        const line = parse(text);
        if (line && "ready" in line) resolve(line as Ready);
        else if (line) onLine(line);
      });
      child.once("exit", (code, signal) => reject(new Error(`a process ended by itself: ${signal ?? code}`)));
    });
    // Awaited only when the process is chosen.
    this.ready.catch(() => undefined);
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }
}

/** Some processes of one program. */
export class Processes {
  readonly running = new Set<Child>();

  constructor(
    count: number,
    readonly start: () => Child,
  ) {
    for (let at = 0; at < count; at++) this.running.add(start());
  }

  /** Kills the oldest process at a random moment after it was ready, and starts another. */
  async killOne(withinMs: number): Promise<void> {
    const [child] = this.running;
    if (!child) throw new Error("no process is running");
    await child.ready;
    await setTimeout(randomInt(withinMs));
    this.running.delete(child);
    await child.kill();
    this.running.add(this.start());
  }

  async killAll(): Promise<void> {
    for (const child of this.running) await child.kill();
    this.running.clear();
  }
}

/** Returns undefined for a line that the process was writing when it was killed. */
function parse(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
