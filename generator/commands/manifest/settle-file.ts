import { resolve } from "node:path";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type Disk, realDisk } from "../../shared/files/disk.js";
import { replaceFile } from "../../shared/files/replace-file.js";
import type { ManifestResult } from "./manifest-options.js";

export interface SettledFile {
  readonly path: string;
  readonly isNew: boolean;
  readonly text: string;
  /** Empty: the file is up to date. */
  readonly difference: string;
  readonly findings: readonly Diagnostic[];
  /** Whether the file may be written. */
  readonly mayWrite: boolean;
}

/** Writes a file that is not up to date. @throws DiagnosticError output-not-writable */
export function settleFile(
  { path, isNew, text, difference, findings, mayWrite }: SettledFile,
  disk: Disk = realDisk,
): ManifestResult {
  const action = difference === "" ? "keep" : isNew ? "add" : "change";
  const isWritten = mayWrite && action !== "keep";
  if (isWritten) replaceFile(resolve(path), text, disk);
  return { path, action, isWritten, difference, findings };
}
