import type { FindIssues, Predicate, Side } from "@mcpwright/protocol/contract";

/** Why a member of params or of a result is not valid. Names types of the value, but never values. */
export interface MessageIssue {
  /** JSON Pointer (RFC 6901) to the member; empty for the params or the result itself. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** The issues of a value that a predicate has rejected, as text for a message and as data. */
export interface Explanation {
  /** At most three issues. */
  readonly text: string;
  /** At most eight issues. */
  readonly issues: readonly MessageIssue[];
}

/** How many issues `text` names. */
const named = 3;

/** Returns undefined when nothing is known, because the option `findIssues` is not set or the predicate is not in its tables. */
export function explainIssues(
  findIssues: FindIssues | undefined,
  side: Side,
  predicate: Predicate | null | undefined,
  value: unknown,
): Explanation | undefined {
  if (!findIssues || !predicate) return undefined;
  const issues = findIssues(side, predicate, value)
    .slice(0, 8)
    .map(({ path, expected, received }) => ({ path: pointer(path), expected: cut(expected), received: cut(received) }));
  if (issues.length === 0) return undefined;
  const lines = issues
    .slice(0, named)
    .map(({ path, expected, received }) => `${path && `${path} `}must be ${expected}, got ${received}`);
  if (issues.length > named) lines.push(`and ${issues.length - named} more`);
  return { text: lines.join("; "), issues };
}

/** The peer chooses the keys: long ones are cut, and characters that a terminal would interpret are escaped. */
function pointer(path: readonly (string | number)[]): string {
  const steps = path.map((key) => `/${cut(String(key), 60).replace(/~/g, "~0").replace(/\//g, "~1")}`);
  return steps.length > 8 ? [...steps.slice(0, 4), "/…", ...steps.slice(-3)].join("") : steps.join("");
}

function cut(text: string, most = 200): string {
  return (text.length > most ? `${text.slice(0, most - 1)}…` : text).replace(
    /(?! )[\p{C}\p{Z}]/gu,
    (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
