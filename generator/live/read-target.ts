import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { fail } from "../diagnostics/diagnostic.js";
import { readConfig } from "./read-config.js";
import type { HttpTarget, LiveTarget, StdioTarget } from "./target.js";

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
  readonly target: LiveTarget;
  /** What is doubtful about it. */
  readonly notes: readonly Diagnostic[];
}

/**
 * Finds out where a server is.
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
  const target = rest.length === 0 && /^[a-z][a-z\d+.-]+:\/\//i.test(first) ? atUrl(first) : started(first, rest);
  return { target: withOptions(target, options), notes: [] };
}

/** @throws DiagnosticError target-url-invalid */
export function atUrl(text: string, sse = false): HttpTarget {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) fail("target-url-invalid", { url: text });
  return { kind: "http", url: new URL(text), headers: {}, sse };
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

/** What the command line says counts more than a configuration. */
function withOptions(target: LiveTarget, { headers = {}, env = {}, cwd }: TargetOptions): LiveTarget {
  if (target.kind === "http") {
    const unfit = cwd === undefined ? Object.keys(env).map(() => "--env")[0] : "--cwd";
    if (unfit !== undefined) fail("target-option-unfit", { option: unfit, kind: "a server at a URL" });
    return { ...target, headers: sendable({ ...target.headers, ...headers }) };
  }
  if (Object.keys(headers).length > 0)
    fail("target-option-unfit", { option: "--header", kind: "a server that is started" });
  return { ...target, env: { ...target.env, ...env }, ...(cwd !== undefined && { cwd }) };
}

function sendable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      // The value may be a secret, which what is thrown repeats.
      const reason = /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? "its value has characters that no header has" : "its name";
      fail("target-header-invalid", { name, reason });
    }
  }
  return headers;
}
