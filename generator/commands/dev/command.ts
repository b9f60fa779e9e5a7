import type { Argv } from "yargs";
import { hasColours } from "../../shared/command/colours.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { dev } from "./dev.js";

interface Arguments {
  readonly entry: string;
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly watch: readonly string[] | undefined;
  readonly "no-types": boolean;
  readonly http: string | undefined;
  readonly ui: string | undefined;
  readonly trace: string | undefined;
  readonly inspect: string | undefined;
}

/** The ports without a number: those of projects of `mcpwright new`, and of Node; for the page any free one. */
const defaultPorts = { http: 3000, ui: 0, inspect: 9229 } as const;

/** `mcpwright dev`. */
export function devCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "dev <entry>",
      describe: "Run a server from its source, and restart it on changes without losing the host",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Run a server, restart it when you save",
    "an entry that cannot run, a port that cannot be used",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return argv
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false, "boolean-negation": false })
    .positional("entry", {
      describe: "The .ts or .js file that starts the server; put arguments of the server after --",
      type: "string",
      demandOption: true,
    })
    .option("watch", {
      describe: "Another file or folder whose changes restart the server; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("no-types", {
      describe: "Do not check types beside the server",
      type: "boolean",
      default: false,
    })
    .option("http", {
      describe: "Serve HTTP at this port of this machine (default 3000; 0: any free one) instead of stdio",
      type: "string",
    })
    .option("ui", {
      describe: "Serve a page with the messages, and forms to call tools, at this port (default: any free one)",
      type: "string",
    })
    .option("trace", { describe: "Print all messages, or record them in a .jsonl file", type: "string" })
    .option("inspect", { describe: "Open the debugger of Node at this port (default 9229)", type: "string" })
    .example("$0 dev src/main.ts", "The command for the configuration of a host")
    .example("$0 dev src/main.ts --trace -- --verbose", "Show all messages, and pass an argument to the server")
    .example("$0 dev src/main.ts --ui", "Also print the address of a page to look at the messages and call tools")
    .example("$0 dev src/main.ts --watch data --http", "Serve http://127.0.0.1:3000/mcp, and restart when data changes")
    .check((given) => {
      const { http, ui, inspect, trace } = given as unknown as Arguments;
      readPort("http", http);
      readPort("ui", ui);
      readPort("inspect", inspect);
      if (trace !== undefined && trace !== "" && !trace.endsWith(".jsonl"))
        throw new UsageError(
          "The file of --trace must end in .jsonl; to print messages instead, put --trace last or write --trace=",
        );
      return true;
    });
}

/** @throws UsageError */
function readPort(option: keyof typeof defaultPorts, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "") return defaultPorts[option];
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(
    `--${option} takes a port, 0 to 65535, not ${text}; without one, put --${option} last or write --${option}=`,
  );
}

async function handle(args: Arguments, { err, exit }: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { recordMessages, showMessages } = await import("../../shared/sessions/message-trace.js");
  const { formatDiagnostic } = await import("../../shared/diagnostics/diagnostic.js");
  const { entry, watch = [], trace } = args;
  const [port, inspectPort] = [readPort("http", args.http), readPort("inspect", args.inspect)];
  const uiPort = readPort("ui", args.ui);
  const print = (line: string): unknown => err.write(`${line}\n`);
  const note = (one: Diagnostic): void => {
    print(formatDiagnostic(one));
    exit(1);
  };
  const recording = trace ? recordMessages(trace, note) : undefined;
  const shown = recording?.trace ?? (trace === "" ? showMessages(print) : undefined);
  try {
    await runInterruptible((signal) =>
      dev({
        entry,
        args: (args["--"] ?? []).map(String),
        watch,
        types: !args["no-types"],
        signal,
        print,
        hasColours: hasColours(err),
        ...(port !== undefined && { http: { port } }),
        ...(uiPort !== undefined && { ui: { port: uiPort } }),
        ...(inspectPort !== undefined && { inspectPort }),
        ...(shown && { trace: shown }),
      }),
    );
  } finally {
    recording?.end();
  }
}
