import { diagnostic, DiagnosticError } from "../diagnostics/diagnostic.js";

/** Converts an error of the file system to a diagnostic; returns any other error unchanged. */
export function notWritable(path: string, error: unknown): unknown {
  const reason = errnoText(error);
  return reason === undefined ? error : new DiagnosticError([diagnostic("output-not-writable", { path, reason })]);
}

/** `ENOSPC: no space left on device`, without the system call and the paths that Node appends. */
export function errnoText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return error.message.split(",", 1)[0];
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
