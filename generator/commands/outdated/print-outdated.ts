import { escapeControls } from "../../shared/command/escape-controls.js";
import { assertNever } from "../../shared/assert-never.js";
import type { NewerItem } from "./findings.js";
import type { OutdatedReport } from "./outdated.js";

/** The report as text; texts from the network are printed without control characters. */
export function printOutdated({ current, newer }: OutdatedReport): string {
  if (current) return "Everything is current.\n";
  return escapeControls(newer.map((item) => `${describe(item)}\n  ${item.remedy}\n`).join(""));
}

function describe(item: NewerItem): string {
  switch (item.kind) {
    case "revision":
      return `Revision ${item.name} is newer than ${item.ours}: ${changesOf(item)}`;
    case "draft":
      return `The draft ${item.name === "draft" ? "" : `${item.name} `}differs from ${item.ours}: ${changesOf(item)}`;
    case "changed-file":
      return `The published file of ${item.name} has changed: ${item.difference}`;
    case "package":
      return `${item.name} ${item.newest} is newer than ${item.ours}`;
    default:
      return assertNever(item);
  }
}

function changesOf(item: NewerItem & { readonly kind: "revision" | "draft" }): string {
  const { changes, problem, ours, url } = item;
  if (!changes) return `${problem}`;
  const counts = Object.entries(changes).filter(([, count]) => count > 0);
  const listed = counts.map(([category, count]) => `${category} ${count}`).join(", ");
  return `${listed || "no changes"}\n  mcpwright diff ${ours} ${url}`;
}
