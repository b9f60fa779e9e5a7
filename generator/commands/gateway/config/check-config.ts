import { existsSync, statSync } from "node:fs";
import { diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { findProgram, type ProgramOptions } from "./find-program.js";
import type { ConfigText } from "./config-text.js";
import type { GatewayConfig, GatewaySettings, ServerConfig, StdioServerConfig } from "./gateway-config.js";
import { fieldLabel, type Pointer, quoteName } from "./labels.js";
import { type ConfigProblem, type ReadConfig, readGatewayConfig, type ReadConfigOptions } from "./read-config.js";
import { tryResolve, type UnresolvedField } from "./resolve-references.js";
import { type ReferenceContext, resolveText } from "./resolve-text.js";

/** The machine on which the configuration is checked. The defaults are those of the process. */
export interface CheckConfigOptions
  extends ReadConfigOptions, Omit<ReferenceContext, "path" | "inputs">, Pick<ProgramOptions, "fileKind"> {
  /** The working directory of the gateway. Default: `process.cwd()` */
  readonly cwd?: string;
  readonly isFolder?: (path: string) => boolean;
}

/**
 * Checks a configuration without starting anything: all that `readGatewayConfig` reports, and whether the servers could start
 * here. Servers that are disabled or have errors are only checked for mistakes in the text.
 *
 * Variables that are not set, files that cannot be read, commands that do not exist: `config` is defined nevertheless, because
 * the other servers can start.
 */
export function checkConfig(text: string, options: CheckConfigOptions): ReadConfig {
  const read = readGatewayConfig(text, options);
  if (!read.usable) return read;
  const problems = [...read.problems, ...environmentProblems(read.usable, read, options)];
  return { ...read, problems: problems.sort((a, b) => a.span.line - b.span.line || a.span.column - b.span.column) };
}

function environmentProblems(
  config: GatewayConfig,
  { locate }: ReadConfig,
  options: CheckConfigOptions,
): readonly ConfigProblem[] {
  const context: ReferenceContext = { ...options, path: config.path, inputs: config.inputs };
  const problems = config.servers
    .filter(({ disabled }) => !disabled)
    .flatMap((server) =>
      unusableFields(server, context, options).map(({ field, diagnostic: found }): ConfigProblem => ({
        ...found,
        span: locate(server.name, field),
        server: server.name,
      })),
    );
  const settings = settingsWithReferences(config.gateway).flatMap(([text, field]) => {
    const span = locate(undefined, field);
    const { missing = [] } = resolveText(text, fieldLabel(field), context);
    return missing.map((found): ConfigProblem => ({ ...found, span }));
  });
  return [...problems, ...settings];
}

function settingsWithReferences({
  audit,
  authorization,
  logIn,
}: GatewaySettings): readonly (readonly [ConfigText, Pointer])[] {
  const { clientId, clientSecret } = authorization?.introspection ?? {};
  const client = ["gateway", "authorization", "introspection"];
  return [
    ...(audit ? [[audit.file, ["gateway", "audit", "file"]] as const] : []),
    ...(clientId ? [[clientId, [...client, "clientId"]] as const] : []),
    ...(clientSecret ? [[clientSecret, [...client, "clientSecret"]] as const] : []),
    ...(["file", "clientId", "clientSecret"] as const).flatMap((name) => {
      const text = logIn?.[name];
      return text ? [[text, ["gateway", "logIn", name]] as const] : [];
    }),
  ];
}

function unusableFields(
  server: ServerConfig,
  context: ReferenceContext,
  options: CheckConfigOptions,
): readonly UnresolvedField[] {
  const { unresolved } = tryResolve(server, context);
  return server.kind === "stdio" ? [...unresolved, ...unusableCommand(server, context, options)] : unresolved;
}

/** Checks command and working directory, also if other fields cannot be resolved. */
function unusableCommand(
  server: StdioServerConfig,
  context: ReferenceContext,
  options: CheckConfigOptions,
): readonly UnresolvedField[] {
  const { command, cwd, env: texts } = server;
  const { resolved } = tryResolve({ ...server, args: [], env: searchVariables(texts) }, context);
  if (resolved?.kind !== "stdio") return [];
  const { isFolder = isExistingFolder, cwd: ownFolder = process.cwd() } = options;
  const folder = resolved.cwd ?? ownFolder;
  if (cwd && !isFolder(folder)) {
    // A working directory may come from a reference, which is then shown in place of its value.
    const values = { field: fieldLabel(["servers", server.name, "cwd"]), path: cwd.source };
    return [{ field: ["cwd"], diagnostic: diagnostic("gateway-folder-missing", values) }];
  }
  const env = { ...(options.env ?? process.env), ...resolved.env };
  const { platform, fileKind } = options;
  const found = findProgram(resolved.command, {
    env,
    cwd: folder,
    ...(platform && { platform }),
    ...(fileKind && { fileKind }),
  });
  if (!("problem" in found)) return [];
  const values = { command: command.source, name: quoteName(server.name), ...explanations[found.problem] };
  return [{ field: ["command"], diagnostic: diagnostic("gateway-command-not-found", values) }];
}

const explanations = {
  missing: {
    reason: "was not found",
    hint: "Check the spelling, that the program is installed, and that its folder is in PATH.",
  },
  folder: { reason: "is a folder", hint: "Write the path of the program in it." },
  "not executable": { reason: "is not executable", hint: "Run chmod +x on it, or start it with its interpreter." },
} as const;

/** The variables that decide where programs are searched. */
function searchVariables(texts: StdioServerConfig["env"]): StdioServerConfig["env"] {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => /^PATH(?:EXT)?$/i.test(name)));
}

function isExistingFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
