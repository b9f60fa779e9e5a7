import type { Argv } from "yargs";
import { bind, type BindResult } from "./bind.js";
import { count } from "../../shared/command/count.js";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type SessionArguments, sessionOptions, connectOptions } from "../../shared/command/session-options.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments extends SessionArguments {
  readonly out: string | undefined;
  readonly extension: readonly string[] | undefined;
  readonly check: boolean;
  readonly json: boolean;
}

/** `mcpwright bind`. */
export function bindCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "bind [target..]",
      describe: "Generate a typed client for a running server",
      builder: (argv) => options(sessionOptions(argv)) as unknown as Argv<Arguments>,
      handler: (args) => handle(args, context),
    },
    "Generate a typed client for a server",
    "a server error, out-of-date output with --check",
  );
}

function options(argv: Argv<SessionArguments>): Argv {
  return argv
    .option("out", {
      describe: "Output file (default: standard output)",
      type: "string",
      requiresArg: true,
    })
    .option("extension", {
      describe:
        "Declare an extension in the client: its id or short name, or the folder that generate wrote; may be repeated",
      type: "string",
      array: true,
      nargs: 1,
      requiresArg: true,
    })
    .option("check", {
      describe:
        "Write nothing; report how the server has changed since the file was generated, and exit with 1 if it has",
      type: "boolean",
      default: false,
    })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 bind --out src/weather.ts http://127.0.0.1:3000/mcp", "A server at a URL")
    .example("$0 bind --out src/files.ts -- npx -y some-server /data", "A server that is started by a command")
    .example(
      "$0 bind --out src/reports.ts --extension io.modelcontextprotocol/tasks http://127.0.0.1:3000/mcp",
      "A server that runs tools as tasks",
    )
    .example(
      "$0 bind --out src/files.ts --check -- npx -y some-server /data",
      "In CI: check that the client is up to date",
    )
    .check((given) => {
      const { out, extension = [], check, json } = given as unknown as Arguments;
      if (extension.includes("")) throw new UsageError("--extension must not be empty.");
      if (out !== undefined && !/\.[cm]?ts$/.test(out)) throw new UsageError("The file of --out must end in .ts.");
      if (out === undefined && check)
        throw new UsageError("--check requires --out, the file to compare with the server.");
      if (out === undefined && json) throw new UsageError("--json requires --out; without it, the client is printed.");
      return true;
    });
}

async function handle(args: Arguments, context: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { openTerminalFor } = await import("../../shared/sessions/terminal.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const { out, check, json } = args;
  const reach = connectOptions(args);
  await runInterruptible(async (signal) => {
    const terminal = openTerminalFor(context.err, signal);
    try {
      const result = await bind({
        ...reach,
        authorization: { ...reach.authorization, canLogIn: terminal !== undefined },
        signal,
        check,
        tell: (line) => context.err.write(`${escapeControls(line)}\n`),
        ...(terminal && { ask: terminal.ask }),
        ...(args.extension && { extensions: args.extension }),
        ...(out !== undefined && { out }),
      });
      print(result, { out, json, show: escapeControls }, context);
      if (result.drift.diff !== "") context.exit(1);
    } finally {
      terminal?.end();
    }
  });
}

interface Printing {
  readonly out: string | undefined;
  readonly json: boolean;
  readonly show: (text: string) => string;
}

function print(result: BindResult, { out: path, json, show }: Printing, { out, err }: Context): void {
  const { text, findings, file, drift, tools, prompts, resources, resourceTemplates } = result;
  const counts = { tools, prompts, resources, resourceTemplates };
  for (const finding of json ? [] : findings) err.write(`${formatDiagnostic(finding)}\n`);
  if (json) {
    out.write(`${show(JSON.stringify({ out: path, file, ...counts, drift: drift.sentences, findings }, null, 2))}\n`);
    return;
  }
  if (path === undefined) {
    out.write(text);
    return;
  }
  if (drift.diff !== "") out.write(show(drift.diff));
  for (const sentence of drift.sentences) out.write(`${show(sentence)}\n`);
  const listed = `${count(tools, "tool")}, ${count(prompts, "prompt")}, ${count(resourceTemplates, "template")}, ${count(resources, "resource")}`;
  const state = file === "checked" ? (drift.diff === "" ? "is up to date" : "is out of date") : `was ${file}`;
  out.write(`${path} ${file === "unchanged" ? "is unchanged" : state}: ${listed}\n`);
}
