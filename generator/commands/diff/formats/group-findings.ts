import type { DiffFinding } from "../finding.js";
import { rules } from "../rules.js";

/** Findings of one rule with the same meaning for receivers, senders and code. */
export interface FindingGroup {
  readonly rule: string;
  readonly purpose: string;
  readonly receiver: string;
  readonly sender: string;
  readonly source: string;
  /** With `…` for what differs from finding to finding. */
  readonly hint: string;
  readonly findings: readonly DiffFinding[];
}

const purposes: ReadonlyMap<string, string> = new Map(rules.map(({ id, purpose }) => [id, purpose]));

export function groupFindings(findings: readonly DiffFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, DiffFinding[]>();
  for (const finding of findings) {
    const { rule, receiver, sender, source, hint } = { ...finding, hint: generalHint(finding) };
    const key = JSON.stringify([rule, receiver, sender, source, hint]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { rule, receiver, sender, source } = first;
    const hint = members.length === 1 ? first.hint : generalHint(first);
    const purpose = purposes.get(rule) ?? "No overlay states the fact, and no schema contains it.";
    return [{ rule, purpose, receiver, sender, source, hint, findings: members }];
  });
}

/** A hint without the names of its definition or method, which differ within a group. */
function generalHint({ rule, at, hint, before, after }: DiffFinding): string {
  const method = /^(?:client|server) (\S+)$/.exec(at)?.[1];
  const key = /`conversions\.\w+\.([^`]+)`/.exec(hint)?.[1];
  const names = [key, at, method, rule === "result-alternative-removed" ? before?.text : undefined, after?.path];
  const known = names.filter((name) => name !== undefined && name !== "");
  return known.reduce((text: string, name) => text.replaceAll(name ?? "", "…"), hint);
}
