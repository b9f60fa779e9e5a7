import type { VerbGroup } from "./verbs.js";
import type { Verb } from "../shared/command/verb.js";

/** The output of `mcpwright --help`. */
export function overview(groups: readonly VerbGroup[]): string {
  const width = Math.max(...groups.flatMap(({ verbs }) => verbs.map(({ module }) => String(module.command).length)));
  const line = ({ module, summary }: Verb): string => `  ${String(module.command).padEnd(width)}  ${summary}`;
  const lists = groups.map(({ title, verbs }) => [`${title}:`, ...verbs.map(line)].join("\n"));
  return [
    "mcpwright <command> [options]",
    "Generates MCP servers, clients and protocol code.",
    ...lists,
    "Options and examples: mcpwright help <command>. Version: mcpwright --version.",
    "Exit codes: 0 success; 1 findings, out-of-date output or invalid input; 2 wrong usage; 3 internal error (a bug).",
  ]
    .join("\n\n")
    .concat("\n");
}
