import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fail } from "../../shared/diagnostics/diagnostic.js";

/** The number of files that an error lists. */
const listed = 5;

/**
 * Checks that git could restore a folder: it is in a repository, and everything in it is committed.
 * @throws DiagnosticError migrate-no-git, migrate-dirty
 */
export async function assertCommitted(folder: string): Promise<void> {
  let status: string;
  try {
    const args = ["-C", folder, "status", "--porcelain", "-z", "--untracked-files=all", "--", "."];
    status = (await promisify(execFile)("git", args, { maxBuffer: 64 * 2 ** 20 })).stdout;
  } catch (error) {
    return fail("migrate-no-git", { path: folder, reason: reasonOf(error) });
  }
  const paths = status.split("\0").filter((line) => /^[ MADRCUT?!]{2} /.test(line));
  if (paths.length === 0) return;
  const files = paths.slice(0, listed).map((line) => line.slice(3));
  const more = paths.length > listed ? [`and ${paths.length - listed} more`] : [];
  fail("migrate-dirty", { path: folder, files: [...files, ...more].join(", ") });
}

function reasonOf(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return "the command git is not installed";
  return /^fatal: (.*)/m.exec(stderr ?? "")?.[1] ?? String(error);
}
