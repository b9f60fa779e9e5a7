import yargs from "yargs";
import { DiagnosticError, formatDiagnostic } from "../diagnostics/diagnostic.js";
import type { DiagnosticId } from "../diagnostics/catalogue.js";
import { packageRoot } from "../package-root.js";
import { auditCommand } from "./audit-command.js";
import { bindCommand } from "./bind-command.js";
import { compileCommand } from "./compile-command.js";
import { diffCommand } from "./diff-command.js";
import { explainCommand } from "./explain-command.js";
import { generateCommand } from "./generate-command.js";
import { inspectCommand } from "./inspect-command.js";
import { modelCommand } from "./model-command.js";
import { newCommand } from "./new-command.js";
import { revisionsCommand } from "./revisions-command.js";
import { updateCommand } from "./update-command.js";
import { UsageError } from "./usage-error.js";
import { validateCommand } from "./validate-command.js";
import { vendorCommand } from "./vendor-command.js";

/** Where a command prints: results to `out`, progress and diagnostics to `err`. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Context {
  readonly out: Output;
  readonly err: Output;
  /** Sets the exit code: 1 for findings or drift. */
  readonly exit: (code: ExitCode) => void;
}

export type ExitCode = 0 | 1 | 2 | 3;

/** Diagnostics that the command line is to blame for. */
const usage: ReadonlySet<DiagnosticId> = new Set<DiagnosticId>([
  "revision-unknown",
  "revision-or-file-unknown",
  "name-unknown",
  "name-not-in-revision",
  "revision-unstated",
  "revision-invalid",
  "input-type-unknown",
  "vendor-target-refused",
  "skeleton-name-invalid",
  "compile-not-typescript",
  "target-not-found",
  "target-typescript",
  "target-folder-missing",
  "target-url-invalid",
  "target-option-unfit",
  "target-header-invalid",
  "config-server-unknown",
  "config-server-unnamed",
  "request-arguments",
  "conversation-revision-untold",
]);

/**
 * Runs one command line and tells the exit code:
 * 0 fine, 1 findings, drift or a faulty input, 2 wrong usage, 3 a defect of mcpwright itself.
 */
export async function run(args: readonly string[], out: Output, err: Output): Promise<ExitCode> {
  let code: ExitCode = 0;
  const context: Context = { out, err, exit: (next) => (code = next) };
  const parser = yargs()
    .scriptName("mcpwright")
    .usage("$0 <command>\n\nGenerates Model Context Protocol code from the protocol's schema.")
    .command(generateCommand(context))
    .command(revisionsCommand(context))
    .command(modelCommand(context))
    .command(auditCommand(context))
    .command(diffCommand(context))
    .command(explainCommand(context))
    .command(vendorCommand(context))
    .command(compileCommand(context))
    .command(newCommand(context))
    .command(updateCommand(context))
    .command(inspectCommand(context))
    .command(validateCommand(context))
    .command(bindCommand(context))
    .demandCommand(1, "Name a command.")
    .strict()
    .detectLocale(false)
    .check((given: Record<string, unknown>) => {
      // What stands behind -- are words of another program, and the --watch of inspect names a resource.
      const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
      const flags = typeof given["watch"] === "string" ? /^--(check|dry-run|json)=/ : /^--(check|dry-run|watch|json)=/;
      const vague = own.find((arg) => flags.test(arg) && !/=(true|false)$/.test(arg));
      if (vague !== undefined) throw new UsageError(`${vague} is neither true nor false.`);
      const repeated = ["schema", "revision", "out", "from", "to"].find((name) => Array.isArray(given[name]));
      if (repeated !== undefined) throw new UsageError(`--${repeated} was given more than once.`);
      return true;
    })
    .version(packageRoot().version)
    .epilogue("Exit codes: 0 fine, 1 findings or drift or a faulty input, 2 wrong usage, 3 a defect of mcpwright.")
    .wrap(110)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw error && error.name !== "YError" ? error : new UsageError(message ?? "Wrong usage.");
    });
  try {
    await parser.parseAsync(args, {}, (_error, _argv, printed) => {
      if (printed) out.write(`${printed}\n`);
    });
  } catch (error) {
    if (error instanceof UsageError) {
      err.write(`${error.message}\n${hintFor(error, args)}See mcpwright --help.\n`);
      return 2;
    }
    if (error instanceof DiagnosticError) {
      err.write(`${error.diagnostics.map(formatDiagnostic).join("\n")}\n`);
      return error.diagnostics.every(({ id }) => usage.has(id)) ? 2 : 1;
    }
    err.write(
      `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nThis is a defect of mcpwright; please report it with the command line.\n`,
    );
    return 3;
  }
  return code;
}

/** Options of a server's own command look like ours that are misspelt. */
function hintFor({ message }: UsageError, [verb = ""]: readonly string[]): string {
  if (!message.startsWith("Unknown argument") || !["inspect", "bind"].includes(verb)) return "";
  return `A command with options of its own goes behind --: mcpwright ${verb} -- node server.js --port 1\n`;
}
