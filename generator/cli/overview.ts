import type { VerbGroup } from "./verbs.js";
import type { Verb } from "../shared/command/verb.js";

/** What `mcpwright --help` prints. */
export function overview(groups: readonly VerbGroup[]): string {
  const width = Math.max(...groups.flatMap(({ verbs }) => verbs.map(({ module }) => String(module.command).length)));
  const line = ({ module, summary }: Verb): string => `  ${String(module.command).padEnd(width)}  ${summary}`;
  const lists = groups.map(({ title, verbs }) => [`${title}:`, ...verbs.map(line)].join("\n"));
  return [
    "mcpwright <command> [options]",
    "MCP servers, clients and protocol code, generated.",
    ...lists,
    "mcpwright help <command> shows options and examples, --version the version.",
    "Exit codes: 0 fine; 1 findings, drift or faulty input; 2 wrong usage; 3 a defect of mcpwright.",
  ]
    .join("\n\n")
    .concat("\n");
}
