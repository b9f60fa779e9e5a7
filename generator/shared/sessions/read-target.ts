import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { AuthorizationSettings } from "../command/authorization-settings.js";
import { fail } from "../diagnostics/diagnostic.js";
import { readConfig } from "./read-config.js";
import { httpTarget, type FoundTarget, type ServerTarget, type StdioTarget, type TargetOptions } from "./target.js";

/**
 * Determines the server from the command line.
 * @throws DiagnosticError target-*, config-*
 */
export function readTarget(options: TargetOptions): FoundTarget {
  const { target: words, server } = options;
  const [first = "", ...rest] = words;
  const isConfig = rest.length === 0 && extname(first) === ".json";
  if (server !== undefined && !isConfig) fail("target-option-unfit", { option: "--server", kind: first });
  if (isConfig) {
    const found = readConfig(first, options);
    return { ...found, target: withOptions(found.target, options) };
  }
  const target = rest.length === 0 && /^[a-z][a-z\d+.-]+:\/\//i.test(first) ? httpTarget(first) : started(first, rest);
  return { target: withOptions(target, options), notes: [] };
}

function started(first: string, args: readonly string[]): StdioTarget {
  const plain = { kind: "stdio", env: {} } as const;
  if (/\.[cm]?tsx?$/.test(first)) fail("target-typescript", { path: first });
  const isPython = first.endsWith(".py");
  if (!isPython && !/\.[cm]?js$/.test(first)) return { ...plain, command: first, args };
  if (!existsSync(first)) fail("target-not-found", { path: first });
  const python = process.platform === "win32" ? "python" : "python3";
  return { ...plain, command: isPython ? python : process.execPath, args: [resolve(first), ...args] };
}

/** Applies the options, which take precedence over the configuration. */
function withOptions(
  target: ServerTarget,
  { headers = {}, authorization = {}, env = {}, cwd }: TargetOptions,
): ServerTarget {
  if (target.kind === "http") {
    const unfit = cwd === undefined ? Object.keys(env).map(() => "--env")[0] : "--cwd";
    if (unfit !== undefined) fail("target-option-unfit", { option: unfit, kind: "a server at a URL" });
    return { ...target, headers: sendable({ ...target.headers, ...headers }) };
  }
  const unfit = Object.keys(headers).length > 0 ? "--header" : optionOf(authorization);
  if (unfit !== undefined) fail("target-option-unfit", { option: unfit, kind: "a server started by a command" });
  return { ...target, env: { ...target.env, ...env }, ...(cwd !== undefined && { cwd }) };
}

/** The first option of the command line that belongs to servers at a URL. */
function optionOf(settings: AuthorizationSettings): string | undefined {
  const options = [
    [settings.token, "--token"],
    [settings.clientId, "--client-id"],
    [settings.scopes, "--scope"],
    [settings.authHosts, "--auth-host"],
  ] as const;
  return options.find(([value]) => value !== undefined)?.[1];
}

function sendable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      // The error of Headers repeats the value, which may be a secret.
      const reason = /^[\w!#$%&'*+.^`|~-]+$/.test(name)
        ? "its value contains invalid characters"
        : "its name contains invalid characters";
      fail("target-header-invalid", { name, reason });
    }
  }
  return headers;
}
