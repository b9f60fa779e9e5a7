import { type Diagnostic, fail } from "../diagnostics/diagnostic.js";

/** A server that is started as a child process and speaks on its standard input and output. */
export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server at a URL. */
export interface HttpTarget {
  readonly kind: "http";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** It speaks the HTTP+SSE of 2024-11-05, as its configuration says; otherwise that is found out. */
  readonly sse: boolean;
}

/** Where a live server is. */
export type ServerTarget = StdioTarget | HttpTarget;

/** What users call the server: without credentials, queries and values of variables. */
export function targetName(target: ServerTarget): string {
  if (target.kind === "http") return `${target.url.origin}${target.url.pathname}`;
  const program = target.command === process.execPath ? "node" : target.command;
  return [program, ...target.args.slice(0, 1)].join(" ");
}

/** How to reach a server, as users say it. */
export interface TargetOptions {
  /** A URL; the path of a configuration (`mcpServers.json`); or a command, its first word a program or a script. */
  readonly target: readonly string[];
  /** Which server of a configuration; needed where it has several. */
  readonly server?: string;
  /** HTTP headers by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Environment variables by name, for a server that is started. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory, for a server that is started. Default: the one of this process. */
  readonly cwd?: string;
}

export interface FoundTarget {
  readonly target: ServerTarget;
  /** What is doubtful about it. */
  readonly notes: readonly Diagnostic[];
}

/** @throws DiagnosticError target-url-invalid */
export function httpTarget(text: string, sse = false): HttpTarget {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) fail("target-url-invalid", { url: text });
  return { kind: "http", url: new URL(text), headers: {}, sse };
}
