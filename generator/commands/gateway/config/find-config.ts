import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { pathsOf } from "./resolve-text.js";

/** A host whose configuration the gateway can find. */
export type ConfigHost = (typeof configHosts)[number];

/** The values of `--from`. */
export const configHosts = ["claude", "claude-code", "cursor", "vscode"] as const;

/** Where to look for configurations. The defaults are those of the process. */
export interface FindConfigOptions {
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home?: string;
  /** The folder of the project, where hosts have configurations of their own. */
  readonly cwd?: string;
  readonly exists?: (path: string) => boolean;
}

export interface FoundConfig {
  readonly path: string;
  /** The value of `${workspaceFolder}`. */
  readonly workspaceFolder: string;
}

/**
 * Finds the configuration of a host: that of the project, or else that of the user.
 * @throws DiagnosticError gateway-config-not-found, with the paths
 */
export function findConfig(host: ConfigHost, options: FindConfigOptions = {}): FoundConfig {
  const { exists = isFile, cwd = process.cwd() } = options;
  const paths = configPaths(host, options);
  const path = paths.find((one) => exists(one));
  if (path === undefined) return fail("gateway-config-not-found", { host: titles[host], paths: paths.join(", ") });
  return { path, workspaceFolder: cwd };
}

/** The files in which a host may have its servers, in the order in which they are tried. */
export function configPaths(host: ConfigHost, options: FindConfigOptions = {}): readonly string[] {
  const { platform = process.platform, env = process.env, home = homedir(), cwd = process.cwd() } = options;
  const paths = pathsOf(platform);
  const applications = applicationFolders(platform, env, home);
  switch (host) {
    case "claude":
      return applications.claude.map((folder) => paths.join(folder, "Claude", "claude_desktop_config.json"));
    case "claude-code":
      return [paths.join(cwd, ".mcp.json"), paths.join(folderIn(env, "CLAUDE_CONFIG_DIR") ?? home, ".claude.json")];
    case "cursor":
      return [paths.join(cwd, ".cursor", "mcp.json"), paths.join(home, ".cursor", "mcp.json")];
    case "vscode":
      return [
        paths.join(cwd, ".vscode", "mcp.json"),
        ...["Code", "Code - Insiders"].map((name) => paths.join(applications.own, name, "User", "mcp.json")),
      ];
  }
}

const titles: Readonly<Record<ConfigHost, string>> = {
  claude: "Claude Desktop",
  "claude-code": "Claude Code",
  cursor: "Cursor",
  vscode: "VS Code",
};

/** The package of Claude Desktop on Windows, which sees a private copy of the folder for applications. */
const claudePackage = "Claude_pzs8sxrjxfjjc";

/** The folder in which applications keep settings, and those where Claude Desktop may keep them. */
function applicationFolders(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): { readonly own: string; readonly claude: readonly string[] } {
  const paths = pathsOf(platform);
  if (platform === "win32") {
    const own = folderIn(env, "APPDATA") ?? paths.join(home, "AppData", "Roaming");
    const local = folderIn(env, "LOCALAPPDATA") ?? paths.join(home, "AppData", "Local");
    return { own, claude: [paths.join(local, "Packages", claudePackage, "LocalCache", "Roaming"), own] };
  }
  const xdg = folderIn(env, "XDG_CONFIG_HOME");
  const config = xdg !== undefined && paths.isAbsolute(xdg) ? xdg : paths.join(home, ".config");
  const own = platform === "darwin" ? paths.join(home, "Library", "Application Support") : config;
  return { own, claude: [own] };
}

function folderIn(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name] === "" ? undefined : env[name];
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
