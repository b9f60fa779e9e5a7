import type { Span } from "../model/source.js";
import { catalogue, type DiagnosticId } from "./catalogue.js";

/** One message about an input, an overlay or the output. Plain data. */
export interface Diagnostic {
  readonly id: DiagnosticId;
  readonly severity: "error" | "finding";
  readonly span?: Span;
  readonly message: string;
  readonly hint: string;
}

type Values = Readonly<Record<string, string | number>>;

export function diagnostic(id: DiagnosticId, values: Values, span?: Span): Diagnostic {
  const { severity, message, hint } = catalogue[id];
  return { id, severity, ...(span && { span }), message: fill(message, values), hint: fill(hint, values) };
}

/** Replaces the placeholders. Values are printed on one line, without control characters, and truncated when long. */
function fill(pattern: string, values: Values): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    if (value === undefined) return whole;
    // eslint-disable-next-line no-control-regex -- removes control characters
    const line = String(value).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
    return line.length > 400 ? `${line.slice(0, 400)}…` : line;
  });
}

/** `file:line:column error[id]: message` with the hint on the next line. */
export function formatDiagnostic({ id, severity, span, message, hint }: Diagnostic): string {
  const place = span ? `${formatPlace(span)}: ` : "";
  return `${place}${severity}[${id}]: ${message}\n  ${hint}`;
}

/** `file:line:column`. */
export function formatPlace({ file, line, column }: Span): string {
  return `${file}:${line}:${column}`;
}

/** Thrown by each phase that cannot continue; contains all diagnostics found so far. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
  }
}

export function fail(id: DiagnosticId, values: Values, span?: Span): never {
  throw new DiagnosticError([diagnostic(id, values, span)]);
}
