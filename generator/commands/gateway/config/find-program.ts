import { accessSync, constants, statSync } from "node:fs";
import { pathsOf } from "../../../shared/files/paths-of.js";

/** The facts of the machine on which commands are looked up. The defaults are those of the process. */
export interface ProgramOptions {
  readonly platform?: NodeJS.Platform;
  /** The environment of the program: `PATH`, and on Windows `PATHEXT`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working directory of the program. */
  readonly cwd?: string;
  readonly fileKind?: (path: string) => FileKind;
}

/** What is at a path. On Windows, every file is `"executable"`. */
export type FileKind = "executable" | "file" | "folder" | undefined;

/** A program that starts, or what is wrong with the command. */
export type FoundProgram =
  { readonly path: string } | { readonly problem: "missing" | "folder" | "not executable"; readonly path?: string };

/**
 * Finds the program that a command starts: a path, or a name in the folders of `PATH`. On Windows, the extensions of `PATHEXT`
 * (such as `.exe` and `.cmd`) may be omitted.
 */
export function findProgram(command: string, options: ProgramOptions = {}): FoundProgram {
  const { platform = process.platform, env = process.env, cwd = process.cwd(), fileKind = kindOf } = options;
  const paths = pathsOf(platform);
  const isPath = command.includes("/") || (platform === "win32" && command.includes("\\"));
  const folders = isPath ? [cwd] : searchFolders(platform, env, cwd);
  let problem: FoundProgram = { problem: "missing" };
  for (const folder of folders) {
    for (const name of namesOf(command, platform, env)) {
      const path = paths.resolve(cwd, folder, name);
      const kind = fileKind(path);
      if (kind === "executable") return { path };
      if (kind !== undefined && problem.path === undefined)
        problem = { problem: kind === "folder" ? "folder" : "not executable", path };
    }
  }
  return problem;
}

function searchFolders(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): readonly string[] {
  const folders = (variable(env, "PATH", platform) ?? "").split(pathsOf(platform).delimiter);
  if (platform !== "win32") return folders.map((folder) => (folder === "" ? cwd : folder));
  // Windows also looks in the working directory, and allows quotes.
  return [cwd, ...folders.map((folder) => folder.replaceAll('"', "")).filter((folder) => folder !== "")];
}

function namesOf(
  command: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (platform !== "win32") return [command];
  const extensions = (variable(env, "PATHEXT", platform) ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .filter((one) => one !== "");
  const hasExtension = extensions.some((one) => command.toLowerCase().endsWith(one.toLowerCase()));
  return hasExtension ? [command] : extensions.map((one) => command + one.toLowerCase());
}

/** Names of variables are not case-sensitive on Windows, where `PATH` is often `Path`. */
function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== "win32") return env[name];
  return Object.entries(env).find(([one]) => one.toUpperCase() === name)?.[1];
}

function kindOf(path: string): FileKind {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return "folder";
    if (!stats.isFile()) return undefined;
  } catch {
    return undefined;
  }
  try {
    accessSync(path, constants.X_OK);
    return "executable";
  } catch {
    return "file";
  }
}
