import type { Context } from "../../shared/command/context.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { logout } from "./logout.js";

interface Arguments {
  readonly url: string;
  readonly json: boolean;
}

/** `mcpwright logout`. */
export function logoutCommand({ out, err }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "logout <url>",
      describe: "Log out of a server: delete the credentials, and revoke them where the authorization server offers it",
      builder: (argv) =>
        argv
          .positional("url", { describe: "The URL of the MCP server", type: "string", demandOption: true })
          .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
          .example("$0 logout https://example.com/mcp", "Use the URL of the log-in"),
      handler: async ({ url, json }) => {
        const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
        const { escapeControls } = await import("../../shared/command/escape-controls.js");
        await runInterruptible(async (signal) => {
          const result = await logout({ url, signal, tell: (line) => err.write(`${escapeControls(line)}\n`) });
          if (json) out.write(`${JSON.stringify(result, null, 2)}\n`);
          else out.write(`${result.wasLoggedIn ? "Logged out of" : "You were not logged in to"} ${result.url}\n`);
        });
      },
    },
    "Log out of a server",
    "credentials that cannot be deleted",
  );
}
