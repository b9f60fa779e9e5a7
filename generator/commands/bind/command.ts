import type { Argv } from "yargs";
import { bind, type BindResult } from "./bind.js";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { type SessionArguments, sessionOptions, connectOptions } from "../../shared/command/session-options.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments extends SessionArguments {
  readonly out: string | undefined;
  readonly check: boolean;
  readonly json: boolean;
}

/** `mcpwright bind`. */
export function bindCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "bind [target..]",
      describe: "Write a typed client for a live server",
      builder: (argv) => options(sessionOptions(argv)) as unknown as Argv<Arguments>,
      handler: (args) => handle(args, context),
    },
    "Write a typed client for a server",
    "a server that fails, drift that --check found",
  );
}

function options(argv: Argv<SessionArguments>): Argv {
  return argv
    .option("out", {
      describe: "The file to write; without it the client is printed",
      type: "string",
      requiresArg: true,
    })
    .option("check", {
      describe: "Write nothing; tell how the server differs from what the file was made of, and exit 1 if it does",
      type: "boolean",
      default: false,
    })
    .option("json", { describe: "Print what was done as JSON", type: "boolean", default: false })
    .example("$0 bind --out src/weather.ts http://127.0.0.1:3000/mcp", "A server at a URL")
    .example("$0 bind --out src/files.ts -- npx -y some-server /data", "A command")
    .example("$0 bind --out src/files.ts --check -- npx -y some-server /data", "Has it changed?")
    .check((given) => {
      const { out, check, json } = given as unknown as Arguments;
      if (out !== undefined && !/\.[cm]?ts$/.test(out)) throw new UsageError("--out takes a file that ends in .ts.");
      if (out === undefined && check) throw new UsageError("--check needs --out, the file to hold against the server.");
      if (out === undefined && json)
        throw new UsageError("--json needs --out: without it the client itself is printed.");
      return true;
    });
}

async function handle(args: Arguments, context: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const { out, check, json } = args;
  const reach = connectOptions(args);
  await runInterruptible(async (signal) => {
    const result = await bind({
      ...reach,
      signal,
      check,
      tell: (line) => context.err.write(`${escapeControls(line)}\n`),
      ...(out !== undefined && { out }),
    });
    print(result, { out, json, show: escapeControls }, context);
    if (result.drift.diff !== "") context.exit(1);
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
  const state = file === "checked" ? (drift.diff === "" ? "is what the server offers" : "has drifted") : `was ${file}`;
  out.write(`${path} ${file === "unchanged" ? "is unchanged" : state}: ${listed}\n`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
