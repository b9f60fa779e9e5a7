import { escapeLine } from "../../../shared/command/escape-controls.js";
import { formatPlace } from "../../../shared/diagnostics/diagnostic.js";
import type { ConfigProblem } from "./read-config.js";

/** The mistake on one line: `path:line:column  error  id: what is wrong. What to do.` Findings are warnings. */
export function formatProblem({ id, severity, span, message, hint }: ConfigProblem): string {
  const text = escapeLine(`${id}: ${message}. ${hint}`, 1_500);
  return `${escapeLine(formatPlace(span), 1_000)}  ${severity === "finding" ? "warning" : "error"}  ${text}`.trim();
}
