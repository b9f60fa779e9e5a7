import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import type { MigrateResult } from "./migrate.js";

interface Arguments {
  readonly dir: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** `mcpwright migrate`. */
export function migrateCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "migrate [dir]",
      describe:
        "Move a project from the official SDK to mcpwright: its package.json files, without a change of its source",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async ({ dir, dryRun, force, json }) => {
        const { migrate } = await import("./migrate.js");
        const result = await migrate({ folder: dir, force, mode: dryRun ? "dry-run" : "write" });
        for (const finding of result.findings) err.write(`${formatDiagnostic(finding)}\n`);
        if (json) out.write(`${JSON.stringify(result, undefined, 2)}\n`);
        else out.write(`${dryRun ? result.diff : ""}${summary(result, dryRun)}`);
        if (result.findings.length > 0) exit(1);
      },
    },
    "Move a project from the official SDK",
    "dependencies that you must change yourself",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("dir", { describe: "Folder of a package or a monorepo", type: "string", default: "." })
    .option("dry-run", { describe: "Write nothing; show what would change", type: "boolean", default: false })
    .option("force", {
      describe: "Write even if the folder has changes that are not committed, or is not in a git repository",
      type: "boolean",
      default: false,
    })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 migrate", "Replace the official SDK in the current folder")
    .example("$0 migrate weather --dry-run", "Show the changes without writing them")
    .check(({ dir }) => {
      if (dir === "") throw new UsageError("[dir] must not be empty; omit it for the current folder.");
      return true;
    });
}

function summary({ changed, findings, manager }: MigrateResult, isTrial: boolean): string {
  if (changed.length === 0)
    return findings.length > 0 ? "Nothing was changed.\n" : "Nothing to change: the project uses mcpwright.\n";
  const count = `${changed.length} ${changed.length === 1 ? "file" : "files"}`;
  const last = isTrial ? `${count} would change.` : `${count} changed. Run ${manager} install now.`;
  return `${[...changed.map((path) => `changed   ${path}`), last].join("\n")}\n`;
}
