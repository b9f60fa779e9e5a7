import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../shared/package-root.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

const shells = ["bash", "zsh"] as const;
type Shell = (typeof shells)[number];

/** The first argument with which the scripts request completions: one per line, with a tab before the description. */
export const completeOption = "--complete";

/** `mcpwright completion`. */
export function completionCommand({ out }: Context): Verb {
  return defineVerb<{ readonly shell: Shell | undefined }>(
    {
      command: "completion [shell]",
      describe: "Print a shell script that completes commands, options, choices and revisions",
      builder: (argv) =>
        argv
          .positional("shell", { describe: "Shell (default: the one in $SHELL)", choices: shells })
          .example("source <($0 completion bash)", "bash, for the current session")
          .example("$0 completion bash >> ~/.bashrc", "bash, permanently")
          .example("$0 completion zsh >> ~/.zshrc", "zsh, permanently; after the line that runs compinit"),
      handler: ({ shell = usual() }) => {
        out.write(readFileSync(join(packageRoot().folder, "templates/completion", `mcpwright.${shell}`), "utf8"));
      },
    },
    "Print a shell completion script",
  );
}

function usual(): Shell {
  return shells.find((shell) => basename(process.env["SHELL"] ?? "") === shell) ?? "bash";
}
