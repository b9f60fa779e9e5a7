import { readFileSync } from "node:fs";
import type { Argv } from "yargs";
import type { AuthorizationSettings } from "./authorization-settings.js";
import { UsageError } from "./usage-error.js";

/** Arguments of every command that logs in to servers. */
export interface LoginArguments {
  readonly "client-id": string | undefined;
  readonly "client-secret-file": string | undefined;
  readonly scope: readonly string[] | undefined;
  readonly "auth-host": readonly string[] | undefined;
  readonly "no-browser": boolean;
}

export interface AuthorizationArguments extends LoginArguments {
  readonly token: string | undefined;
}

/** With these, `--no-browser` is an option of its own, not the negation of `--browser`. */
export const loginParsing = { "boolean-negation": false } as const;

/** Adds `--token` and the options of log-ins. */
export function authorizationOptions<Given>(argv: Argv<Given>): Argv<Given & AuthorizationArguments> {
  const withToken = argv.option("token", {
    describe:
      "Token to send, or @file with a token. Other users can see command lines: prefer the variable MCPWRIGHT_TOKEN",
    type: "string",
    requiresArg: true,
  });
  return loginOptions(withToken);
}

/** The command must be parsed with `loginParsing`. */
export function loginOptions<Given>(argv: Argv<Given>): Argv<Given & LoginArguments> {
  const list = { type: "string", array: true, nargs: 1 } as const;
  return argv
    .option("client-id", {
      describe:
        "Client that is registered at the authorization server (default: the one of the last log-in, or a new one)",
      type: "string",
      requiresArg: true,
    })
    .option("client-secret-file", {
      describe: "File with the secret of --client-id",
      type: "string",
      requiresArg: true,
    })
    .option("scope", { describe: "Scope to request besides those that the server names; repeatable", ...list })
    .option("auth-host", {
      describe: "Host of an authorization server that may have a private address; repeatable",
      ...list,
    })
    .option("no-browser", {
      describe: "Print the address of the log-in page instead of opening it",
      type: "boolean",
      default: false,
    });
}

/** @throws UsageError for a combination that is not possible, and for files that cannot be read */
export function authorizationSettings(args: AuthorizationArguments, headers: readonly string[]): AuthorizationSettings {
  const { token } = args;
  const login = loginSettings(args);
  const variable = process.env["MCPWRIGHT_TOKEN"] ?? "";
  if (token === undefined)
    return { ...login, ...(variable !== "" && { defaultToken: checkedToken("MCPWRIGHT_TOKEN", variable) }) };
  if (headers.some((name) => name.toLowerCase() === "authorization"))
    throw new UsageError("Use only one of --token and --header 'Authorization: …'.");
  if (login.clientId !== undefined || login.scopes)
    throw new UsageError("--token replaces the log-in: omit --client-id and --scope.");
  const text = token.startsWith("@") ? readSecret("--token", token.slice(1)) : token;
  return { ...login, token: checkedToken("--token", text) };
}

/** @throws UsageError */
export function loginSettings(args: LoginArguments): AuthorizationSettings {
  const { "client-id": clientId, "client-secret-file": secretFile, scope, "auth-host": authHosts } = args;
  if (secretFile !== undefined && clientId === undefined)
    throw new UsageError("--client-secret-file requires --client-id.");
  const scopes = scope?.flatMap((text) => text.split(/[\s,]+/)).filter((one) => one !== "");
  return {
    ...(clientId !== undefined && { clientId }),
    ...(secretFile !== undefined && { clientSecret: readSecret("--client-secret-file", secretFile) }),
    ...(scopes && { scopes }),
    ...(authHosts && { authHosts }),
    ...(args["no-browser"] && { openBrowser: false }),
  };
}

/** The messages never contain what was read. */
function readSecret(option: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new UsageError(`${option}: cannot read ${path}: ${code}`);
  }
  if (text === "") throw new UsageError(`${option}: ${path} is empty.`);
  return text;
}

function checkedToken(source: string, text: string): string {
  // The characters of RFC 6750, section 2.1.
  if (!/^[\w.~+/-]+=*$/.test(text.trim()))
    throw new UsageError(`${source} does not contain a token: a token has no spaces and only ASCII characters.`);
  return text.trim();
}
