import { DiagnosticError, formatDiagnostic } from "../shared/diagnostics/diagnostic.js";
import type { DiagnosticId } from "../shared/diagnostics/catalogue.js";
import { verbGroups } from "./verbs.js";
import type { Verb } from "../shared/command/verb.js";
import { complete } from "./complete-words.js";
import { completeOption, wordsToComplete } from "../commands/completion/words-to-complete.js";
import { createParser } from "./create-parser.js";
import { findVerb } from "./find-verb.js";
import { overview } from "./overview.js";
import type { ExitCode, OutputStream } from "../shared/command/context.js";
import { UsageError } from "../shared/command/usage-error.js";
import { verbHelp } from "./verb-help.js";
import { ownArguments, unknownVerb } from "./wrong-usage.js";

/** Diagnostics that report wrong usage. */
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
  "compile-out-refused",
  "dev-entry-folder",
  "dev-entry-not-found",
  "dev-entry-type",
  "dev-entry-url",
  "dev-watch-not-found",
  "target-not-found",
  "target-typescript",
  "target-folder-missing",
  "target-url-invalid",
  "target-option-unfit",
  "target-header-invalid",
  "token-unencrypted",
  "config-server-unknown",
  "config-server-unnamed",
  "request-arguments",
  "conversation-revision-untold",
  "gateway-config-not-found",
]);

/**
 * Runs one command line.
 * @returns 0 success, 1 findings, out-of-date output or invalid input, 2 wrong usage, 3 internal error (a bug), 4 could not find out
 */
export async function run(given: readonly string[], out: OutputStream, err: OutputStream): Promise<ExitCode> {
  let code: ExitCode = 0;
  const groups = verbGroups({ out, err, exit: (next) => (code = next) });
  const verbs = groups.flatMap((group) => group.verbs);
  const words = helpFirst(given);
  const [first] = words;
  if (first === undefined || isHelp(first)) {
    (first === undefined ? err : out).write(overview(groups));
    return first === undefined ? 2 : 0;
  }
  if (first === completeOption) {
    const line = wordsToComplete(words.slice(1));
    for (const { word, describe } of complete(line, verbs)) out.write(`${word}\t${describe}\n`);
    return 0;
  }
  const { verb, named, args } = findVerb(words, verbs);
  try {
    if (!verb && named !== undefined) throw new UsageError(unknownVerb(named, verbs));
    if (verb && ownArguments(args).some(isHelp)) out.write(verbHelp(verb, widthOf(out)));
    else await parse(args, verb, out);
  } catch (error) {
    if (error instanceof DiagnosticError && wantsJson(args))
      out.write(`${JSON.stringify({ errors: error.diagnostics }, null, 2)}\n`);
    return reportError(error, verb, err);
  }
  return code;
}

/** Parses the command line with yargs and runs the handler of the verb. */
async function parse(args: readonly string[], verb: Verb | undefined, out: OutputStream): Promise<void> {
  await createParser(args, verb).parseAsync(args, {}, (_error, _argv, printed) => {
    if (printed) out.write(`${printed}\n`);
  });
}

/** Prints the error and returns the exit code. */
function reportError(error: unknown, verb: Verb | undefined, err: OutputStream): ExitCode {
  if (error instanceof UsageError) {
    err.write(`${error.message}\nSee mcpwright ${verb ? `${verb.name} ` : ""}--help.\n`);
    return 2;
  }
  if (error instanceof DiagnosticError) {
    err.write(`${error.diagnostics.map(formatDiagnostic).join("\n")}\n`);
    return error.diagnostics.every(({ id }) => usage.has(id)) ? 2 : 1;
  }
  err.write(
    `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nThis is a bug in mcpwright; please report it with the command line.\n`,
  );
  return 3;
}

/** Whether errors must be printed to standard output as JSON as well. */
function wantsJson(args: readonly string[]): boolean {
  const own = ownArguments(args);
  return own.some(
    (word, at) => /^--(json(=true)?|format=json)$/.test(word) || (word === "--format" && own[at + 1] === "json"),
  );
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** Rewrites `help diff` to `diff --help`. */
function helpFirst(given: readonly string[]): readonly string[] {
  const [first, ...words] = given;
  if (first !== "help") return given;
  const [verb = "help"] = words;
  return verb === "help" ? ["--help"] : [...words, "--help"];
}

function widthOf({ columns = 100 }: OutputStream): number {
  return Math.max(60, Math.min(110, columns));
}
