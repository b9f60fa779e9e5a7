import { settlesWithin } from "./settles-within.js";
import type { ServerProcess } from "./spawn-server.js";

/** How long a server may take to exit, in milliseconds. */
export interface ShutdownTimeouts {
  /** From the end of its input until SIGTERM. Default: 2,000. */
  readonly stdinMs?: number;
  /** From SIGTERM until SIGKILL. Default: 2,000. */
  readonly termMs?: number;
}

/** How long to wait for the rest of a process's output, in milliseconds; a child process may keep the pipes open. */
export const PIPES_MS = 500;

/**
 * Closes the server's input, then sends SIGTERM, then SIGKILL (MCP, lifecycle: shutdown). Resolves when it has exited.
 * @param closed resolves when the process has exited and its pipes are empty
 */
export async function stopServer(
  child: ServerProcess,
  closed: Promise<void>,
  { stdinMs = 2_000, termMs = 2_000 }: ShutdownTimeouts = {},
): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (hasExited(child)) resolve();
    else child.once("exit", () => resolve());
  });
  child.stdin.end();
  if (!(await settlesWithin(stdinMs, exited))) {
    child.kill("SIGTERM");
    if (!(await settlesWithin(termMs, exited))) child.kill("SIGKILL");
  }
  await exited;
  child.stdin.destroy();
  if (await settlesWithin(PIPES_MS, closed)) return;
  child.stdout.destroy();
  child.stderr?.destroy();
}

export function hasExited({ exitCode, signalCode }: ServerProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
