import type { Finding } from "./check.js";
import { allRules } from "./rules.js";

/** A use of a rejected word that is justified. */
export interface Allowed {
  readonly line: number;
  /** A path in which `*` matches within a folder and `**` across folders. */
  readonly files: string;
  readonly rule: string;
  /** The words of the sentence, case-sensitive. */
  readonly words: string;
}

/** The maximum number of entries. More would be a second style. */
const mostEntries = 30;

export interface AllowedList {
  readonly entries: readonly Allowed[];
  readonly errors: readonly string[];
}

/** Reads `path glob | rule | words | reason` per line; `#` begins a comment. */
export function parseAllowed(text: string): AllowedList {
  const errors: string[] = [];
  const entries: Allowed[] = [];
  for (const [index, content] of text.split("\n").entries()) {
    if (content.trim() === "" || content.startsWith("#")) continue;
    const line = index + 1;
    const [files = "", rule = "", words = "", reason = "", ...more] = content.split("|").map((cell) => cell.trim());
    if (files === "" || words === "" || reason === "" || more.length > 0)
      errors.push(`line ${line}: expected "path glob | rule | words | reason"`);
    else if (!allRules.some(({ id }) => id === rule)) errors.push(`line ${line}: unknown rule "${rule}"`);
    else entries.push({ line, files, rule, words });
  }
  if (entries.length > mostEntries) errors.push(`${entries.length} entries; at most ${mostEntries} are accepted`);
  return { entries, errors };
}

/** The findings that no entry allows, and the entries that allow nothing. */
export function applyAllowed(
  findings: readonly Finding[],
  entries: readonly Allowed[],
): { readonly rest: readonly Finding[]; readonly unused: readonly Allowed[] } {
  const used = new Set<Allowed>();
  const rest = findings.filter((finding) => {
    const allowing = entries.filter((entry) => allows(entry, finding));
    for (const entry of allowing) used.add(entry);
    return allowing.length === 0;
  });
  return { rest, unused: entries.filter((entry) => !used.has(entry)) };
}

function allows({ files, rule, words }: Allowed, finding: Finding): boolean {
  return rule === finding.rule && globToPattern(files).test(finding.file) && finding.sentence.includes(words);
}

function globToPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/?|\*)/).map((part) => {
    if (part === "*") return "[^/]*";
    if (part.startsWith("**")) return part.endsWith("/") ? "(?:.*/)?" : ".*";
    return part.replace(/[\\^$.+?()[\]{}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`);
}
