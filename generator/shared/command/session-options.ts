import type { Argv } from "yargs";
import {
  type AuthorizationArguments,
  authorizationOptions,
  authorizationSettings,
  loginParsing,
} from "./authorization-options.js";
import type { AuthorizationSettings } from "./authorization-settings.js";
import { checkTimeout } from "./check-timeout.js";
import { UsageError } from "./usage-error.js";

/** Arguments of every command that connects to a running server. */
export interface SessionArguments extends AuthorizationArguments {
  readonly target: readonly string[];
  /** The words after `--`. */
  readonly "--"?: readonly string[];
  readonly server: string | undefined;
  readonly header: readonly string[] | undefined;
  readonly env: readonly string[] | undefined;
  readonly cwd: string | undefined;
  readonly timeout: number | undefined;
  readonly revision: string | undefined;
}

export function sessionOptions(argv: Argv): Argv<SessionArguments> {
  const withHeader = argv
    .parserConfiguration({ "populate--": true, "parse-positional-numbers": false, ...loginParsing })
    .positional("target", {
      describe: "A command (after -- if it has options), a URL, or an mcpServers.json",
      type: "string",
      array: true,
      default: [],
    })
    .option("server", { describe: "Name of the server in an mcpServers.json", type: "string", requiresArg: true })
    .option("header", {
      describe: "HTTP header, as 'Name: value'; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    });
  return authorizationOptions(withHeader)
    .option("env", {
      describe:
        "Environment variable for a started server, as NAME=value, or NAME to pass through your own; repeatable",
      type: "string",
      array: true,
      nargs: 1,
    })
    .option("cwd", { describe: "Working directory of a started server", type: "string", requiresArg: true })
    .option("timeout", {
      describe: "Seconds to wait for each response (default 60)",
      type: "number",
      requiresArg: true,
    })
    .option("revision", { describe: "Use only this revision", type: "string", requiresArg: true })
    .check((given) => {
      checkTimeout((given as unknown as SessionArguments).timeout);
      return true;
    });
}

export interface ConnectOptions {
  readonly target: readonly string[];
  readonly server?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization: AuthorizationSettings;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly revision?: string;
}

/** @throws UsageError when the target is missing, or a header or variable is invalid */
export function connectOptions(args: SessionArguments): ConnectOptions {
  const { server, header = [], env = [], cwd, timeout, revision } = args;
  const target = [...args.target, ...(args["--"] ?? [])].map(String);
  if (target.length === 0) throw new UsageError("A server is required: a command, a URL or an mcpServers.json.");
  const headers = Object.fromEntries(header.map(readHeader));
  return {
    target,
    headers,
    authorization: authorizationSettings(args, Object.keys(headers)),
    env: Object.fromEntries(env.map(readVariable)),
    ...(server !== undefined && { server }),
    ...(cwd !== undefined && { cwd }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(revision !== undefined && { revision }),
  };
}

/** Reads `Name: value`. @throws UsageError */
export function readHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("--header must be 'Name: value'.");
  return [name, value];
}

/** Reads `NAME=value`, or `NAME` for a variable of this process. @throws UsageError */
export function readVariable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  const value = process.env[text];
  if (at === 0 || value === undefined)
    throw new UsageError(`--env must be NAME=value or the NAME of a variable that is set; ${text} is neither.`);
  return [text, value];
}
