import { join, relative } from "node:path";
import type { ArgumentsCamelCase, Argv } from "yargs";
import { diagnostic, DiagnosticError, formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { outputs, type Output } from "../../pipeline/emit/revision-files.js";
import { generate, type GenerateResult } from "../../pipeline/generate.js";
import type { GenerateOptions } from "../../pipeline/generate-options.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { createProgress } from "./progress.js";
import { isSchemaLocation, isUrl } from "../../shared/sources/schema-folder.js";
import { extensionFile } from "../../shared/sources/extension-folder.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { summary } from "./summary.js";
import type { Context } from "../../shared/command/context.js";
import { outputEdited } from "../../pipeline/write/write-output.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { watchInputs } from "./watch-inputs.js";

interface Arguments {
  readonly revisions: readonly string[];
  readonly schema: string | undefined;
  readonly import: readonly string[] | undefined;
  readonly revision: string | undefined;
  readonly extension: string | undefined;
  readonly over: string | undefined;
  readonly out: string;
  readonly check: boolean | undefined;
  readonly dryRun: boolean | undefined;
  readonly watch: boolean | undefined;
  readonly only: readonly string[] | undefined;
  readonly json: boolean;
}

/** `mcpwright generate`. */
export function generateCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "generate [revisions..]",
      describe: "Generate code from the included schemas, or from a schema or extension of your own",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: (args) => handle(args, context),
    },
    "Generate the code of revisions and extensions",
    "findings, out-of-date output with --check",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("revisions", {
      describe: "Revisions to generate (default: all)",
      type: "string",
      array: true,
      default: [],
    })
    .option("schema", {
      describe: "Path or URL of a schema.ts, .d.ts or schema.json to generate from",
      type: "string",
      requiresArg: true,
    })
    .option("import", importOption)
    .option("revision", {
      describe: "Revision id of the schema, if the file does not declare one",
      type: "string",
      requiresArg: true,
    })
    .option("extension", {
      describe:
        "Path or URL of the schema of an extension to generate, folder with its schema.ts or schema.json, or id or short name of one that mcpwright knows",
      type: "string",
      requiresArg: true,
    })
    .option("over", {
      describe:
        "Revision to lay the extension over, or path or URL of its schema (default: the last one in its overlay, or the newest)",
      type: "string",
      requiresArg: true,
    })
    .option("out", { describe: "Output folder", type: "string", default: "generated", requiresArg: true })
    .option("check", {
      describe: "Write nothing; print the differences, and exit with 1 if there are any",
      type: "boolean",
    })
    .option("dry-run", { describe: "Write nothing; print what would change", type: "boolean" })
    .option("watch", { describe: "Generate again when a schema, overlay or doc text changes", type: "boolean" })
    .option("only", {
      describe: "Outputs to generate, with the files they import (default: all except corpus)",
      choices: Object.keys(outputs),
      array: true,
      requiresArg: true,
    })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 generate --out src/protocol", "All revisions")
    .example("$0 generate 2026-07-28 --only types validate --out src/protocol", "Types and validators of one revision")
    .example(
      "$0 generate --schema my/schema.ts --revision 2027-01-15 --watch",
      "A schema of your own, regenerated on every change",
    )
    .example(
      "$0 generate --extension ext --over 2026-07-28 --out src/generated",
      "An extension of your own: the folder ext has its schema.ts",
    )
    .example("$0 generate --out src/protocol --check", "In CI: check that the output is up to date")
    .check((given) => {
      const { revisions, schema, import: imports, revision, out, check, dryRun, watch } = given as unknown as Arguments;
      const { extension, over } = given as unknown as Arguments;
      if (out === "") throw new UsageError("--out must not be empty.");
      if (schema !== undefined && revisions.length > 0) throw new UsageError("Pass revisions or --schema, not both.");
      if (extension !== undefined && (schema !== undefined || revisions.length > 0))
        throw new UsageError("Pass --extension alone; name its revision, or the schema of its revision, with --over.");
      if (over !== undefined && extension === undefined) throw new UsageError("--over requires --extension.");
      if (revision !== undefined && schema === undefined && !isSchemaLocation(over))
        throw new UsageError("--revision requires --schema, or a schema file in --over.");
      importsOf(imports, schema !== undefined || extension !== undefined);
      if ([check, dryRun, watch].filter((flag) => flag === true).length > 1)
        throw new UsageError("Use only one of --check, --dry-run and --watch.");
      if (watch === true && [schema, extension].some((location) => location !== undefined && isUrl(location)))
        throw new UsageError("--watch requires a file; a URL cannot be watched.");
      return true;
    });
}

async function handle(args: ArgumentsCamelCase<Arguments>, context: Context): Promise<void> {
  const once = async (): Promise<GenerateResult> => {
    const progress = createProgress(context.err, args.json);
    try {
      const result = await generate({ ...generateOptions(args), onPhase: progress.phase });
      progress.end();
      return result;
    } catch (error) {
      progress.abandon();
      throw error;
    }
  };
  if (args.watch !== true) {
    const result = await once();
    print(result, args, context);
    return;
  }
  const watched = args.extension === undefined ? args.schema : extensionFile(args.extension);
  await watchInputs(watched, Object.values(importsOf(args.import).imports ?? {}), async () => {
    try {
      print(await once(), args, context);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      context.err.write(`${error.diagnostics.map(formatDiagnostic).join("\n")}\n`);
    }
    context.err.write("watching for changes; press Ctrl-C to stop\n");
  });
}

function generateOptions(args: Arguments): GenerateOptions {
  const { revisions, schema, import: imports, revision, extension, over, out, check, dryRun, only } = args;
  return {
    revisions,
    out,
    check: check === true,
    dryRun: dryRun === true,
    ...(schema !== undefined && { schema }),
    ...importsOf(imports),
    ...(revision !== undefined && { revision }),
    ...(extension !== undefined && { extension }),
    ...(over !== undefined && { over }),
    ...(only && { only: only as readonly Output[] }),
  };
}

function print(
  { findings, report, revisions, extensions, out }: GenerateResult,
  { check, dryRun, json, out: named }: Arguments,
  { out: stdout, err, exit }: Context,
): void {
  const { added, changed, removed, unchanged, edited = [], diff } = report;
  const drift = added.length + changed.length + removed.length > 0;
  const refused = edited.map((path) => outputEdited(join(named, path)));
  const all = [
    ...findings,
    ...refused,
    ...(check === true && drift ? [diagnostic("output-drift", { path: named })] : []),
  ];
  if (json) {
    stdout.write(
      `${JSON.stringify({ out: relative(process.cwd(), out) || ".", revisions, extensions: extensions.map(({ name }) => name), added, changed, removed, unchanged, findings: all }, null, 2)}\n`,
    );
  } else {
    if (diff) stdout.write(diff.endsWith("\n") ? diff : `${diff}\n`);
    for (const finding of all) err.write(`${formatDiagnostic(finding)}\n`);
    const verb = check === true || dryRun === true ? "would be" : "were";
    stdout.write(`${summary({ report, revisions, extensions }, named, verb)}\n`);
  }
  if (all.length > 0) exit(1);
}
