import { catalogue } from "../../shared/diagnostics/catalogue.js";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { findDeviation, type JsonStructure } from "../../shared/json/json-structure.js";
import { JsonLocations } from "../../shared/json/json-locations.js";
import type { DiffFinding, IgnoredFinding, IgnoreEntry } from "./finding.js";
import { rules } from "./rules.js";

const entryShape: JsonStructure = { members: { rule: "string", at: "string", reason: "string" } };

/**
 * Reads an ignore list: `[{ "rule": "member-added", "at": "Tool.*", "reason": "…" }]`.
 * @throws DiagnosticError when it is malformed, or names a rule that does not exist
 */
export function readIgnores(text: string, file: string): readonly IgnoreEntry[] {
  const locations = new JsonLocations(text, file);
  let value: unknown;
  try {
    value = JSON.parse(locations.text);
  } catch (error) {
    return fail("ignore-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
  const found = findDeviation(value, { list: entryShape });
  if (found)
    fail(
      "ignore-malformed",
      { reason: `${found.path.join(".") || "the list"}: expected ${found.expected}` },
      locations.locate(found.path),
    );
  const entries = value as readonly IgnoreEntry[];
  for (const [index, { rule, reason }] of entries.entries()) {
    const at = (member: string) => locations.locate([String(index), member]);
    if (rule !== "*" && !rules.some(({ id }) => id === rule) && !Object.hasOwn(catalogue, rule))
      fail("ignore-malformed", { reason: `there is no rule ${rule}` }, at("rule"));
    if (reason.trim() === "") fail("ignore-malformed", { reason: `${index}.reason: expected a reason` }, at("reason"));
  }
  return entries;
}

export interface IgnoreResult {
  readonly findings: readonly DiffFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly staleIgnores: readonly IgnoreEntry[];
}

/** Takes out the findings that an entry names; the first entry counts. */
export function applyIgnores(findings: readonly DiffFinding[], entries: readonly IgnoreEntry[]): IgnoreResult {
  const used = new Set<IgnoreEntry>();
  const kept: DiffFinding[] = [];
  const ignored: IgnoredFinding[] = [];
  for (const finding of findings) {
    const matching = entries.filter(
      ({ rule, at }) => (rule === "*" || rule === finding.rule) && matches(finding.at, at),
    );
    for (const entry of matching) used.add(entry);
    const [first] = matching;
    if (first) ignored.push({ finding, reason: first.reason });
    else kept.push(finding);
  }
  return { findings: kept, ignored, staleIgnores: entries.filter((entry) => !used.has(entry)) };
}

/** `*` stands for any text; everything else for itself. Never backtracks more than once per star. */
export function matches(text: string, pattern: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  let rest = text.slice(head.length, text.length - tail.length);
  for (const part of parts) {
    const index = rest.indexOf(part);
    if (index < 0) return false;
    rest = rest.slice(index + part.length);
  }
  return true;
}
