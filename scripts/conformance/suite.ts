import { join } from "node:path";
import { installPinned, pinnedNode, pinnedVersion } from "../pinned.js";
import { suiteFolder } from "./paths.js";

/** The Node that runs the official suite, and the script to start. */
export interface Suite {
  readonly node: string;
  readonly script: string;
  readonly version: string;
}

const name = "@modelcontextprotocol/conformance";

/** Finds the pinned version of the suite. Installs it with its version of Node when they are not installed. */
export function findSuite(): Suite {
  installPinned(suiteFolder);
  const version = pinnedVersion(suiteFolder, name);
  if (version === undefined) throw new Error(`${suiteFolder}/package.json does not contain ${name}`);
  return { node: pinnedNode(suiteFolder), script: join(suiteFolder, "node_modules", name, "dist/index.js"), version };
}
