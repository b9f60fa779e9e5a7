import type { ArgumentsCamelCase } from "yargs";
import type { CompileResult } from "./compile.js";
import { diagnostic, DiagnosticError, formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { watchFiles } from "./watch-files.js";

interface Arguments {
  readonly file: string;
  readonly out: string | undefined;
  readonly check: boolean;
  readonly watch: boolean;
  readonly json: boolean;
}

/** `mcpwright compile`. */
export function compileCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "compile <file>",
      describe: "Generate tools from the functions in a TypeScript file: schemas, validators and registration",
      builder: (argv) =>
        argv
          .positional("file", {
            describe: "A TypeScript file that exports functions with the doc tag @tool",
            type: "string",
            demandOption: true,
          })
          .option("out", {
            describe: "Output file (default: <name>.mcp.ts beside the source file)",
            type: "string",
            requiresArg: true,
          })
          .option("check", {
            describe: "Write nothing; print the differences, and exit with 1 if there are any",
            type: "boolean",
            default: false,
          })
          .option("watch", {
            describe: "Compile again when the file or one of its imports changes",
            type: "boolean",
            default: false,
          })
          .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
          .example("$0 compile src/tools.ts", "Write src/tools.mcp.ts")
          .example("$0 compile src/tools.ts --watch", "Recompile on every change")
          .example("$0 compile src/tools.ts --check", "In CI: check that the output is up to date")
          .check(({ check, watch }) => {
            if (check && watch) throw new UsageError("Use only one of --check and --watch.");
            return true;
          }),
      handler: (args) => handle(args, context),
    },
    "Generate tools from TypeScript functions",
    "types without a schema, out-of-date output with --check",
  );
}

async function handle(args: ArgumentsCamelCase<Arguments>, context: Context): Promise<void> {
  const { compile } = await import("./compile.js");
  const { file, out, check, watch } = args;
  const once = (): Promise<CompileResult> => compile({ file, check, ...(out !== undefined && { out }) });
  if (!watch) {
    print(await once(), args, context);
    return;
  }
  let sources: readonly string[] = [file];
  await watchFiles(
    async () => {
      try {
        const result = await once();
        sources = result.sources;
        print(result, args, context);
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        // The error may be in a file that was not a known source yet.
        sources = [...new Set([...sources, ...error.diagnostics.flatMap(({ span }) => span?.file ?? [])])];
        context.err.write(`${error.diagnostics.map(formatDiagnostic).join("\n")}\n`);
      }
      return sources;
    },
    () => context.err.write("watching for changes; press Ctrl-C to stop\n"),
  );
}

function print(result: CompileResult, { check, json }: Arguments, { out, err, exit }: Context): void {
  const { out: path, tools, changed, diff } = result;
  const drift = check && changed ? [diagnostic("compile-drift", { path })] : [];
  if (json) out.write(`${JSON.stringify({ out: path, tools, changed, findings: drift }, null, 2)}\n`);
  else {
    out.write(diff);
    for (const finding of drift) err.write(`${formatDiagnostic(finding)}\n`);
    const state = changed ? (check ? "is out of date" : "was written") : "is up to date";
    out.write(`${path} ${state}: ${tools.length} tool${tools.length === 1 ? "" : "s"} (${tools.join(", ")})\n`);
  }
  if (drift.length > 0) exit(1);
}
