import { basename, join, relative, resolve } from "node:path";
import type { Argv } from "yargs";
import { createProject } from "./create-project.js";
import { hostConfiguration } from "../../shared/project/host-configuration.js";
import { projectKinds, type ProjectOptions, projectTransports } from "../../shared/project/project-options.js";
import { packageNameFrom, unscoped } from "../../shared/project/package-name.js";
import { askChoices, Cancelled, type Choices, type GivenChoices } from "./questions.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments extends GivenChoices {
  readonly dir: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `mcpwright new`. */
export function newCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "new <dir>",
      describe: "Make a project: a server or a client that runs, is tested and speaks every revision",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async (args) => {
        const folder = resolve(args.dir);
        const choices = await choose(args, packageNameFrom(basename(folder)), err.isTTY === true).catch(
          unlessCancelled,
        );
        if (!choices) {
          err.write("Nothing was written.\n");
          return exit(1);
        }
        const project = projectOf(choices);
        const { files } = await createProject({ folder, project, dryRun: args.dryRun });
        if (args.json)
          out.write(`${JSON.stringify({ folder, project, files, written: !args.dryRun }, undefined, 2)}\n`);
        else if (args.dryRun) out.write(`${files.join("\n")}\n${files.length} files would be written to ${args.dir}\n`);
        else out.write(`${files.length} files are in ${args.dir}\n\n${nextSteps(folder, project)}`);
      },
    },
    "Create a server or client project with tests",
    "files in the way, questions called off",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("dir", { describe: "The folder of the project; . for this one", type: "string", demandOption: true })
    .option("kind", { describe: "What it is", choices: projectKinds, requiresArg: true })
    .option("name", {
      describe: "The name of its npm package; by default that of the folder",
      type: "string",
      requiresArg: true,
    })
    .option("transport", { describe: "How a server is reached", choices: projectTransports, requiresArg: true })
    .option("legacy-sse", { describe: "Over HTTP, serve clients of HTTP+SSE (2024-11-05), too", type: "boolean" })
    .option("yes", {
      alias: "y",
      describe: "Ask nothing: a server over stdio, unless options say otherwise",
      type: "boolean",
      default: false,
    })
    .option("dry-run", { describe: "Write nothing; list the files", type: "boolean", default: false })
    .option("json", { describe: "Print what was done as JSON; asks nothing", type: "boolean", default: false })
    .example("$0 new weather", "Asks what it should be")
    .example("$0 new weather --yes", "A server over stdio; asks nothing")
    .example("$0 new weather --kind server --transport both", "A server that is reached over stdio or HTTP")
    .example("$0 new chat --kind client", "A chat host that uses servers")
    .check((given) => {
      if (given.dir === "") throw new UsageError("<dir> needs a value; `.` is this folder.");
      if (given.kind === "client" && (given.transport !== undefined || given["legacySse"] !== undefined))
        throw new UsageError("--transport and --legacy-sse are for servers; a client speaks all.");
      return true;
    });
}

/** Asks on a terminal. Elsewhere, what has a default takes it, and what has none must have been said. */
async function choose(args: Arguments, suggested: string | undefined, isTTY: boolean): Promise<Choices> {
  const isNamed = (args.name ?? suggested) !== undefined;
  const isComplete = isNamed && (args.kind === "client" || (args.kind === "server" && args.transport !== undefined));
  if (isTTY && process.stdin.isTTY && !args.yes && !args.json && !isComplete)
    return askChoices(args, suggested, { output: process.stderr });
  const { kind = args.yes || args.transport !== undefined ? "server" : undefined, name = suggested } = args;
  if (kind === undefined)
    throw new UsageError("--kind is missing, and nobody can be asked here: --kind server, --kind client, or --yes.");
  if (name === undefined)
    throw new UsageError(
      `--name is missing: the name of the folder, ${JSON.stringify(basename(resolve(args.dir)))}, cannot be that of a package.`,
    );
  return { kind, name, transport: args.transport ?? "stdio", legacySse: args.legacySse ?? false };
}

function unlessCancelled(error: unknown): undefined {
  if (!(error instanceof Cancelled)) throw error;
}

function projectOf({ kind, name, transport, legacySse }: Choices): ProjectOptions {
  if (kind === "client") return { kind, name };
  if (legacySse && transport === "stdio")
    throw new UsageError("--legacy-sse needs HTTP: add --transport http or --transport both.");
  return { kind, name, transport, legacySse };
}

function nextSteps(folder: string, project: ProjectOptions): string {
  const where = relative(process.cwd(), folder);
  const go = where === "" ? "" : `  cd ${/^[\w./@-]+$/.test(where) ? where : JSON.stringify(where)}\n`;
  if (project.kind === "client") return `Next:\n${go}  npm install\n  npm start -- --help\n`;
  const steps = `Next:\n${go}  npm install\n  ${project.transport === "http" ? "npm start" : "npm run inspect"}\n`;
  if (project.transport === "http") return steps;
  const command = { command: "node", args: [join(folder, "build/main.js")] };
  return `${steps}\nTo add it to a host:\n${hostConfiguration(unscoped(project.name), command)}\n`;
}
