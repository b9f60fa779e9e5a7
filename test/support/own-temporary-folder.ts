/** Gives the tests a temporary folder of their own, removes it, and fails when a test has left something in it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "mcpwright-tests-";
/** What tools keep there for their next run. */
const caches = /^(tsx-|node-compile-cache|v8-compile-cache)/;

export default function setUp(): () => void {
  const parent = tmpdir();
  // Each project calls this; the folder belongs to all of them.
  if (basename(parent).startsWith(`${prefix}${process.pid}-`)) return () => undefined;
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Node reads the first on POSIX systems, and the others on Windows.
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => !caches.test(name));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(
      `tests have left ${left.length} files or folders in the temporary folder; create them with temporaryFolder() of test/support: ${left.slice(0, 10).join(", ")}`,
    );
  };
}

/** Removes the folders of runs that were killed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? parseInt(name.slice(prefix.length), 10) : NaN;
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
