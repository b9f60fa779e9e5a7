import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { DiagnosticId } from "../../shared/diagnostics/catalogue.js";
import type { Span } from "../../shared/model/source.js";
import type { Entry, Table } from "../overlay/effective-overlay.js";

/** Collects the diagnostics of a run of the passes, and which overlay entries were used. */
export class DiagnosticCollector {
  /**
   * @param strict whether the revision's own overlay entries must match and add a fact; off for JSON Schema, which
   *   lacks some of the members that entries refer to
   */
  constructor(private readonly strict: boolean) {}

  readonly errors: Diagnostic[] = [];
  readonly findings: Diagnostic[] = [];
  /** Inherited entries, or parts of them, that no longer match. */
  readonly dropped: string[] = [];
  private readonly used = new Set<Entry<unknown>>();
  private readonly reported = new Set<string>();

  /** The entry for `key`; it counts as used. */
  take<T>(table: Table<T>, key: string): Entry<T> | undefined {
    const entry = table.get(key);
    if (entry) this.used.add(entry);
    return entry;
  }

  use(entry: Entry<unknown>): void {
    this.used.add(entry);
  }

  isUsed(entry: Entry<unknown>): boolean {
    return this.used.has(entry);
  }

  /** Own entries that the schema makes superfluous are errors; inherited ones are accepted. */
  redundant(entry: Entry<unknown>, name: string): void {
    this.used.add(entry);
    if (entry.own && this.strict) this.error("overlay-redundant", { entry: name }, entry.span);
  }

  /** Own entries that match nothing are errors; inherited ones are dropped and listed. */
  stale(entry: Pick<Entry<unknown>, "own" | "span">, name: string): void {
    if (entry.own && this.strict) this.error("overlay-stale", { entry: name }, entry.span);
    else this.dropped.push(name);
  }

  error(id: DiagnosticId, values: Readonly<Record<string, string | number>>, span?: Span): void {
    const found = diagnostic(id, values, span);
    const key = JSON.stringify(found);
    if (!this.reported.has(key)) this.errors.push(found);
    this.reported.add(key);
  }

  finding(id: DiagnosticId, values: Readonly<Record<string, string | number>>, span?: Span): void {
    this.findings.push(diagnostic(id, values, span));
  }
}
