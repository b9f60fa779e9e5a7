import { readFileSync } from "node:fs";
import type { AuthorizationSettings } from "../../shared/command/authorization-settings.js";
import { DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { checkConfig } from "./config/check-config.js";
import { type ConfigHost, findConfig } from "./config/find-config.js";
import type { GatewaySettings, ServerConfig } from "./config/gateway-config.js";
import type { ConfigProblem, ReadConfig } from "./config/read-config.js";
import type { ReferenceContext } from "./config/resolve-text.js";
import { commandServer, urlServer } from "./config/single-server.js";
import { missingLock } from "./lock/lock-path.js";

/** Where the servers of a gateway come from: exactly one of `config`, `from`, `command` and `url`. */
export interface GatewaySourceOptions {
  /** The path of a configuration. */
  readonly config?: string;
  /** The host whose configuration is found and used. Its commands need an approval. */
  readonly from?: ConfigHost;
  /** A command that starts a server: the program and its arguments. */
  readonly command?: readonly string[];
  /** The URL of a server. */
  readonly url?: string;
  /** HTTP headers by name, for `url`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Environment variables by name, for `command`. */
  readonly env?: Readonly<Record<string, string>>;
  /** How requests to `url` are authorized. Default: by earlier log-ins, or a log-in when the server requires it. */
  readonly authorization?: AuthorizationSettings;
}

/** The servers of a source, and what their references stand for. */
export interface SourceContent {
  readonly servers: readonly ServerConfig[];
  readonly settings: GatewaySettings;
  readonly context: ReferenceContext;
}

/** The configuration of a source, with all mistakes. */
export interface CheckedSource {
  readonly read: ReadConfig;
  readonly content: SourceContent | undefined;
}

/**
 * Finds the file of a source; undefined for a command or a URL.
 * @throws DiagnosticError gateway-config-not-found
 */
export function configPath({ config, from }: GatewaySourceOptions): string | undefined {
  return from === undefined ? config : findConfig(from).path;
}

/**
 * Reads and checks a configuration.
 * @param needsLock whether a lock that the configuration requires has to exist
 * @throws DiagnosticError config-not-readable
 */
export function checkSource(path: string, { from }: GatewaySourceOptions, needsLock = true): CheckedSource {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return fail("config-not-readable", { path, reason: errnoText(error) ?? String(error) });
  }
  const workspace = from !== undefined && { workspaceFolder: process.cwd() };
  const checked = checkConfig(text, { path, lenient: from !== undefined, ...workspace });
  const unusable = needsLock ? missingLock(path, checked) : [];
  const read = { ...checked, problems: [...checked.problems, ...unusable] };
  const { config } = read;
  if (!config || unusable.length > 0) return { read, content: undefined };
  const content = {
    servers: config.servers.filter(({ disabled }) => !disabled),
    settings: config.gateway,
    context: { path, inputs: config.inputs, ...workspace },
  };
  return { read, content };
}

/**
 * Reads the servers of a configuration. Servers that cannot start now are kept: their references are replaced when they start.
 * @param onProblem called with each mistake that does not stop the gateway
 * @throws DiagnosticError config-not-readable, and all mistakes of the configuration
 */
export function readSource(
  path: string,
  options: GatewaySourceOptions,
  onProblem: (problem: ConfigProblem) => void,
  needsLock = true,
): SourceContent {
  const { read, content } = checkSource(path, options, needsLock);
  if (!content) throw new DiagnosticError(read.problems);
  read.problems.forEach(onProblem);
  return content;
}

/**
 * The server of a command line, whose names are not changed.
 * @throws DiagnosticError target-url-invalid
 */
export function singleSource({ command = [], url, headers, env }: GatewaySourceOptions): SourceContent {
  const [program = "", ...args] = command;
  const server =
    url === undefined ? commandServer("server", [program, ...args], env) : urlServer("server", url, headers);
  return { servers: [server], settings: { names: "none" }, context: { path: "gateway.json", inputs: [] } };
}
