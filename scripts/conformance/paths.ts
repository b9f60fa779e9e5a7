import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

export const fixtures = join(root, "test/conformance");

/** The package of the official suite: apart, so that its dependencies are nobody else's. */
export const suiteFolder = join(fixtures, "suite");

/** The fixtures, built. Relative to `root`: the suite splits the client's command at blanks. */
export const builtFixtures = "test/conformance/dist";
