import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";

/** Ids and messages of what is wrong; undefined when nothing is. */
export function collision(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message }) => `${id}: ${message}`).join("\n");
  }
}
