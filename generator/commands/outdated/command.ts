import { escapeControls } from "../../shared/command/escape-controls.js";
import type { Context } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";

interface Arguments {
  readonly to: string;
  readonly draft: boolean;
  readonly registry: string | undefined;
  readonly json: boolean;
}

/** `mcpwright outdated`. */
export function outdatedCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "outdated",
      describe: "Find out whether there is a newer revision, draft or version of mcpwright, and what would change",
      builder: (argv) =>
        argv
          .option("to", {
            describe: "Schema folder of mcpwright vendor",
            type: "string",
            default: "schema",
            requiresArg: true,
          })
          .option("draft", {
            describe: "Also compare the draft with the newest revision; a vendored draft is always compared",
            type: "boolean",
            default: false,
          })
          .option("registry", {
            describe: "URL of the npm registry (default: that of npm)",
            type: "string",
            requiresArg: true,
          })
          .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
          .example("$0 outdated", "What is newer than this project")
          .example("$0 outdated --draft --json", "Also the draft, as JSON for scripts")
          .check(({ registry, to }) => {
            if (registry !== undefined && !(/^https?:\/\//i.test(registry) && URL.canParse(registry)))
              throw new UsageError("--registry must be a URL that begins with http:// or https://.");
            if (to === "") throw new UsageError("--to must not be empty.");
            return true;
          }),
      handler: (args) => handle(args, context),
    },
    "See what is newer than your project",
    "something is newer",
    ["4  it could not be found out, for example without a network"],
  );
}

async function handle({ to, draft, registry, json }: Arguments, { out, err, exit }: Context): Promise<void> {
  const [{ outdated }, { printOutdated }] = await Promise.all([import("./outdated.js"), import("./print-outdated.js")]);
  const token = process.env["GITHUB_TOKEN"];
  const report = await outdated({
    to,
    draft,
    ...(registry !== undefined && { registry }),
    ...(token !== undefined && { token }),
  });
  out.write(json ? `${JSON.stringify(report, null, 2)}\n` : printOutdated(report));
  if (!json && report.open.length > 0) {
    const lines = report.open.map(({ question, reason }) => `Cannot find out ${question}: ${reason}\n`);
    err.write(escapeControls(`${lines.join("")}Check the network, proxies and --registry, and try again.\n`));
  }
  if (report.newer.length > 0) exit(1);
  else if (report.open.length > 0) exit(4);
}
