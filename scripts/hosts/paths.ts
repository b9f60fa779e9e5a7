import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** The folder of the suite, the servers and the package that pins the hosts. */
export const hostsFolder = join(root, "test/hosts");

/** The folder of the suite and the servers, built for each host. */
export const builtFolder = join(hostsFolder, "dist");

export function built(name: string): string {
  return join(builtFolder, `${name}.js`);
}
