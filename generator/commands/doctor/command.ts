import { statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import type { Argv } from "yargs";
import { hasColours } from "../../shared/command/colours.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { DoctorOptions } from "./doctor.js";

interface Arguments {
  readonly path: string | undefined;
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly port: number;
  readonly json: boolean;
}

/** `mcpwright doctor`. */
export function doctorCommand({ out, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "doctor [path]",
      describe: "Look for usual mistakes in a project, on this machine, and in a server; change nothing",
      builder: (argv) => options(argv),
      handler: async (args) => {
        const given = optionsOf(args);
        const [{ doctor }, { printReport }] = await Promise.all([import("./doctor.js"), import("./print-report.js")]);
        const report = await doctor(given);
        out.write(args.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, hasColours(out)));
        if (report.findings.some(({ level }) => level === "error")) exit(1);
      },
    },
    "Find out why something does not work",
    "an error was found",
  );
}

function options(argv: Argv): Argv<Arguments> {
  return argv
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false })
    .positional("path", {
      describe: "Folder of the project, or the .js file of a server, which is started (default: this folder)",
      type: "string",
    })
    .option("port", {
      describe: "Port that a server over HTTP will use",
      type: "number",
      default: 3000,
      requiresArg: true,
    })
    .option("json", { describe: "Print the report as JSON", type: "boolean", default: false })
    .example("$0 doctor", "The project in this folder, and the hosts on this machine")
    .example("$0 doctor build/main.js", "Also start the server, and watch what it prints")
    .example("$0 doctor -- npx -y a-server", "A server command");
}

function optionsOf({ path, port, "--": words = [] }: Arguments): DoctorOptions {
  const command = words.map(String);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError("--port must be from 1 to 65535.");
  if (command[0] === "") throw new UsageError("The command after -- must not be empty.");
  const given = { port, ...(command.length > 0 && { command }) };
  if (path === undefined) return given;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`${path} does not exist.`);
  if (stats.isDirectory()) return { ...given, folder: path };
  if (command.length > 0) throw new UsageError("Use only one of a file and a command after --.");
  if (!/^\.[cm]?js$/.test(extname(path)))
    throw new UsageError(`${path} is neither a folder nor a .js file. Put the command of another server after --.`);
  return { ...given, folder: dirname(resolve(path)), command: [resolve(path)] };
}
