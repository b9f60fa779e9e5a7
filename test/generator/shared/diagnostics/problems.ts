import { DiagnosticError, type Diagnostic } from "../../../../generator/shared/diagnostics/diagnostic.js";

/** What a run refuses, each as `file:line:column id: message`; empty when it refuses nothing. */
export function problems(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics.map(line);
    throw error;
  }
}

export function line({ id, span, message }: Diagnostic): string {
  return `${span ? `${span.file}:${span.line}:${span.column} ` : ""}${id}: ${message}`;
}
