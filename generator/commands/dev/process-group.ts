import { spawn, spawnSync } from "node:child_process";

/** The groups to kill when this process exits. */
const groups = new Set<number>();
const isWindows = process.platform === "win32";

/**
 * Kills the group when this process exits before the returned function is called: the last resort, for errors.
 * @param pid the process that leads the group; 0 for none
 */
export function trackGroup(pid: number): () => void {
  if (pid === 0) return () => undefined;
  if (groups.size === 0) process.on("exit", killAll);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off("exit", killAll);
  };
}

/** Asks the processes of a group to end. Windows cannot ask, so they are ended. */
export function endGroup(pid: number): void {
  if (isWindows) killGroup(pid);
  else signalGroup(pid, "SIGTERM");
}

/** Ends the processes of a group. */
export function killGroup(pid: number): void {
  if (!isWindows) signalGroup(pid, "SIGKILL");
  else if (pid !== 0)
    spawn("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true }).on("error", () => undefined);
}

function killAll(): void {
  for (const pid of groups) {
    if (isWindows) spawnSync("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true });
    else signalGroup(pid, "SIGKILL");
  }
}

function taskkill(pid: number): readonly string[] {
  return ["/pid", String(pid), "/T", "/F"];
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid === 0) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have exited.
  }
}
