import { createRequire } from "node:module";

/** The file of a package as a module at `file` would find it; undefined if it is not installed there. */
export function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}
