import { statSync } from "node:fs";
import { dirname } from "node:path";
import { type CheckResult, problem } from "../finding.js";

/** Whether others may read the file with the credentials of log-ins. */
export function checkCredentials(path: string, user = process.getuid?.()): CheckResult | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  // Windows has access lists instead; the folders of a user are private there.
  if (user === undefined) return undefined;
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  if (!stats.isFile()) return [problem("error", "the credentials are not a file", `move it away: ${quoted}`, path)];
  if (stats.uid !== user)
    return [
      problem("error", "the credentials belong to another user", `delete the file and log in again: ${quoted}`, path),
    ];
  if ((stats.mode & 0o077) !== 0)
    return [problem("error", "other users may read or write the credentials", `run: chmod 600 ${quoted}`, path)];
  const folder = dirname(path);
  if ((statSync(folder).mode & 0o022) !== 0) {
    const remedy = `run: chmod go-w '${folder.replaceAll("'", "'\\''")}'`;
    return [problem("warning", "other users may replace the file with the credentials", remedy, folder)];
  }
  return "only you can read the credentials";
}
