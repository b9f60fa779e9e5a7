import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";

/** Ids and messages of the problems; undefined when there are none. */
export function collision(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ id, message }) => `${id}: ${message}`).join("\n");
  }
}
