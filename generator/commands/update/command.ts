import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { UpdateProjectResult } from "./update-project.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly dir: string;
  readonly check: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `mcpwright update`. */
export function updateCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "update [dir]",
      describe: "Merge newer templates into a project created by `new`; your changes are kept",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async ({ dir, check, dryRun, json }) => {
        const { updateProject } = await import("./update-project.js");
        const result = await updateProject({ folder: dir, mode: check ? "check" : dryRun ? "dry-run" : "write" });
        for (const finding of result.findings) err.write(`${formatDiagnostic(finding)}\n`);
        if (json) out.write(`${JSON.stringify(result, undefined, 2)}\n`);
        else out.write(`${check || dryRun ? result.diff : ""}${summary(result, check || dryRun)}`);
        if (result.findings.length > 0 || (check && result.diff !== "")) exit(1);
      },
    },
    "Update a project to newer templates",
    "conflicts, an out-of-date project with --check",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("dir", { describe: "Project folder", type: "string", default: "." })
    .option("check", { describe: "Write nothing; exit 1 if anything would change", type: "boolean", default: false })
    .option("dry-run", { describe: "Write nothing; show what would change", type: "boolean", default: false })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 update", "Update the project in the current folder")
    .example("$0 update weather --dry-run", "Show the changes without writing them")
    .check(({ dir }) => {
      if (dir === "") throw new UsageError("[dir] must not be empty; omit it for the current folder.");
      return true;
    });
}

function summary(result: UpdateProjectResult, isTrial: boolean): string {
  const { from, to, added, replaced, merged, removed, kept } = result;
  const lines = [
    ...added.map((path) => `added     ${path}`),
    ...replaced.map((path) => `replaced  ${path}`),
    ...merged.map((path) => `merged    ${path}`),
    ...removed.map((path) => `removed   ${path}`),
    ...kept.map(({ path, reason }) => `kept      ${path} (${reason})`),
  ];
  const changes = added.length + replaced.length + merged.length + removed.length;
  const last =
    changes === 0 && result.findings.length === 0
      ? `The project is up to date with mcpwright ${to}, apart from your changes.`
      : `${changes} ${changes === 1 ? "file" : "files"} ${isTrial ? "would change" : "changed"}, from mcpwright ${from} to ${to}.`;
  return `${[...lines, last].join("\n")}\n`;
}
