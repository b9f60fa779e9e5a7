import { resolve } from "node:path";
import type { Argv } from "yargs";
import { chooseProject, type GivenOptions } from "./choose-project.js";
import { nextSteps } from "./next-steps.js";
import { projectStarts } from "../../shared/project/project-options.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";
import {
  checkOpenapiOptions,
  type OpenapiArguments,
  openapiOptions,
  openapiProject,
} from "./openapi/openapi-options.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments extends Omit<GivenOptions, "dir">, OpenapiArguments {
  /** Undefined with `--list` only. */
  readonly dir: string | undefined;
  readonly list: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `mcpwright new`. */
export function newCommand({ out, err, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "new [dir]",
      describe: "Create a project that builds and supports every revision: a server, a client or more",
      builder: (argv) => options(argv) as Argv<Arguments>,
      handler: async ({ dir = "", ...args }) => {
        if (args.list) {
          out.write(args.json ? `${JSON.stringify(projectStarts, undefined, 2)}\n` : startList());
          return;
        }
        const folder = resolve(dir);
        const mayAsk = err.isTTY === true && process.stdin.isTTY && !args.json;
        const project =
          args.fromOpenapi === undefined ? await chooseProject({ ...args, dir }, mayAsk) : openapiProject(args, folder);
        if (!project) {
          err.write("Nothing was written.\n");
          return exit(1);
        }
        const { createProject } = await import("./create-project.js");
        const { files } = await createProject({ folder, project, dryRun: args.dryRun });
        if (args.json)
          out.write(`${JSON.stringify({ folder, project, files, written: !args.dryRun }, undefined, 2)}\n`);
        else if (args.dryRun) out.write(`${files.join("\n")}\n${files.length} files would be written to ${dir}\n`);
        else out.write(`${files.length} files are in ${dir}\n\n${nextSteps(folder, project)}`);
      },
    },
    "Create a server, a client or another project",
    "existing files with the same names, cancelled questions",
  );
}

function options(argv: Argv): Argv {
  return openapiOptions(argv)
    .positional("dir", { describe: "Project folder; . is the current folder", type: "string" })
    .option("start", {
      describe: "What the project starts as (default: you are asked; minimal with --yes)",
      choices: Object.keys(projectStarts),
      requiresArg: true,
    })
    .option("list", { describe: "List the starts, and write nothing", type: "boolean", default: false })
    .option("name", {
      describe: "npm package name (default: the name of the folder)",
      type: "string",
      requiresArg: true,
    })
    .option("stdio", { describe: "http, http-auth: serve over stdio, and over HTTP with --http", type: "boolean" })
    .option("legacy-sse", {
      describe: "http, http-auth: also serve HTTP+SSE clients (2024-11-05)",
      type: "boolean",
    })
    .option("skills", {
      describe: "server, http, http-auth: also serve a folder of skills, which are instructions for models",
      type: "boolean",
    })
    .option("yes", { alias: "y", describe: "Ask no questions", type: "boolean", default: false })
    .option("dry-run", { describe: "Write nothing; list the files", type: "boolean", default: false })
    .option("json", { describe: "Print the result as JSON; ask no questions", type: "boolean", default: false })
    .example("$0 new weather", "Ask for the start")
    .example("$0 new weather --yes", "A server with one tool, without questions")
    .example("$0 new notes --start http --stdio", "A server for stdio and HTTP")
    .example("$0 new notes --start http-auth", "A server over HTTP that verifies access tokens")
    .example("$0 new pets --from-openapi pets.yaml", "A stdio server with a tool for each operation of an API")
    .example("$0 new chat --start client", "A chat host that connects to servers")
    .check((given) => {
      checkOpenapiOptions(given);
      if (given.dir === "") throw new UsageError("<dir> must not be empty; `.` is the current folder.");
      if (given.dir === undefined && !given.list)
        throw new UsageError("<dir> is required: the folder of the project; `.` is the current folder.");
      return true;
    });
}

function startList(): string {
  const width = Math.max(...Object.keys(projectStarts).map(({ length }) => length));
  return Object.entries(projectStarts)
    .map(([start, text]) => `${start.padEnd(width)}  ${text}\n`)
    .join("");
}
