import type { CommandModule } from "yargs";
import { auditCommand } from "./audit-command.js";
import { bindCommand } from "./bind-command.js";
import { compileCommand } from "./compile-command.js";
import { completionCommand } from "./completion-command.js";
import { diffCommand } from "./diff-command.js";
import { explainCommand } from "./explain-command.js";
import { generateCommand } from "./generate-command.js";
import { inspectCommand } from "./inspect-command.js";
import { modelCommand } from "./model-command.js";
import { newCommand } from "./new-command.js";
import { revisionsCommand } from "./revisions-command.js";
import type { Context } from "./run.js";
import { updateCommand } from "./update-command.js";
import { validateCommand } from "./validate-command.js";
import { vendorCommand } from "./vendor-command.js";

export interface Verb {
  readonly name: string;
  /** One short line for the list of all; `module.describe` says it in full. */
  readonly summary: string;
  /** When the exit code is 1. */
  readonly findings: string | undefined;
  readonly module: CommandModule;
}

export interface VerbGroup {
  readonly title: string;
  readonly verbs: readonly Verb[];
}

/** All verbs, in the order in which newcomers need them. */
export function verbGroups(context: Context): readonly VerbGroup[] {
  return [
    {
      title: "Projects",
      verbs: [
        verb(
          newCommand(context),
          "Make a server or a client that runs and is tested",
          "files in the way, questions called off",
        ),
        verb(
          updateCommand(context),
          "Bring a project that new made up to date",
          "conflicts, changes that --check found",
        ),
        verb(
          compileCommand(context),
          "Make tools of TypeScript functions",
          "types that have no schema, drift that --check found",
        ),
      ],
    },
    {
      title: "Running servers",
      verbs: [
        verb(inspectCommand(context), "Show what a server offers, call its tools", "a server or a tool that fails"),
        verb(
          bindCommand(context),
          "Write a typed client for a server",
          "a server that fails, drift that --check found",
        ),
        verb(validateCommand(context), "Check a recorded conversation", "errors or warnings in the conversation"),
      ],
    },
    {
      title: "The protocol",
      verbs: [
        verb(revisionsCommand(context), "List the revisions that are known"),
        verb(explainCommand(context), "Tell all about a type or a method"),
        verb(diffCommand(context), "Tell what changed between two revisions", "findings that --fail-on names"),
        verb(generateCommand(context), "Generate the code of revisions", "findings, drift that --check found"),
        verb(
          vendorCommand(context),
          "Fetch an official schema, generate from it",
          "findings, another schema than the pin says",
        ),
        verb(modelCommand(context), "Print a revision as JSON, for other generators", "findings"),
        verb(
          auditCommand(context),
          "Tell where a schema.json contradicts its schema.ts",
          "differences that nothing explains",
        ),
      ],
    },
    { title: "Your shell", verbs: [verb(completionCommand(context), "Print a script that completes commands")] },
  ];
}

function verb<Arguments>(module: CommandModule<object, Arguments>, summary: string, findings?: string): Verb {
  const command = String(module.command);
  const [name = command] = command.split(" ", 1);
  return { name, summary, findings: findings && `${findings}, or faulty input`, module: module as CommandModule };
}
