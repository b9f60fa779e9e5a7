import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";

/** A file that a migration changes, with its texts as they are, and will be, on the disk. */
export interface FileChange {
  /** From the folder that is migrated, with forward slashes. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A place where a person must decide. A comment of the same text stands above it. */
export interface Todo {
  readonly path: string;
  /** From 1, in the changed file. */
  readonly line: number;
  readonly text: string;
  /** The section of the pages about migrating that explains it. */
  readonly section: string;
}

export interface MigrationPlan {
  readonly files: readonly FileChange[];
  readonly findings: readonly Diagnostic[];
  readonly todos: readonly Todo[];
}
