import type { Argv } from "yargs";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import type { MigrateResult } from "./migrate.js";
import { placeOf, todoTag } from "./todo-comment.js";

interface Arguments {
  readonly dir: string;
  readonly compat: boolean;
  readonly native: boolean;
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
      handler: async ({ dir, native, dryRun, force, json }) => {
        const { migrate } = await import("./migrate.js");
        const result = await migrate({
          folder: dir,
          force,
          level: native ? "native" : "compat",
          mode: dryRun ? "dry-run" : "write",
        });
        for (const finding of result.findings) err.write(`${formatDiagnostic(finding)}\n`);
        if (json) out.write(`${JSON.stringify(result, undefined, 2)}\n`);
        else out.write(`${dryRun ? result.diff : ""}${summary(result, dryRun)}`);
        if (result.findings.length + result.todos.length > 0) exit(1);
      },
    },
    "Move a project from the official SDK",
    "places where you must decide, dependencies that you must change yourself",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("dir", { describe: "Folder of a package or a monorepo", type: "string", default: "." })
    .option("compat", {
      describe: "Change package.json files only; the source keeps the API of the official SDK (default)",
      type: "boolean",
      default: false,
    })
    .option("native", {
      describe: "Also rewrite the source, to the API of mcpwright",
      type: "boolean",
      default: false,
    })
    .option("dry-run", { describe: "Write nothing; show what would change", type: "boolean", default: false })
    .option("force", {
      describe: "Write even if the folder has changes that are not committed, or is not in a git repository",
      type: "boolean",
      default: false,
    })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 migrate", "Replace the official SDK in the current folder")
    .example("$0 migrate --native", "Rewrite the source, too")
    .example("$0 migrate weather --dry-run", "Show the changes without writing them")
    .check(({ dir, compat, native }) => {
      if (compat && native) throw new UsageError("Use only one of --compat and --native.");
      if (dir === "") throw new UsageError("[dir] must not be empty; omit it for the current folder.");
      return true;
    });
}

function summary({ changed, findings, todos, manager }: MigrateResult, isTrial: boolean): string {
  if (changed.length === 0 && todos.length > 0) return `${listed(todos).join("\n")}\nNothing was changed.\n`;
  if (changed.length === 0)
    return findings.length > 0 ? "Nothing was changed.\n" : "Nothing to change: the project uses mcpwright.\n";
  const count = `${changed.length} ${changed.length === 1 ? "file" : "files"}`;
  const last = isTrial ? `${count} would change.` : `${count} changed. Run ${manager} install now.`;
  return `${[...changed.map((path) => `changed   ${path}`), ...listed(todos), last].join("\n")}\n`;
}

function listed(todos: MigrateResult["todos"]): readonly string[] {
  if (todos.length === 0) return [];
  const places = todos.map(({ path, line, text, section }) => `  ${path}:${line}: ${text} (${placeOf(section)})`);
  return [
    `${todos.length} ${todos.length === 1 ? "place needs" : "places need"} your decision, marked with ${todoTag}`,
    ...places,
  ];
}
