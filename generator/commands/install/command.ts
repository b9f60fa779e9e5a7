import type { Argv } from "yargs";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { type HostId, hostIds } from "../../shared/hosts/hosts.js";
import type { InstallRequest } from "./run-install.js";

interface Arguments {
  readonly host: HostId | undefined;
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly url: string | undefined;
  readonly dev: string | undefined;
  readonly name: string | undefined;
  readonly env: readonly string[] | undefined;
  readonly project: boolean;
  readonly user: boolean;
  readonly remove: boolean;
  readonly list: boolean;
  readonly yes: boolean;
  readonly "dry-run": boolean;
  readonly json: boolean;
}

/** `mcpwright install`. */
export function installCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "install [host]",
      describe: "Write a server into the configuration of a host, after showing what changes",
      builder: (argv) => options(argv),
      handler: async (args) => {
        const { runInstall } = await import("./run-install.js");
        await runInstall(requestOf(args), context);
      },
    },
    "Add a server to hosts such as Claude or Cursor",
    "a project that is not built, an invalid or read-only file, a refused change",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return argv
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false })
    .positional("host", {
      describe: "The host (default: you are asked)",
      choices: hostIds,
    })
    .option("url", {
      describe: "URL of the server; put a command after -- (default: the project in this folder)",
      type: "string",
      requiresArg: true,
    })
    .option("dev", {
      describe: "Source file of the server, which mcpwright dev runs and restarts on changes",
      type: "string",
      requiresArg: true,
    })
    .option("name", {
      describe: "Name of the server in the host (default: that of the project)",
      type: "string",
      requiresArg: true,
    })
    .option("env", {
      describe: "Variable of the command, as NAME=value, or NAME to take it from the host's environment; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("project", { describe: "For this project only", type: "boolean", default: false })
    .option("user", { describe: "For all of your projects; this is the default", type: "boolean", default: false })
    .option("remove", { describe: "Remove the server from the host", type: "boolean", default: false })
    .option("list", { describe: "List the hosts on this machine, and write nothing", type: "boolean", default: false })
    .option("yes", { alias: "y", describe: "Ask no questions", type: "boolean", default: false })
    .option("dry-run", { describe: "Write nothing; show what would change", type: "boolean", default: false })
    .option("json", { describe: "Print the result as JSON; ask no questions", type: "boolean", default: false })
    .example("$0 install", "The server of this project; asks for the host")
    .example("$0 install cursor --project --dry-run", "Show what would change for this project")
    .example("$0 install claude --name files -- npx -y a-server ~/notes", "A server command")
    .example("$0 install vscode --name example --url https://example.com/mcp", "A server at a URL")
    .example("$0 install cursor --dev src/main.ts", "The source of this project, restarted on changes")
    .example("$0 install codex --env API_KEY", "With a variable of the host's environment")
    .example("$0 install claude --remove", "Remove it again")
    .check((given) => {
      checkUsage(given);
      return true;
    });
}

function checkUsage(args: Arguments): void {
  const command = args["--"] ?? [];
  const { url, dev, name, env, remove, list, project, user, yes } = args;
  const hasServer = url !== undefined || command.length > 0;
  if (project && user) throw new UsageError("Use only one of --project and --user.");
  if (list && remove) throw new UsageError("Use only one of --list and --remove.");
  if (list || remove) {
    const option = list ? "--list" : "--remove";
    if (hasServer || dev !== undefined || env)
      throw new UsageError(`${option} takes --name, but no server and no --env.`);
    if (list && (args.host !== undefined || project || user || yes || args["dry-run"]))
      throw new UsageError("--list shows all hosts: use it alone, or with --name and --json.");
    return;
  }
  if (dev !== undefined && hasServer) throw new UsageError("Use --dev without --url and without a command after --.");
  if (url !== undefined && command.length > 0) throw new UsageError("Use only one of --url and a command after --.");
  if (url !== undefined && env) throw new UsageError("--env applies to commands, not to --url.");
  if (url !== undefined && !(/^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(url) && URL.canParse(url)))
    throw new UsageError("--url must be a URL that begins with http:// or https://, without user and password.");
  if (hasServer && name === undefined) throw new UsageError("--name is required with a command or --url.");
  if (command[0] === "") throw new UsageError("The command after -- must not be empty.");
  for (const text of env ?? [])
    if (!/^[^=\s]+(=|$)/.test(text)) throw new UsageError("--env must be NAME=value or NAME.");
}

function requestOf(args: Arguments): InstallRequest {
  const { host, url, dev, name, env = [], project, remove, list, yes, "dry-run": dryRun, json } = args;
  const command = args["--"]?.map(String) ?? [];
  const values = env.filter((text) => text.includes("="));
  return {
    host,
    scope: project ? "project" : "user",
    remove,
    list,
    yes,
    dryRun,
    json,
    source: {
      name,
      url,
      dev,
      command: command.length > 0 ? command : undefined,
      env: Object.fromEntries(
        values.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
      ),
      variables: [...new Set(env.filter((text) => !text.includes("=")))],
    },
  };
}
