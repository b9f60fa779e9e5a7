import type { AuthorizationSettings } from "../command/authorization-settings.js";
import { type Diagnostic, fail } from "../diagnostics/diagnostic.js";

/** A server that is started as a child process and uses stdio. */
export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to the few that every server inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server at a URL. */
export interface HttpTarget {
  readonly kind: "http";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the configuration selects HTTP+SSE (2024-11-05); otherwise the transport is detected. */
  readonly sse: boolean;
}

/** The location of a server. */
export type ServerTarget = StdioTarget | HttpTarget;

/** The displayed name of the server, without credentials, queries and values of variables. */
export function targetName(target: ServerTarget): string {
  if (target.kind === "http") return `${target.url.origin}${target.url.pathname}`;
  const program = target.command === process.execPath ? "node" : target.command;
  return [program, ...target.args.slice(0, 1)].join(" ");
}

/** Whether the user or the configuration specifies the header. */
export function hasAuthorization({ headers }: HttpTarget): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/** The server as specified by the user. */
export interface TargetOptions {
  /** A URL; the path of a configuration (`mcpServers.json`); or a command, whose first word is a program or a script. */
  readonly target: readonly string[];
  /** The server's name in the configuration; required if there are several. */
  readonly server?: string;
  /** HTTP headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Authorizes the requests to a server at a URL, as the options of the command line do. Default: only `headers`. */
  readonly authorization?: AuthorizationSettings;
  /** Environment variables by name, for a server that is started. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory, for a server that is started. Default: `process.cwd()`. */
  readonly cwd?: string;
}

export interface FoundTarget {
  readonly target: ServerTarget;
  /** Findings about the target. */
  readonly notes: readonly Diagnostic[];
}

/** @throws DiagnosticError target-url-invalid */
export function httpTarget(text: string, sse = false): HttpTarget {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) fail("target-url-invalid", { url: text });
  return { kind: "http", url: new URL(text), headers: {}, sse };
}
