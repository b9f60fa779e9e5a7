import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";

/** The text of an error for a host and a user: of a diagnostic, the message without its hint. */
export function diagnosticReason(error: unknown): string {
  if (error instanceof DiagnosticError) return error.diagnostics.map(({ message }) => message).join("\n");
  return error instanceof Error ? error.message : String(error);
}
