import type { Argv } from "yargs";
import {
  type AuthorizationArguments,
  authorizationOptions,
  authorizationSettings,
  loginParsing,
} from "../../shared/command/authorization-options.js";
import type { Context } from "../../shared/command/context.js";
import { readHeader, readVariable } from "../../shared/command/session-options.js";
import { UsageError } from "../../shared/command/usage-error.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import { type ConfigHost, configHosts } from "./config/find-config.js";
import { gateway, type GatewayHttpOptions, type GatewaySourceOptions } from "./gateway.js";

interface Arguments extends AuthorizationArguments {
  readonly config: string | undefined;
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly from: ConfigHost | undefined;
  readonly http: number | undefined;
  readonly host: string | undefined;
  readonly "allowed-host": readonly string[] | undefined;
  readonly status: boolean;
  readonly check: boolean;
  readonly connect: boolean;
  readonly yes: boolean;
  readonly header: readonly string[] | undefined;
  readonly env: readonly string[] | undefined;
}

/** `mcpwright gateway`. */
export function gatewayCommand(context: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "gateway [config]",
      describe: "Serve many servers as one, or one server over another transport or revision",
      builder: (argv) => options(argv),
      handler: (args) => handle(args, context),
    },
    "Serve many servers as one, over stdio or HTTP",
    "an invalid configuration, a port that cannot be used",
  );
}

function options(argv: Argv): Argv<Arguments> {
  const list = { type: "string", array: true, nargs: 1 } as const;
  const withSource = argv
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false, ...loginParsing })
    .positional("config", {
      describe: "A configuration with mcpServers, or the URL of a server; put a server command after --",
      type: "string",
    })
    .option("from", {
      describe: "Use the servers that this host has",
      choices: configHosts,
      requiresArg: true,
    })
    .option("http", {
      describe: "Serve HTTP at this port (0: any free one) instead of stdio",
      type: "number",
      requiresArg: true,
    })
    .option("host", { describe: "Address to listen on (default 127.0.0.1)", type: "string", requiresArg: true })
    .option("allowed-host", {
      describe: "Host name by which clients reach the gateway, if not on this machine; repeatable",
      ...list,
    })
    .option("status", {
      describe: "Serve a page about the servers at /status, to this machine only",
      type: "boolean",
      default: false,
    })
    .option("check", {
      describe: "Report what is wrong with the configuration, and start nothing",
      type: "boolean",
      default: false,
    })
    .option("connect", {
      describe: "With --check, also ask the authorization servers of gateway.authorization and of servers with logIn",
      type: "boolean",
      default: false,
    })
    .option("yes", { describe: "Approve the commands of --from", type: "boolean", default: false })
    .option("header", { describe: "HTTP header for a URL, as 'Name: value'; repeatable", ...list });
  return authorizationOptions(withSource)
    .option("env", {
      describe: "Variable for a server command, as NAME=value, or NAME to pass through your own; repeatable",
      ...list,
    })
    .example("$0 gateway gateway.json", "Serve the servers of a configuration to the host that starts this")
    .example("$0 gateway gateway.json --check", "Check a configuration")
    .example("$0 gateway gateway.json --http 3000", "Serve them at http://127.0.0.1:3000/mcp")
    .example("$0 gateway --from claude --http 3000", "Serve the servers of Claude Desktop")
    .example("$0 gateway https://example.com/mcp", "A server at a URL, for a host that only starts commands")
    .example("$0 gateway --http 3000 -- npx -y some-server", "A server that only has stdio, at a URL")
    .check((given) => {
      checkUsage(given);
      return true;
    });
}

function checkUsage(args: Arguments): void {
  const { config, from, http, host, header, env, check, connect, yes } = args;
  const command = args["--"] ?? [];
  const sources = [config !== undefined, from !== undefined, command.length > 0].filter(Boolean).length;
  if (sources === 0) throw new UsageError("A configuration, a URL, --from or a command after -- is required.");
  if (sources > 1) throw new UsageError("Use only one of a configuration, a URL, --from and a command after --.");
  const isUrl = isServerUrl(config);
  const isFile = from !== undefined || (config !== undefined && !isUrl);
  if (http !== undefined && !(Number.isInteger(http) && http >= 0 && http <= 65_535))
    throw new UsageError("--http must be a port: 0 to 65535.");
  if (http === undefined && (host !== undefined || args["allowed-host"]))
    throw new UsageError("--host and --allowed-host require --http.");
  if (host !== undefined && !args["allowed-host"] && !/^(localhost|127\.0\.0\.1|::1)$/.test(host))
    throw new UsageError(`--host ${host} requires --allowed-host: the host name in the URL that clients use.`);
  if (args.status && (http === undefined || host !== undefined || args["allowed-host"]))
    throw new UsageError("--status requires --http, without --host and --allowed-host.");
  if (check && !isFile) throw new UsageError("--check requires a configuration.");
  if (connect && !check) throw new UsageError("--connect requires --check.");
  if (yes && from === undefined) throw new UsageError("--yes requires --from.");
  if (env && command.length === 0) throw new UsageError("--env requires a command after --.");
  const unfit = isUrl ? undefined : optionOfUrls(args, header);
  if (unfit !== undefined) throw new UsageError(`${unfit} requires a URL.`);
}

function optionOfUrls(args: Arguments, header: Arguments["header"]): string | undefined {
  const given = [
    ["--header", header],
    ["--token", args.token],
    ["--client-id", args["client-id"]],
    ["--client-secret-file", args["client-secret-file"]],
    ["--scope", args.scope],
    ["--auth-host", args["auth-host"]],
  ] as const;
  return given.find(([, value]) => value !== undefined)?.[0];
}

async function handle(args: Arguments, { out, err, exit }: Context): Promise<void> {
  const { escapeControls } = await import("../../shared/command/escape-controls.js");
  const source = sourceOf(args);
  if (args.check) {
    const { printCheck } = await import("./print-check.js");
    const { text, isValid } = await printCheck(source, args.connect);
    out.write(escapeControls(text));
    if (!isValid) exit(1);
    return;
  }
  const { openTerminalFor } = await import("../../shared/sessions/terminal.js");
  const ended = new AbortController();
  const terminal = openTerminalFor(err, ended.signal);
  const http = httpOf(args);
  try {
    await gateway({
      ...source,
      ...(http && { http }),
      ...(terminal && { terminal }),
      isApproved: args.yes,
      tell: (line) => err.write(`${escapeControls(line)}\n`),
    });
  } finally {
    ended.abort();
    terminal?.end();
  }
}

function sourceOf(args: Arguments): GatewaySourceOptions {
  const { config, from, header = [], env = [] } = args;
  const command = args["--"] ?? [];
  const login = { openBrowser: !args["no-browser"] };
  if (command.length > 0) return { command: command.map(String), env: Object.fromEntries(env.map(readVariable)) };
  if (from !== undefined) return { from, authorization: login };
  if (config !== undefined && !isServerUrl(config)) return { config, authorization: login };
  const headers = Object.fromEntries(header.map(readHeader));
  return {
    ...(config !== undefined && { url: config }),
    headers,
    authorization: authorizationSettings(args, Object.keys(headers)),
  };
}

function httpOf(args: Arguments): GatewayHttpOptions | undefined {
  const { http: port, host, status, "allowed-host": allowedHosts } = args;
  if (port === undefined) return undefined;
  return {
    port,
    ...(status && { status }),
    ...(host !== undefined && { host }),
    ...(allowedHosts && { allowedHosts }),
  };
}

function isServerUrl(text: string | undefined): boolean {
  return text !== undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(text);
}
