import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const program = join(root, "dist/cli.js");
/** The most lines of a picture; a longer output ends with an ellipsis. */
const maxLines = 18;

/** What a running command has printed, and its input. */
interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the output contains a text. @throws Error when the command ends without it */
  readonly printed: (text: string) => Promise<void>;
  readonly text: () => string;
  readonly ended: Promise<void>;
}

const runs: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  new: (folder) => output(["new", "weather", "--yes"], folder),
  inspect: () => output(["inspect", "--", "npx", "tsx", "examples/weather/main.ts"], root),
  diff: () => output(["diff", "2025-11-25", "2026-07-28"], root),
  dev: runDev,
};

/** Runs the command of a recording, and returns its output without the places, times and versions of this machine. */
export async function record(name: string): Promise<string> {
  const run = runs[name];
  if (!run) throw new RangeError(`no command is known for the recording ${name}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "recording-")));
  try {
    return shortened(normalised(await run(folder), folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function output(args: readonly string[], cwd: string): Promise<string> {
  const { ended, text, child } = start(args, cwd);
  child.stdin.end();
  await ended;
  return text();
}

/** Opens a session, as a host does, and saves the file. */
async function runDev(folder: string): Promise<string> {
  await output(["new", "weather", "--yes"], folder);
  const project = join(folder, "weather");
  mkdirSync(project, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  const { child, printed, text, ended } = start(["dev", "src/main.ts", "--no-types"], project);
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "host", version: "1.0.0" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await printed('"serverInfo"');
  send({ method: "notifications/initialized" });
  const file = join(project, "src/main.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace("Hello", "Good morning"));
  await printed("restarted in");
  child.stdin.end();
  await ended;
  // Messages go to the host.
  return text().replace(/^\{.*\n/gm, "");
}

function start(args: readonly string[], cwd: string): Running {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "80" },
  });
  let text = "";
  const watchers = new Set<() => void>();
  const add = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const watcher of watchers) watcher();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  const ended = new Promise<void>((resolve, reject) => child.on("close", () => resolve()).on("error", reject));
  const printed = (expected: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (text.includes(expected)) resolve();
      };
      watchers.add(check);
      check();
      void ended.then(() => reject(new Error(`${args.join(" ")} ended without "${expected}": ${text}`)));
    });
  return { child, printed, text: () => text, ended };
}

function normalised(text: string, folder: string): string {
  return text
    .replaceAll(folder, "/home/ada")
    .replaceAll(root, "/home/ada/mcpwright")
    .replace(/\b\d+ ms\b/g, "400 ms")
    .replace(/\s+$/, "");
}

function shortened(text: string): string {
  const lines = text.split("\n");
  return `${(lines.length > maxLines ? [...lines.slice(0, maxLines), "…"] : lines).join("\n")}\n`;
}
