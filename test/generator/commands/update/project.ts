import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  parseRecord,
  printRecord,
  recordPath,
  type ProjectRecord,
} from "../../../../generator/shared/project/project-record.js";
import { renderProject } from "../../../../generator/commands/new/render-project.js";
import { stdioServer } from "../new/project-options.js";
import { put, sandbox } from "../../shared/files/sandbox.js";

/** How an older version is made up: the texts that its templates gave; `undefined` where it had no such file. */
export type Older = Readonly<Record<string, string | undefined>>;

const now = renderProject(stdioServer);

/** An unchanged project created by an older version. */
export async function project(older: Older = {}, version = "0.0.1"): Promise<string> {
  const folder = sandbox();
  const then = new Map<string, string>();
  for (const [path, text] of Object.entries({ ...Object.fromEntries(await now), ...older }))
    if (text !== undefined) then.set(path, text);
  const record = printRecord({ version, options: stdioServer, files: then });
  put(folder, { ...Object.fromEntries(then), [recordPath]: record });
  return folder;
}

export function recordOf(folder: string): ProjectRecord {
  return parseRecord(readFileSync(join(folder, recordPath), "utf8"), recordPath);
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}
