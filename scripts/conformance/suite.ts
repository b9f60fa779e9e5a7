import { join } from "node:path";
import { installPinned, pinnedNode, pinnedVersion } from "../pinned.js";
import { suiteFolder } from "./paths.js";

/** How to start the official suite: a Node that it runs on, and its script. */
export interface Suite {
  readonly node: string;
  readonly script: string;
  readonly version: string;
}

const name = "@modelcontextprotocol/conformance";

/** Finds the pinned version of the suite; installs it, and a Node for it, where they are not there yet. */
export function findSuite(): Suite {
  installPinned(suiteFolder);
  const version = pinnedVersion(suiteFolder, name);
  if (version === undefined) throw new Error(`${suiteFolder}/package.json does not name ${name}`);
  return { node: pinnedNode(suiteFolder), script: join(suiteFolder, "node_modules", name, "dist/index.js"), version };
}
