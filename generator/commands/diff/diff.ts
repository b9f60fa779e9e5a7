import { buildSteps } from "../../pipeline/conversions/build-steps.js";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { readText } from "../../shared/sources/schema-folder.js";
import { diffModels } from "./diff-models.js";
import { categories, type DiffCategory, type DiffFinding, type DiffReport } from "./finding.js";
import { readIgnores, applyIgnores } from "./ignore-list.js";
import { readRevision, type ReadRevision } from "./read-revision.js";

export interface DiffOptions {
  /** The older state: a revision, or a path or URL of a schema.ts, schema.json or model.json. */
  readonly before: string;
  /** The newer state, likewise. */
  readonly after: string;
  /** Paths or URLs of the files that either schema imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
  /** Path of a list of findings to leave out, with reasons. Default: none. */
  readonly ignore?: string;
}

/**
 * Compares two revisions and reports what each change means for receivers, senders and TypeScript code.
 * Facts that an overlay must state for the newer one are findings with the id of their diagnostic.
 * @throws DiagnosticError when an input or the ignore list is invalid
 */
export async function diff({ before, after, imports, ignore }: DiffOptions): Promise<DiffReport> {
  const entries = ignore === undefined ? [] : readIgnores(await readText(ignore, ignore), ignore);
  const [older, newer] = [await readRevision(before, "before", imports), await readRevision(after, "after", imports)];
  return reportOn(older, newer, entries);
}

/** The same for revisions that have been read. */
export function reportOn(
  older: ReadRevision,
  newer: ReadRevision,
  entries: Parameters<typeof applyIgnores>[1] = [],
): DiffReport {
  const changes = diffModels(older.model, newer.model, { before: older.locate, after: newer.locate });
  const unstated = [...newer.unstated, ...unstatedConversions(older, newer)].map(findingOf);
  const all = [...changes, ...unstated].sort((a, b) => categories.indexOf(a.category) - categories.indexOf(b.category));
  const { findings, ignored, staleIgnores } = applyIgnores(all, entries);
  return {
    format: 1,
    before: { revision: older.model.revision, file: older.file },
    after: { revision: newer.model.revision, file: newer.file },
    findings,
    ignored,
    staleIgnores,
    counts: Object.fromEntries(
      categories.map((category) => [category, findings.filter((finding) => finding.category === category).length]),
    ) as Record<DiffCategory, number>,
  };
}

/** Values of which no overlay says what becomes of them on the way between the two. */
function unstatedConversions(older: ReadRevision, newer: ReadRevision): readonly Diagnostic[] {
  if (newer.model.conversions?.neighbour !== older.model.revision) return [];
  try {
    return buildSteps([older.model, newer.model]).findings;
  } catch (error) {
    // Entries that match nothing are for `generate` to refuse; a changed schema may well have some.
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

function findingOf({ id, span, message, hint }: Diagnostic): DiffFinding {
  const place = span && { file: span.file, line: span.line };
  return {
    rule: id,
    category: "unstated",
    at: id,
    message,
    after: { text: "not stated", path: "overlay.json", ...place },
    sentBy: ["client", "server"],
    receiver: "No overlay states what to expect.",
    sender: "No overlay states what to do.",
    source: "The generated code is complete but for this.",
    hint,
  };
}
