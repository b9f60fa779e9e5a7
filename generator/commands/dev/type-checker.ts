import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, setPriority, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isObject } from "../../shared/is-object.js";
import { LineSplitter } from "./line-splitter.js";

export interface TypeCheckerOptions {
  /** The `tsconfig.json` of the project. */
  readonly tsconfig: string;
  /** The script of the compiler. */
  readonly compiler: string;
  readonly hasColours: boolean;
  /** Called with the result of each check that was not overtaken by another one: the lines of the compiler, none without errors. */
  readonly onResult: (errors: readonly string[]) => void;
}

/** Milliseconds without a change after which a check starts, so that it does not slow the restart. */
const delayMs = 400;

/** Checks the types of a project beside the server, with the compiler of the project. A new check ends the one before. */
export class TypeChecker {
  #process: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The folder for what the compiler knows from the check before. Only this user can write to it. */
  #cache: string | undefined;

  constructor(private readonly options: TypeCheckerOptions) {}

  /** Checks soon. */
  check(): void {
    this.#stop();
    this.#timer = setTimeout(() => this.#run(), delayMs);
  }

  close(): void {
    this.#stop();
    if (this.#cache !== undefined) rmSync(this.#cache, { recursive: true, force: true });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }

  #run(): void {
    const { tsconfig, compiler, hasColours, onResult } = this.options;
    this.#cache ??= mkdtempSync(join(tmpdir(), "mcpwright-dev-"));
    const cached = ["--incremental", "--tsBuildInfoFile", join(this.#cache, "tsbuildinfo")];
    const args = [compiler, "-p", tsconfig, "--noEmit", "--pretty", String(hasColours), ...cached];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], windowsHide: true });
    this.#process = child;
    lowerPriority(child.pid);
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
    child.once("error", () => undefined);
    child.once("close", (code) => {
      splitter.end();
      if (this.#process !== child) return;
      this.#process = undefined;
      onResult(code === 0 ? [] : lines);
    });
  }
}

/** The script of the TypeScript compiler that a project has; undefined if it has none. */
export function findCompiler(tsconfig: string): string | undefined {
  try {
    const manifest = createRequire(tsconfig).resolve("typescript/package.json");
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin?: unknown };
    const script = isObject(bin) ? bin["tsc"] : undefined;
    return typeof script === "string" ? join(dirname(manifest), script) : undefined;
  } catch {
    return undefined;
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has exited, or the system does not allow it.
  }
}
