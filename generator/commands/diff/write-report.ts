import { readFileSync } from "node:fs";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { hasCode, notWritable } from "../../shared/files/file-errors.js";
import { replaceFile } from "../../shared/files/replace-file.js";

/**
 * Puts a report into a file: the whole of it, or nothing. Only an older report is overwritten.
 * @throws DiagnosticError report-foreign, output-not-writable
 */
export function writeReport(path: string, text: string): void {
  const present = existing(path);
  if (present !== undefined && !isReport(present)) fail("report-foreign", { path });
  replaceFile(path, text);
}

function existing(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw notWritable(path, error);
  }
}

/** Every format has the line that counts the findings, but JSON, which begins like no other file. */
function isReport(text: string): boolean {
  return (
    text === "" ||
    /: (\d+ findings? \(|no differences)/.test(text) ||
    /^\{\s*"format": 1,\s*"before": \{\s*"revision":/.test(text)
  );
}
