/** Follows pages of the tutorial word by word: writes their files, makes their edits, runs their commands, and compares what they print. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import type { CodeBlock } from "../../scripts/docs/read/page.js";
import { readPage } from "../../scripts/docs/read/read-page.js";
import { root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The code blocks of a page, in its order. */
export function blocksOf(page: string): readonly CodeBlock[] {
  return readPage(page, readFileSync(join(root, "docs", page), "utf8")).blocks;
}

/**
 * Stands in for `npx`, which would install: it knows mcpwright, and the programs of the project. It says yes to `install`, opens
 * log-in pages with the program in BROWSER, and lets `dev` serve at a free port, as the pages cannot.
 */
const npx = (port: number): string => `#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { constants } from "node:os";
const [name, ...words] = process.argv.slice(2);
if (name !== "mcpwright") throw new Error("npx knows no " + name);
if (words[0] === "install") words.push("--yes");
const args = words.filter((word) => word !== "--no-browser").map((word) => (words[0] === "dev" && word === "--http" ? "--http=${port}" : word));
const { status, signal } = spawnSync(process.execPath, [${JSON.stringify(join(root, "dist/cli.js"))}, ...args], { stdio: "inherit" });
process.exitCode = status ?? 128 + constants.signals[signal];
`;

export interface ReaderOptions {
  /** What differs here from the pages, such as ports: replaced in all texts, longest first. */
  readonly values?: Readonly<Record<string, string>>;
  /** The port that stands for 3000. */
  readonly port: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export class TutorialReader {
  readonly home = temporaryFolder("tutorial");
  /** The current folder of the reader's terminals. */
  folder = this.home;
  readonly #running = new Map<string, Running>();
  readonly #values: readonly (readonly [string, string])[];
  readonly #environment: NodeJS.ProcessEnv;
  #hasEdited = false;

  constructor({ values = {}, port, environment = {} }: ReaderOptions) {
    put(this.home, { "bin/npx": npx(port), "bin/package.json": '{ "type": "module" }' });
    chmodSync(join(this.home, "bin/npx"), 0o755);
    this.#values = Object.entries({ ...values, "3000": String(port), "/home/ada": this.home });
    this.#environment = {
      ...process.env,
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, ".config"),
      NO_COLOR: "1",
      PATH: `${join(this.home, "bin")}:${process.env["PATH"] ?? ""}`,
      ...environment,
    };
  }

  /** @param page below `docs` */
  async follow(page: string): Promise<void> {
    const blocks = blocksOf(page);
    for (const [index, { language, code }] of blocks.entries()) {
      const text = this.#here(code);
      const next = blocks[index + 1];
      const [, path] = /^(?:\/\/|#) (\S+)\n/.exec(text) ?? [];
      if (language === "sh")
        await this.#runAll(text, next?.language === "text" ? this.#here(next.code) : undefined, page);
      else if (language === "diff") this.#edit(text);
      else if (path !== undefined && language !== "text") this.#write(path, text);
    }
  }

  /** Stops all programs that the reader has left running. @returns what each has printed, by its command */
  async stop(): Promise<ReadonlyMap<string, string>> {
    for (const running of this.#running.values()) await running.end();
    const printed = [...this.#running].map(([command, running]) => [command, running.printed] as const);
    this.#running.clear();
    return new Map(printed);
  }

  #here(text: string): string {
    return this.#values.reduce((all, [written, here]) => all.replaceAll(written, here), text);
  }

  #write(path: string, text: string): void {
    put(this.folder, { [path]: text });
    this.#hasEdited = true;
  }

  /** A block of lines that begin with `-`, `+` or a space, whose old lines are in one file once. */
  #edit(block: string): void {
    const lines = block.trimEnd().split("\n");
    const part = (sign: string): string =>
      lines
        .filter((line) => line === "" || line.startsWith(" ") || line.startsWith(sign))
        .map((line) => line.slice(1))
        .join("\n");
    const [before, after] = [part("-"), part("+")];
    const found = this.#sources().filter((file) => readFileSync(file, "utf8").split(before).length === 2);
    expect(found, `files with the lines\n${before}`).toHaveLength(1);
    const [file = ""] = found;
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(before, () => after),
    );
    this.#hasEdited = true;
  }

  /** The files that a reader edits. */
  #sources(): readonly string[] {
    const own = (path: string): boolean => !/^(node_modules|build|\.mcpwright|data)\b/.test(path);
    const entries = readdirSync(this.folder, { withFileTypes: true }).filter(({ name }) => own(name));
    return entries.flatMap((entry) => {
      const path = join(this.folder, entry.name);
      if (entry.isFile()) return [path];
      return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((file) =>
        file.isFile() ? [join(file.parentPath, file.name)] : [],
      );
    });
  }

  async #runAll(text: string, shown: string | undefined, page: string): Promise<void> {
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const [index, line] of lines.entries()) {
      const [, command = "", comment = ""] = /^(.*?)(?:\s+# (.*))?$/.exec(line) ?? [];
      const expected = index === lines.length - 1 ? shown : undefined;
      if (command.startsWith("cd ")) this.folder = join(this.folder, command.slice(3));
      else if (command.startsWith("docker "))
        continue; // tests have no Docker
      else if (command.startsWith("npm install")) await this.#install(command.split(" ").slice(2));
      else if (/^(leave it running|让它保持运行)/.test(comment)) await this.#start(command, expected);
      else await this.#run(command, expected, page);
    }
  }

  /** Links the packages in place of `npm install`, which would need the registry. */
  async #install(words: readonly string[]): Promise<void> {
    const kind = words.includes("--save-dev") ? "devDependencies" : "dependencies";
    const names = words.filter((word) => !word.startsWith("-"));
    const file = join(this.folder, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
    manifest[kind] = { ...manifest[kind], ...Object.fromEntries(names.map((name) => [name, "*"])) };
    writeFileSync(file, JSON.stringify(manifest, undefined, 2));
    const wanted = Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] });
    for (const name of [...wanted, ".bin"]) {
      const link = join(this.folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link);
    }
    if (names.length === 0 && manifest["scripts"]?.["prepare"] !== undefined)
      await this.#run("npm run --silent prepare");
  }

  async #run(command: string, shown?: string, page = ""): Promise<void> {
    const endsAt = Date.now() + (this.#hasEdited && this.#running.size > 0 ? 30_000 : 0);
    this.#hasEdited = false;
    for (;;) {
      const [code, printed] = await this.#print(command);
      if (shown === undefined) {
        expect(code, `${page}: ${command}\n${printed}`).toBe(0);
        return;
      }
      if (hasExcerpts(printed, shown)) return;
      // A server that restarts because of an edit can still have the earlier code.
      if (Date.now() >= endsAt) expect(printed, `${page}: ${command}`).toBe(shown);
    }
  }

  async #print(command: string): Promise<[code: number, printed: string]> {
    const options = { cwd: this.folder, env: this.#environment, timeout: 120_000 };
    try {
      const { stdout } = await promisify(execFile)("sh", ["-c", `{ ${command}\n} 2>&1`], options);
      return [0, stripVTControlCharacters(stdout)];
    } catch (error) {
      const { code, stdout } = error as { readonly code: number; readonly stdout: string };
      return [code, stripVTControlCharacters(stdout)];
    }
  }

  /** Starts a program that runs until it is started again, or until the end. */
  async #start(command: string, shown?: string): Promise<void> {
    await this.#running.get(command)?.end();
    const running = new Running(command, this.folder, this.#environment);
    this.#running.set(command, running);
    await expect
      .poll(() => shown === undefined || hasExcerpts(running.printed, shown) || running.printed, { timeout: 60_000 })
      .toBe(true);
    this.#hasEdited = false;
  }
}

/** A program in a terminal of its own. */
class Running {
  readonly #child: ChildProcess;
  printed = "";

  constructor(command: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn("sh", ["-c", `${command} 2>&1`], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.printed += stripVTControlCharacters(text);
    });
  }

  /** Presses Ctrl-C. */
  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const closed = once(this.#child, "close");
    process.kill(-pid, "SIGINT");
    await closed;
  }
}

/** Whether a text has these parts, which lines with `…` separate, in their order. */
function hasExcerpts(printed: string, shown: string): boolean {
  let from = 0;
  return shown.split(/^…\n/m).every((part) => {
    const at = printed.indexOf(part.trimEnd(), from);
    from = at + part.trimEnd().length;
    return at >= 0;
  });
}
