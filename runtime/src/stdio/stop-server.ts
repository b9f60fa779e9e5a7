import { settlesWithin } from "./settles-within.js";
import type { ServerProcess } from "./spawn-server.js";

/** How long a server may take to end, in milliseconds. */
export interface ShutdownTimeouts {
  /** From the end of its input until SIGTERM. Default 2,000. */
  readonly stdinMs?: number;
  /** From SIGTERM until SIGKILL. Default 2,000. */
  readonly termMs?: number;
}

/** What a process has left in its pipes comes within this time, in milliseconds, or a child of its own keeps them open. */
export const PIPES_MS = 500;

/**
 * Asks a server to end, then tells it to, then ends it (MCP, lifecycle: shutdown). Resolves when it is gone.
 * @param closed when it has ended and its pipes are empty
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
