import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../free-port.js";
import type { Leg, Story } from "./stories.js";

const tsx = resolve(import.meta.dirname, "../../../node_modules/tsx/dist/cli.mjs");

export interface LegResult extends Leg {
  readonly passed: boolean;
  /** What the programs printed, when the leg failed. */
  readonly output: string;
}

/** The folders in which the programs of a leg run. */
export interface Stages {
  readonly client: string;
  readonly server: string;
}

/** Runs the client of a story, and for HTTP its server. Over stdio, the client starts the server. */
export async function runLeg(story: Story, leg: Leg, stages: Stages): Promise<LegResult> {
  const era = leg.era === "legacy" ? ["--legacy"] : [];
  if (leg.transport === "stdio") return judge(story, leg, await runClient(story, stages, era));
  // Servers with an authorization server listen on the next port, too.
  const port = await freePort(2);
  const server = start(stages.server, story, "server.ts", ["--http", "--port", String(port)], {
    ...story.environment,
    PORT: String(port),
  });
  const printed = collect(server);
  try {
    const isReady = await isListening(port, 15_000, server);
    if (!isReady) return { ...leg, passed: false, output: `the server does not listen\n${printed()}` };
    const url = `http://127.0.0.1:${port}${story.path}`;
    const result = judge(story, leg, await runClient(story, stages, ["--http", url, ...era]));
    return result.passed ? result : { ...result, output: `${result.output}\n--- the server:\n${printed()}` };
  } finally {
    await stop(server);
  }
}

interface Ended {
  /** `undefined` when the program did not end in time. */
  readonly code: number | undefined;
  readonly output: string;
}

async function runClient(story: Story, stages: Stages, args: readonly string[]): Promise<Ended> {
  const client = start(stages.client, story, "client.ts", args, {});
  const printed = collect(client);
  const aborted = AbortSignal.timeout(story.timeoutMs);
  try {
    await once(client, "close", { signal: aborted });
    return { code: client.exitCode ?? 1, output: printed() };
  } catch {
    return { code: undefined, output: printed() };
  } finally {
    await stop(client);
  }
}

function judge({ prints, timeoutMs }: Story, leg: Leg, { code, output }: Ended): LegResult {
  if (code === undefined)
    return { ...leg, passed: false, output: `the client did not end in ${timeoutMs} ms\n${output}` };
  if (code !== 0) return { ...leg, passed: false, output };
  if (prints !== undefined && !output.includes(prints))
    return { ...leg, passed: false, output: `the client did not print "${prints}"\n${output}` };
  return { ...leg, passed: true, output: "" };
}

function start(
  stage: string,
  { name }: Story,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, [tsx, join(stage, "examples", name, file), ...args], {
    cwd: stage,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

function collect(program: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("").trim();
}

/** Ends a program with its children, which are one process group. */
async function stop(program: ChildProcess): Promise<void> {
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (program.pid !== undefined) process.kill(-program.pid, signal);
    } catch {
      // The group has ended.
    }
  };
  const isRunning = program.exitCode === null && program.signalCode === null;
  const ended = isRunning
    ? once(program, "exit", { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    : undefined;
  kill("SIGTERM");
  await ended;
  kill("SIGKILL");
}

async function isListening(port: number, timeoutMs: number, server: ChildProcess): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end && server.exitCode === null) {
    const socket = connect({ port, host: "127.0.0.1" });
    const isConnected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isConnected) return true;
    await sleep(100);
  }
  return false;
}
