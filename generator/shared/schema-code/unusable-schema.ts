import { DiagnosticError } from "../diagnostics/diagnostic.js";

/** A schema cannot be used; the message says why, in half a sentence. */
export class UnusableSchema extends Error {}

/** Why a peer's schema cannot be used; undefined for any other error. */
export function whyUnusable(error: unknown): string | undefined {
  if (error instanceof UnusableSchema) return error.message;
  if (error instanceof DiagnosticError) return error.diagnostics.map(({ message }) => message).join("; ");
  // Only what nests beyond all bounds exhausts the stack.
  return error instanceof RangeError ? "it is nested too deeply" : undefined;
}
