import { DiagnosticError } from "../diagnostics/diagnostic.js";

/** Thrown when a schema cannot be used; the message is the reason, as half a sentence. */
export class UnusableSchema extends Error {}

/** Why a peer's schema cannot be used; undefined for any other error. */
export function whyUnusable(error: unknown): string | undefined {
  if (error instanceof UnusableSchema) return error.message;
  if (error instanceof DiagnosticError) return error.diagnostics.map(({ message }) => message).join("; ");
  // Only excessive nesting exhausts the stack.
  return error instanceof RangeError ? "it is nested too deeply" : undefined;
}
