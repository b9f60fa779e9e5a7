import { existsSync } from "node:fs";
import { join } from "node:path";
import { hostsFolder } from "./paths.js";

/**
 * The program of a host. Its package gets it by an install script; that of the platform, on which it depends, has it anyway.
 * @param candidates paths below `node_modules`
 * @throws Error when there is none for this platform
 */
export function program(name: string, candidates: readonly string[]): string {
  const found = candidates.map((path) => join(hostsFolder, "node_modules", path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`npm has no ${name} for ${process.platform} on ${process.arch}`);
  return found;
}
