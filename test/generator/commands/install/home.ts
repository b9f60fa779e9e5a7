import { join } from "node:path";
import type { Machine } from "../../../../generator/shared/hosts/host-paths.js";
import { put, sandbox } from "../../shared/files/sandbox.js";
import type { Tree } from "../../shared/files/tree.js";

export interface Home {
  readonly machine: Machine;
  readonly home: string;
  readonly project: string;
}

/** A home folder on Linux with these files, and a built project in `notes/`. */
export function homeWith(files: Tree = {}): Home {
  const home = sandbox();
  const project = join(home, "notes");
  put(home, {
    "notes/package.json": JSON.stringify({ name: "@ada/notes", bin: "build/main.js" }),
    "notes/build/main.js": "",
    ...files,
  });
  return { machine: { platform: "linux", env: {}, home, cwd: project }, home, project };
}
