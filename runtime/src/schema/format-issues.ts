import { pointerTo } from "./pointer.js";
import type { StandardIssue } from "./standard-schema.js";

/**
 * Prints issues on one line, `/a/b: must be string; must be object`, with JSON Pointers (RFC 6901) as paths. Shows at most 20
 * issues and 2,000 characters, because the sender of the invalid value decides how many there are.
 */
export function formatIssues(issues: readonly StandardIssue[]): string {
  const lines = issues
    .slice(0, 20)
    .map(({ path, message }) => (path?.length ? `${pointer(path)}: ${message}` : message));
  if (issues.length > 20) lines.push(`and ${issues.length - 20} more`);
  const text = lines.join("; ");
  return text.length > 2_000 ? `${text.slice(0, 1_999)}…` : text;
}

function pointer(path: NonNullable<StandardIssue["path"]>): string {
  return path.reduce<string>((at, part) => pointerTo(at, typeof part === "object" ? part.key : part), "");
}
