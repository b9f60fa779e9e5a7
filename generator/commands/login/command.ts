import type { Argv } from "yargs";
import {
  type LoginArguments,
  loginOptions,
  loginParsing,
  loginSettings,
} from "../../shared/command/authorization-options.js";
import { checkTimeout } from "../../shared/command/check-timeout.js";
import type { Context } from "../../shared/command/context.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { login, type LoginResult } from "./login.js";

interface Arguments extends LoginArguments {
  readonly url: string;
  readonly timeout: number | undefined;
  readonly json: boolean;
}

/** `mcpwright login`. */
export function loginCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "login <url>",
      describe: "Log in to a server that requires it, and keep the credentials for inspect and bind",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Log in to a server",
    "a failed log-in, a server error",
  );
}

function options(argv: Argv): Argv<Arguments> {
  const withUrl = argv
    .parserConfiguration(loginParsing)
    .positional("url", { describe: "The URL of the MCP server", type: "string", demandOption: true });
  return loginOptions(withUrl)
    .option("timeout", { describe: "Seconds that you have to log in (default 300)", type: "number", requiresArg: true })
    .option("json", { describe: "Print the result as JSON", type: "boolean", default: false })
    .example("$0 login https://example.com/mcp", "Opens the log-in page in your browser")
    .example("$0 login https://example.com/mcp --no-browser", "On a remote machine: prints the address of the page")
    .example(
      "$0 login https://example.com/mcp --client-id my-app --client-secret-file secret.txt",
      "With a client that you have registered",
    )
    .check((given) => {
      checkTimeout((given as unknown as Arguments).timeout);
      return true;
    });
}

async function handle(args: Arguments, { out, err }: Context): Promise<void> {
  const { runInterruptible } = await import("../../shared/sessions/run-interruptible.js");
  const { openTerminalFor } = await import("../../shared/sessions/terminal.js");
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const { url, timeout, json } = args;
  const settings = loginSettings(args);
  await runInterruptible(async (signal) => {
    const terminal = openTerminalFor(err, signal);
    try {
      const result = await login({
        url,
        ...settings,
        signal,
        tell: (line) => err.write(`${escapeControls(line)}\n`),
        ...(timeout !== undefined && { loginTimeoutMs: timeout * 1_000 }),
        ...(terminal && { ask: terminal.ask }),
      });
      out.write(escapeControls(json ? `${JSON.stringify(result, null, 2)}\n` : describe(result)));
    } finally {
      terminal?.end();
    }
  });
}

function describe({ url, issuer, scopes, server, credentials }: LoginResult): string {
  const what = server ? `${server.name} ${server.version} at ${url}` : url;
  const rights = scopes.length === 0 ? "" : `, with the scopes ${scopes.join(", ")}`;
  return `Logged in to ${what}\n  by ${issuer}${rights}\n  credentials in ${credentials}\n`;
}
