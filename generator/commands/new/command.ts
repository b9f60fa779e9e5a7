import { basename, join, relative, resolve } from "node:path";
import type { Argv } from "yargs";
import { createProject } from "./create-project.js";
import { hostConfiguration } from "../../shared/project/host-configuration.js";
import {
  projectKinds,
  type ProjectOptions,
  projectTransports,
  type ServerProject,
} from "../../shared/project/project-options.js";
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
      describe: "Create a server or client project that runs, has tests and supports every revision",
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
    "existing files with the same names, cancelled questions",
  );
}

function options(argv: Argv): Argv {
  return argv
    .positional("dir", { describe: "Project folder; . is the current folder", type: "string", demandOption: true })
    .option("kind", { describe: "Kind of project", choices: projectKinds, requiresArg: true })
    .option("name", {
      describe: "npm package name (default: the name of the folder)",
      type: "string",
      requiresArg: true,
    })
    .option("transport", { describe: "Transport of a server", choices: projectTransports, requiresArg: true })
    .option("legacy-sse", { describe: "Over HTTP, also serve HTTP+SSE clients (2024-11-05)", type: "boolean" })
    .option("auth", {
      describe: "Serve only requests with an access token of an authorization server; implies --transport http",
      type: "boolean",
    })
    .option("skills", {
      describe: "Also serve a folder of skills, which are instructions for models; creates a server",
      type: "boolean",
    })
    .option("yes", {
      alias: "y",
      describe: "Ask no questions; create a stdio server unless options specify another project",
      type: "boolean",
      default: false,
    })
    .option("dry-run", { describe: "Write nothing; list the files", type: "boolean", default: false })
    .option("json", { describe: "Print the result as JSON; ask no questions", type: "boolean", default: false })
    .example("$0 new weather", "Ask for the kind of project")
    .example("$0 new weather --yes", "A stdio server, without questions")
    .example("$0 new weather --kind server --transport both", "A server for stdio and HTTP")
    .example("$0 new weather --auth", "A server over HTTP that verifies access tokens")
    .example("$0 new weather --skills --yes", "A stdio server with a folder of skills")
    .example("$0 new chat --kind client", "A chat host that connects to servers")
    .check((given) => {
      if (given.dir === "") throw new UsageError("<dir> must not be empty; `.` is the current folder.");
      const ofServers = [given.transport, given["legacySse"], given.auth, given.skills];
      if (given.kind === "client" && ofServers.some((option) => option !== undefined))
        throw new UsageError(
          "--transport, --legacy-sse, --auth and --skills apply to servers; a client supports all transports.",
        );
      return true;
    });
}

/** Asks on a terminal. Without one, options take their defaults, and those without a default are required. */
async function choose(args: Arguments, suggested: string | undefined, isTTY: boolean): Promise<Choices> {
  const isNamed = (args.name ?? suggested) !== undefined;
  const hasTransport = args.transport !== undefined || args.auth === true;
  const isComplete = isNamed && (args.kind === "client" || (args.kind === "server" && hasTransport));
  if (isTTY && process.stdin.isTTY && !args.yes && !args.json && !isComplete)
    return askChoices(args, suggested, { output: process.stderr });
  const isServer = args.yes || hasTransport || args.skills === true;
  const { kind = isServer ? "server" : undefined, name = suggested, auth = false } = args;
  if (kind === undefined)
    throw new UsageError("--kind is required without a terminal: pass --kind server, --kind client or --yes.");
  if (name === undefined)
    throw new UsageError(
      `--name is required: the folder name ${JSON.stringify(basename(resolve(args.dir)))} is not a valid package name.`,
    );
  return {
    kind,
    name,
    transport: args.transport ?? (auth ? "http" : "stdio"),
    legacySse: args.legacySse ?? false,
    auth,
    ...(args.skills && { skills: true }),
  };
}

function unlessCancelled(error: unknown): undefined {
  if (!(error instanceof Cancelled)) throw error;
}

function projectOf({ kind, name, transport, legacySse, auth, skills = false }: Choices): ProjectOptions {
  if (kind === "client") return { kind, name };
  if (legacySse && transport === "stdio")
    throw new UsageError("--legacy-sse requires HTTP: add --transport http or --transport both.");
  if (auth && transport === "stdio")
    throw new UsageError(
      "--auth requires HTTP: add --transport http or --transport both. Over stdio, a server has the rights of the user who starts it.",
    );
  return { kind, name, transport, legacySse, auth, ...(skills && { skills }) };
}

function nextSteps(folder: string, project: ProjectOptions): string {
  const where = relative(process.cwd(), folder);
  const go = where === "" ? "" : `  cd ${/^[\w./@-]+$/.test(where) ? where : JSON.stringify(where)}\n`;
  if (project.kind === "client") return `Next:\n${go}  npm install\n  npm start -- --help\n`;
  if (project.auth === true) return protectedSteps(go, project);
  const steps = `Next:\n${go}  npm install\n  ${project.transport === "http" ? "npm start" : "npm run inspect"}\n`;
  if (project.transport === "http") return steps;
  const command = { command: "node", args: [join(folder, "build/main.js")] };
  return `${steps}\nTo add it to a host:\n${hostConfiguration(unscoped(project.name), command)}\n`;
}

/** A server that verifies tokens needs an authorization server; the project contains one for development. */
function protectedSteps(go: string, { transport }: ServerProject): string {
  const flag = transport === "both" ? " -- --http" : "";
  return `Next:
${go}  npm install
  cp .env.example .env
  npm run issuer        # an authorization server for development; leave it running
  npm start${flag.padEnd(12)} # in a second terminal

In a third terminal, log in with any name and password:
  npx mcpwright inspect http://127.0.0.1:3000/mcp
`;
}
