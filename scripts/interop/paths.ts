import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** The clients and servers that meet, and the package that pins the peers. */
export const interopFolder = join(root, "test/interop");

/** Where npm puts the peers. */
export const modulesFolder = join(interopFolder, "node_modules");

/** What the run found, for readers. */
export const reportPath = join(root, "docs/reference/interoperability.md");
