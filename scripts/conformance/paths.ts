import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

export const fixtures = join(root, "test/conformance");

/** The folder with the package of the official suite, which is separate because of its dependencies. */
export const suiteFolder = join(fixtures, "suite");

/** The folder of the built fixtures, relative to `root`, because the suite splits the client's command at blanks. */
export const builtFixtures = "test/conformance/dist";

/** The results of each scenario. */
export const reportPath = join(root, "docs/reference/conformance.md");

/** Contains the sums. */
export const readmePath = join(root, "README.md");
