import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** The folder of the clients and servers, and of the package that pins the peers. */
export const interopFolder = join(root, "test/interop");

/** The folder in which npm installs the peers. */
export const modulesFolder = join(interopFolder, "node_modules");

/** The document with the results of a run. */
export const reportPath = join(root, "docs/reference/interoperability.md");
