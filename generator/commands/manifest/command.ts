import type { Argv } from "yargs";
import { checkTimeout } from "../../shared/command/check-timeout.js";
import type { Context } from "../../shared/command/context.js";
import { type VariableArguments, variableOptions, variablesOf } from "../../shared/command/server-variables.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { manifest, type ManifestResult, toolsLock } from "./manifest.js";

interface Arguments extends VariableArguments {
  readonly folder: string | undefined;
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly tools: boolean;
  readonly out: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly http: string | undefined;
  readonly mcpb: string | undefined;
  readonly "mcpb-file": string | undefined;
  readonly url: readonly string[] | undefined;
  readonly resources: boolean;
  readonly timeout: number | undefined;
  readonly check: boolean;
  readonly "dry-run": boolean;
  readonly json: boolean;
}

/** `mcpwright manifest`. */
export function manifestCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "manifest [folder]",
      describe: "Write the server.json for the MCP registry, or with --tools a lock of what the server lists",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Describe a server for the MCP registry",
    "out-of-date files with --check, a server error",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return variableOptions(argv)
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false })
    .positional("folder", { describe: "The folder of the project (default: this one)", type: "string" })
    .option("tools", {
      describe: "Write tools.json, with the tools, prompts, resources and instructions of the server, instead",
      type: "boolean",
      default: false,
    })
    .option("out", {
      describe: "The file (default: server.json or tools.json in the folder)",
      type: "string",
      requiresArg: true,
    })
    .option("name", {
      describe: "Name in the registry, such as io.github.owner/server (default: mcpName of package.json)",
      type: "string",
      requiresArg: true,
    })
    .option("title", { describe: "Title for people", type: "string", requiresArg: true })
    .option("description", {
      describe: "At most 100 characters (default: that of package.json)",
      type: "string",
      requiresArg: true,
    })
    .option("http", {
      describe: "URL at which the package serves once it is started (default: it serves over stdio)",
      type: "string",
      requiresArg: true,
    })
    .option("mcpb", { describe: "URL of a bundle; requires --mcpb-file", type: "string", requiresArg: true })
    .option("mcpb-file", {
      describe: "The same bundle on this disk, for its digest",
      type: "string",
      requiresArg: true,
    })
    .option("url", {
      describe: "URL of the public server; repeatable. With --tools: that of the server to list",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("resources", {
      describe: "Lock resources, too; --no-resources leaves them out where they are data",
      type: "boolean",
      default: true,
    })
    .option("timeout", {
      describe: "Seconds to wait for each response of the server (default 60)",
      type: "number",
      requiresArg: true,
    })
    .option("check", {
      describe: "Write nothing; print what differs, and exit with 1 if the file is out of date",
      type: "boolean",
      default: false,
    })
    .option("dry-run", { describe: "Write nothing; show what would change", type: "boolean", default: false })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 manifest --name io.github.ada/weather", "Write server.json from package.json")
    .example("$0 manifest --url https://weather.example.com/mcp", "With a server at a URL")
    .example("$0 manifest --check", "In CI: check that server.json is up to date")
    .example("$0 manifest --tools", "Write tools.json from the running server")
    .example("$0 manifest --tools --check", "In CI: check that the tools are those of tools.json")
    .check((given) => {
      checkUsage(given);
      return true;
    });
}

function checkUsage(args: Arguments): void {
  const { tools, url = [], mcpb, "mcpb-file": file, http, timeout, check, "dry-run": isDryRun } = args;
  const command = args["--"] ?? [];
  if (check && isDryRun) throw new UsageError("Use only one of --check and --dry-run.");
  const forRegistry = (["name", "title", "description", "http", "mcpb", "mcpb-file"] as const).find(
    (name) => args[name] !== undefined,
  );
  if (tools && forRegistry !== undefined)
    throw new UsageError(`--${forRegistry} applies to server.json, not to --tools.`);
  if (!tools && (command.length > 0 || !args.resources || timeout !== undefined))
    throw new UsageError("A command after --, --no-resources and --timeout require --tools.");
  if (tools && url.length + (command.length > 0 ? 1 : 0) > 1)
    throw new UsageError("With --tools, use one --url or one command after --.");
  if ((mcpb === undefined) !== (file === undefined)) throw new UsageError("Use --mcpb and --mcpb-file together.");
  for (const [option, value] of [
    ["url", url],
    ["http", http ?? []],
    ["mcpb", mcpb ?? []],
  ] as const)
    for (const one of [value].flat())
      if (!/^https?:\/\/[^\s/]+\S*$/i.test(one) || !URL.canParse(one))
        throw new UsageError(`--${option} must be a URL with http:// or https://.`);
  checkTimeout(timeout);
}

async function handle(args: Arguments, context: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  await runInterruptible(async (signal) => {
    const result = await (args.tools ? lock(args, signal) : describe(args));
    const { check, json } = args;
    if (!json)
      for (const finding of result.findings) context.err.write(`${escapeControls(formatDiagnostic(finding))}\n`);
    context.out.write(escapeControls(json ? printJson(result) : printText(result, check)));
    if (check && result.action !== "keep") context.exit(1);
  });
}

function lock(args: Arguments, signal: AbortSignal): Promise<ManifestResult> {
  const [url] = args.url ?? [];
  const command = args["--"]?.map(String) ?? [];
  return toolsLock({
    ...common(args),
    ...(url !== undefined && { url }),
    ...(command.length > 0 && { command }),
    hasResources: args.resources,
    ...(args.timeout !== undefined && { timeoutMs: args.timeout * 1_000 }),
    signal,
  });
}

function describe(args: Arguments): Promise<ManifestResult> {
  const { name, title, description, http, mcpb, "mcpb-file": file, url } = args;
  return manifest({
    ...common(args),
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(http !== undefined && { http }),
    ...(mcpb !== undefined && file !== undefined && { mcpb: { url: mcpb, file } }),
    ...(url && { urls: url }),
  });
}

function common({ folder, out, check, "dry-run": isDryRun, env, secret }: Arguments) {
  return {
    ...(folder !== undefined && { folder }),
    ...(out !== undefined && { out }),
    variables: variablesOf({ env, secret }),
    isCheck: check,
    isDryRun,
  };
}

function printJson({ path, action, isWritten, difference, findings }: ManifestResult): string {
  return `${JSON.stringify({ path, action, written: isWritten, difference, findings }, undefined, 2)}\n`;
}

function printText({ path, action, isWritten, difference }: ManifestResult, isCheck: boolean): string {
  if (action === "keep") return `${path} is up to date\n`;
  const state = isWritten ? "was written" : isCheck ? "is out of date" : "would be written";
  return `${difference}${path} ${state}\n`;
}
