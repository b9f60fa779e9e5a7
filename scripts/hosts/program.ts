import { existsSync } from "node:fs";
import { join } from "node:path";
import { hostsFolder } from "./paths.js";

/**
 * The path of a host's program. The host's package creates it with an install script; the package for the platform contains it.
 * @param candidates paths below `node_modules`
 * @throws Error when npm has no package for this platform
 */
export function program(name: string, candidates: readonly string[]): string {
  const found = candidates.map((path) => join(hostsFolder, "node_modules", path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`npm has no ${name} for ${process.platform} on ${process.arch}`);
  return found;
}
