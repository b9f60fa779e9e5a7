import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../shared/package-root.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

const shells = ["bash", "zsh"] as const;
type Shell = (typeof shells)[number];

/** The first word by which the scripts ask what may follow: one answer a line, a tab before its meaning. */
export const completeOption = "--complete";

/** `mcpwright completion`. */
export function completionCommand({ out }: Context): Verb {
  return defineVerb<{ readonly shell: Shell | undefined }>(
    {
      command: "completion [shell]",
      describe: "Print a script that has your shell complete commands, options, choices and revisions",
      builder: (argv) =>
        argv
          .positional("shell", { describe: "Your shell; by default the one that $SHELL names", choices: shells })
          .example("source <($0 completion bash)", "bash, in this shell")
          .example("$0 completion bash >> ~/.bashrc", "bash, from the next shell on")
          .example("$0 completion zsh >> ~/.zshrc", "zsh, likewise; behind the line that runs compinit"),
      handler: ({ shell = usual() }) => {
        out.write(readFileSync(join(packageRoot().folder, "templates/completion", `mcpwright.${shell}`), "utf8"));
      },
    },
    "Print a script that completes commands",
  );
}

function usual(): Shell {
  return shells.find((shell) => basename(process.env["SHELL"] ?? "") === shell) ?? "bash";
}
