import type { Argv } from "yargs";
import { checkTimeout } from "../../shared/command/check-timeout.js";
import type { Context } from "../../shared/command/context.js";
import { count } from "../../shared/command/count.js";
import { type VariableArguments, variableOptions, variablesOf } from "../../shared/command/server-variables.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { formatDiagnostic } from "../../shared/diagnostics/diagnostic.js";
import { bundle } from "./bundle.js";
import type { BundleResult } from "./bundle-options.js";

interface Arguments extends VariableArguments {
  readonly folder: string | undefined;
  readonly out: string | undefined;
  readonly entry: string | undefined;
  readonly include: readonly string[] | undefined;
  readonly icon: string | undefined;
  readonly start: boolean;
  readonly timeout: number | undefined;
  readonly "dry-run": boolean;
  readonly json: boolean;
}

/** `mcpwright bundle`. */
export function bundleCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "bundle [folder]",
      describe: "Write an .mcpb that hosts install with one click, with the server and its dependencies in one file",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Bundle a server for one-click installation",
    "a project that is not built, native modules, a server that does not start",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return variableOptions(argv)
    .parserConfiguration({ "parse-positional-numbers": false })
    .positional("folder", { describe: "The folder of the project (default: this one)", type: "string" })
    .option("out", {
      describe: "The file to write (default: <name>-<version>.mcpb in the folder)",
      type: "string",
      requiresArg: true,
    })
    .option("entry", {
      describe: "The file that starts the server, also a TypeScript source (default: that of package.json)",
      type: "string",
      requiresArg: true,
    })
    .option("include", {
      describe: "A file or folder that the server reads, or a package in node_modules to keep as it is; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("icon", { describe: "A PNG of the project", type: "string", requiresArg: true })
    .option("start", {
      describe: "Start the bundle to list its tools; --no-start leaves it out",
      type: "boolean",
      default: true,
    })
    .option("timeout", {
      describe: "Seconds to wait for each response of the server (default 60)",
      type: "number",
      requiresArg: true,
    })
    .option("dry-run", {
      describe: "Write nothing; show what the bundle would have",
      type: "boolean",
      default: false,
    })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 bundle", "The server of this project")
    .example("$0 bundle --entry src/main.ts --out weather.mcpb", "From the source, without a build")
    .example("$0 bundle --secret API_KEY --env REGION=eu", "With variables that the host asks for")
    .example("$0 bundle --include skills", "With files that the server reads")
    .check((given) => {
      checkUsage(given);
      return true;
    });
}

function checkUsage({ out, icon, timeout }: Arguments): void {
  if (out !== undefined && !out.endsWith(".mcpb")) throw new UsageError("The file of --out must end in .mcpb.");
  if (icon !== undefined && !/\.png$/i.test(icon)) throw new UsageError("The file of --icon must end in .png.");
  checkTimeout(timeout);
}

async function handle(args: Arguments, context: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const { folder, out, entry, include, icon, start, timeout, "dry-run": isDryRun, json } = args;
  await runInterruptible(async (signal) => {
    const result = await bundle({
      ...(folder !== undefined && { folder }),
      ...(out !== undefined && { out }),
      ...(entry !== undefined && { entry }),
      ...(include && { include }),
      ...(icon !== undefined && { icon }),
      variables: variablesOf(args),
      isStarted: start,
      isDryRun,
      ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
      signal,
    });
    if (!json)
      for (const finding of result.findings) context.err.write(`${escapeControls(formatDiagnostic(finding))}\n`);
    context.out.write(escapeControls(json ? printJson(result) : printText(result)));
  });
}

function printJson({ path, isWritten, ...rest }: BundleResult): string {
  return `${JSON.stringify({ path, written: isWritten, ...rest }, undefined, 2)}\n`;
}

function printText({ path, isWritten, bytes, sha256, files, manifest }: BundleResult): string {
  const { tools = [] } = manifest as { readonly tools?: readonly unknown[] };
  return [
    ...files.map((file) => `  ${file.path}  ${size(file.bytes)}`),
    `${path} ${isWritten ? "was written" : "would be written"}: ${size(bytes)}, ${count(tools.length, "tool")}`,
    `sha256 ${sha256}`,
    "",
  ].join("\n");
}

function size(bytes: number): string {
  return bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
