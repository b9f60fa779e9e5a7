import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The folders of the three packages, in the order in which they depend on each other. */
export const packageFolders = ["generated", "runtime", "."] as const;

/** Packs what `npm run build` made, as npm would publish it. @returns the paths of the tarballs, in that order */
export function packAll(destination: string): readonly string[] {
  return packageFolders.map((folder) => {
    const before = new Set(readdirSync(destination));
    const options = ["--ignore-scripts", "--silent", "--pack-destination", destination];
    execFileSync("npm", ["pack", resolve(root, folder), ...options], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const made = readdirSync(destination).find((file) => !before.has(file));
    if (made === undefined) throw new Error(`npm pack made nothing of ${folder}`);
    return join(destination, made);
  });
}

/** Has publint and attw judge a tarball. Both are known to who was started by npm. */
export function judge(tarball: string): void {
  execFileSync("publint", ["run", tarball, "--strict"], { cwd: root, stdio: "inherit" });
  execFileSync("attw", [tarball, "--profile", "esm-only", "--no-summary"], { cwd: root, stdio: "inherit" });
}
