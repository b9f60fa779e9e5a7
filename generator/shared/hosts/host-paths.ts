import { homedir } from "node:os";
import { pathsOf } from "../files/paths-of.js";
import { type BaseFolder, type Host, type HostId, type HostPlace, hosts } from "./hosts.js";

/** The machine on which hosts keep their files. The defaults are those of the process. */
export interface Machine {
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home?: string;
  /** The folder of the project, where hosts have files of their own. */
  readonly cwd?: string;
}

export interface UserPaths {
  readonly file: string;
  readonly marker: string;
  readonly isVariant: boolean;
}

/** The file of a host for the servers of a project; undefined when it has none. */
export function projectPath(host: HostId, machine: Machine = {}): string | undefined {
  const { project }: Host = hosts[host];
  return project && pathOf(project, machine);
}

/** The files of a host for the servers of a user, in the order in which they are tried. */
export function userPaths(host: HostId, machine: Machine = {}): readonly UserPaths[] {
  return hosts[host].user.flatMap(({ file, marker, isVariant = false }) => {
    const paths = { file: pathOf(file, machine), marker: pathOf(marker, machine) };
    return paths.file === undefined || paths.marker === undefined
      ? []
      : [{ file: paths.file, marker: paths.marker, isVariant }];
  });
}

/** The files in which a host may have its servers: first that of the project. */
export function configPaths(host: HostId, machine: Machine = {}): readonly string[] {
  const project = projectPath(host, machine);
  return [...(project === undefined ? [] : [project]), ...userPaths(host, machine).map(({ file }) => file)];
}

function pathOf([base, ...segments]: HostPlace, machine: Machine): string | undefined {
  const { platform = process.platform, env = process.env, home = homedir(), cwd = process.cwd() } = machine;
  const folder = baseFolder(base, platform, (name) => (env[name] === "" ? undefined : env[name]), home, cwd);
  return folder === undefined ? undefined : pathsOf(platform).join(folder, ...segments);
}

/** The package of Claude Desktop on Windows, which sees a private copy of the folder for applications. */
const claudePackage = "Claude_pzs8sxrjxfjjc";

/** Returns undefined for a folder that the platform does not have. */
function baseFolder(
  base: BaseFolder,
  platform: NodeJS.Platform,
  variable: (name: string) => string | undefined,
  home: string,
  cwd: string,
): string | undefined {
  const paths = pathsOf(platform);
  const isWindows = platform === "win32";
  const xdg = variable("XDG_CONFIG_HOME");
  // A relative path is ignored, as the XDG specification requires.
  const config = xdg !== undefined && paths.isAbsolute(xdg) ? xdg : paths.join(home, ".config");
  const roaming = variable("APPDATA") ?? paths.join(home, "AppData", "Roaming");
  switch (base) {
    case "project":
      return cwd;
    case "home":
      return home;
    case "applications":
      if (isWindows) return roaming;
      return platform === "darwin" ? paths.join(home, "Library", "Application Support") : config;
    case "claudePackage": {
      if (!isWindows) return undefined;
      const local = variable("LOCALAPPDATA") ?? paths.join(home, "AppData", "Local");
      return paths.join(local, "Packages", claudePackage, "LocalCache", "Roaming");
    }
    case "claudeCode":
      return variable("CLAUDE_CONFIG_DIR") ?? home;
    case "claudeCodeHome":
      return variable("CLAUDE_CONFIG_DIR") ?? paths.join(home, ".claude");
    case "devin":
      return paths.join(isWindows ? roaming : config, "devin");
    case "zed":
      if (isWindows) return paths.join(roaming, "Zed");
      return paths.join(platform === "darwin" ? paths.join(home, ".config") : config, "zed");
    case "codex":
      return variable("CODEX_HOME") ?? paths.join(home, ".codex");
  }
}
