import { accessSync, constants, statSync } from "node:fs";
import type { Machine } from "../../../shared/hosts/host-paths.js";
import { pathsOf } from "../../../shared/files/paths-of.js";
import { problem, type Problem } from "../finding.js";
import type { HostServer } from "./host-server.js";

/** Programs whose first argument that is not an option is a file. */
const runners = new Set(["node", "bun", "tsx", "python", "python3"]);

/** Why a host cannot start the command of a server. */
export function commandProblems(
  { host, name, path, entry, isProject }: HostServer,
  machine: Machine,
): readonly Problem[] {
  const { command, args, cwd } = entry;
  if (typeof command !== "string") return [];
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  const server = `${host.title}, server ${JSON.stringify(name)}:`;
  // In the file of a project, and beside a folder of its own, relative paths can be right.
  const isFixed = !isProject && cwd === undefined;
  return [
    ...ofProgram(command, server, path, machine, isFixed),
    ...ofNpx(command, words, server, path),
    ...ofFile(command, words, server, path, isFixed),
  ];
}

function ofProgram(
  command: string,
  server: string,
  path: string,
  machine: Machine,
  isFixed: boolean,
): readonly Problem[] {
  const paths = pathsOf(machine.platform ?? process.platform);
  if (command === "") return [problem("error", `${server} the command is empty`, "name a program", path)];
  // The host replaces variables.
  if (command.includes("${") || command.startsWith("~")) return [];
  if (paths.isAbsolute(command))
    return isFile(command)
      ? []
      : [problem("error", `${server} the program ${command} does not exist`, "correct the path", path)];
  if (/[\\/]/.test(command)) {
    const message = `${server} the path ${command} is relative, and the host starts servers in a folder of its own`;
    return isFixed ? [problem("error", message, "write the whole path", path)] : [];
  }
  if (isOnPath(command, machine)) return [];
  const remedy = "install it, or write its whole path; hosts may have another PATH than your shell";
  return [problem("error", `${server} the program ${command} is not on your PATH`, remedy, path)];
}

function ofNpx(command: string, words: readonly string[], server: string, path: string): readonly Problem[] {
  if (!isProgram(command, "npx")) return [];
  const package_ = words.findIndex((word) => !word.startsWith("-"));
  const options = package_ < 0 ? words : words.slice(0, package_);
  if (options.some((word) => /^(-y|--yes|--no|--no-install|--offline)$/.test(word))) return [];
  const message = `${server} npx asks before it installs, and the host cannot answer`;
  return [problem("warning", message, 'put "-y" before the package in "args"', path)];
}

function ofFile(
  command: string,
  words: readonly string[],
  server: string,
  path: string,
  isFixed: boolean,
): readonly Problem[] {
  const runner = [...runners].find((name) => isProgram(command, name));
  const file = runner === undefined ? undefined : words.find((word) => !word.startsWith("-"));
  if (file === undefined || !/\.(?:[cm]?[jt]s|py)$/.test(file) || file.includes("${") || file.startsWith("~"))
    return [];
  if (!/^(?:[\\/]|[A-Za-z]:[\\/])/.test(file)) {
    const message = `${server} the path ${file} is relative, and the host starts servers in a folder of its own`;
    return isFixed ? [problem("error", message, "write the whole path", path)] : [];
  }
  if (isFile(file)) return [];
  return [problem("error", `${server} the file ${file} does not exist`, "build the server, or correct the path", path)];
}

function isProgram(command: string, name: string): boolean {
  return new RegExp(`(?:^|[\\\\/])${name}(?:\\.(?:exe|cmd))?$`, "i").test(command);
}

function isOnPath(command: string, { platform = process.platform, env = process.env }: Machine): boolean {
  const paths = pathsOf(platform);
  const isWindows = platform === "win32";
  const ends = isWindows ? ["", ...(env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(paths.delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ends.some((end) => isExecutable(paths.join(folder, `${command}${end}`), isWindows)));
}

function isExecutable(path: string, isWindows: boolean): boolean {
  if (!isFile(path)) return false;
  if (isWindows) return true;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // for example below a file, or with a NUL
  }
}
