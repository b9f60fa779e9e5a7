import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../shared/package-root.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

/** The ends of the names of the scripts. */
const scripts = { bash: "bash", zsh: "zsh", fish: "fish", powershell: "ps1" } as const;
type Shell = keyof typeof scripts;
const shells = Object.keys(scripts) as readonly Shell[];

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
          .example("$0 completion zsh >> ~/.zshrc", "zsh, permanently; after the line that runs compinit")
          .example("$0 completion fish > ~/.config/fish/completions/mcpwright.fish", "fish, permanently")
          .example("$0 completion powershell | Out-String | Invoke-Expression", "PowerShell, for the current session"),
      handler: ({ shell = usual() }) => {
        out.write(
          readFileSync(join(packageRoot().folder, "templates/completion", `mcpwright.${scripts[shell]}`), "utf8"),
        );
      },
    },
    "Print a shell completion script",
  );
}

function usual(): Shell {
  const path = process.env["SHELL"];
  if (path === undefined && process.platform === "win32") return "powershell";
  return shells.find((shell) => basename(path ?? "") === shell) ?? "bash";
}
