/** Packs the three packages as npm would publish them and has publint and attw judge the tarballs. Run by npm, which knows both. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const tarballs = mkdtempSync(join(tmpdir(), "mcpwright-pack-"));

try {
  for (const folder of [".", "generated", "runtime"]) {
    run("npm", "pack", resolve(root, folder), "--ignore-scripts", "--silent", "--pack-destination", tarballs);
  }
  for (const file of readdirSync(tarballs)) {
    const tarball = join(tarballs, file);
    run("publint", "run", tarball, "--strict");
    run("attw", tarball, "--profile", "esm-only", "--no-summary");
  }
} finally {
  rmSync(tarballs, { recursive: true });
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: "inherit" });
}
