import type { Argv } from "yargs";
import type { Context } from "../../../shared/command/context.js";
import { UsageError } from "../../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../../shared/command/verb.js";
import { type ConfigHost, configHosts } from "../config/find-config.js";

interface Arguments {
  readonly config: string | undefined;
  readonly from: ConfigHost | undefined;
  readonly out: string | undefined;
  readonly check: boolean;
  readonly yes: boolean;
  readonly "no-browser": boolean;
}

/** `mcpwright gateway lock`. */
export function gatewayLockCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "gateway lock [config]",
      describe: "Record the tools, prompts and instructions of the servers of a gateway, so that changes are noticed",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Record what the servers of a gateway show",
    "a server that cannot be reached, differences with --check",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return argv
    .parserConfiguration({ "parse-positional-numbers": false, "boolean-negation": false })
    .positional("config", { describe: "A configuration with mcpServers", type: "string" })
    .option("from", { describe: "Use the servers that this host has", choices: configHosts, requiresArg: true })
    .option("out", {
      describe: "The lock (default: beside the configuration, or its field gateway.lock)",
      type: "string",
      requiresArg: true,
    })
    .option("check", {
      describe: "Compare with the lock, and write nothing; exit code 1 if something differs",
      type: "boolean",
      default: false,
    })
    .option("yes", { describe: "Approve the commands of --from", type: "boolean", default: false })
    .option("no-browser", {
      describe: "Print the URL of a log-in instead of opening it",
      type: "boolean",
      default: false,
    })
    .example("$0 gateway lock gateway.json", "Write gateway.lock.json")
    .example("$0 gateway lock gateway.json --check", "Compare the servers with the lock")
    .check(({ config, from, yes }) => {
      if (config === undefined && from === undefined) throw new UsageError("A configuration or --from is required.");
      if (config !== undefined && from !== undefined)
        throw new UsageError("Use only one of a configuration and --from.");
      if (yes && from === undefined) throw new UsageError("--yes requires --from.");
      return true;
    });
}

async function handle(args: Arguments, { out, err, exit }: Context): Promise<void> {
  const { escapeControls } = await import("../../../shared/command/escape-controls.js");
  const { openTerminalFor } = await import("../../../shared/sessions/terminal.js");
  const { lockGateway } = await import("./lock-gateway.js");
  const ended = new AbortController();
  const terminal = openTerminalFor(err, ended.signal);
  const { config, from, out: file, check, yes } = args;
  try {
    const { text, isGood } = await lockGateway({
      ...(config !== undefined && { config }),
      ...(from !== undefined && { from }),
      ...(file !== undefined && { out: file }),
      authorization: { openBrowser: !args["no-browser"] },
      isCheck: check,
      isApproved: yes,
      ...(terminal && { terminal }),
      tell: (line) => err.write(`${escapeControls(line)}\n`),
    });
    out.write(escapeControls(text));
    if (!isGood) exit(1);
  } finally {
    ended.abort();
    terminal?.end();
  }
}
