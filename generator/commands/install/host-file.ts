import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText, hasCode } from "../../shared/files/file-errors.js";
import { type Machine, projectPath, userPaths } from "../../shared/hosts/host-paths.js";
import { type HostId, hosts } from "../../shared/hosts/hosts.js";

/** Whether the host uses a server in all projects of the user, or in one. */
export type Scope = "user" | "project";

/**
 * The file of a host: one that exists, or the one that the host would create.
 * @throws DiagnosticError install-scope-missing
 */
export function hostFile(host: HostId, scope: Scope, machine: Machine = {}): string {
  if (scope === "project")
    return projectPath(host, machine) ?? fail("install-scope-missing", { host: hosts[host].title });
  const paths = userPaths(host, machine);
  const chosen =
    paths.find(({ file }) => existsSync(file)) ??
    paths.find(({ marker }) => existsSync(marker)) ??
    paths.find(({ isVariant }) => !isVariant);
  if (!chosen) throw new Error(`${host} has no file on this platform`);
  return chosen.file;
}

/** Whether the user has used a host on this machine. */
export function isFound(host: HostId, machine: Machine = {}): boolean {
  return userPaths(host, machine).some(({ file, marker }) => existsSync(file) || existsSync(marker));
}

/** The content of a host's file. */
export interface HostFileState {
  /** The file itself, where `path` is a symbolic link. */
  readonly target: string;
  /** Undefined when there is no file. */
  readonly text: string | undefined;
  /** Permissions of the file. */
  readonly mode: number | undefined;
}

/** @throws DiagnosticError install-config-unreadable */
export function readHostFile(path: string): HostFileState {
  try {
    const target = targetOf(path);
    const stats = statSync(target, { throwIfNoEntry: false });
    if (!stats) return { target, text: undefined, mode: undefined };
    if (!stats.isFile()) return fail("install-config-unreadable", { path, reason: "it is not a file" });
    const bytes = readFileSync(target);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { target, text, mode: stats.mode & 0o7777 };
  } catch (error) {
    if (error instanceof TypeError) return fail("install-config-unreadable", { path, reason: "it is not UTF-8" });
    const reason = errnoText(error);
    if (reason === undefined) throw error;
    return fail("install-config-unreadable", { path, reason });
  }
}

/** Follows symbolic links, also one to a file that does not exist. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
  }
}
