import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import type { Machine } from "../../shared/hosts/host-paths.js";
import { type HostId, hostIds, hosts } from "../../shared/hosts/hosts.js";
import { parseDocument } from "./documents/parse-document.js";
import { hostFile, isFound, readHostFile, type Scope } from "./host-file.js";

/** A host, and what it has of a server. */
export interface ListedHost {
  readonly host: HostId;
  readonly title: string;
  /** Whether the host was used on this machine. */
  readonly found: boolean;
  readonly files: readonly ListedFile[];
}

export interface ListedFile {
  readonly scope: Scope;
  readonly path: string;
  readonly exists: boolean;
  /** Whether it has the server; null without a name, and for an invalid file. */
  readonly installed: boolean | null;
  /** Why the file cannot be used. */
  readonly problem?: string;
}

/** @param name the server to look for */
export function listHosts(name: string | undefined, machine: Machine = {}): readonly ListedHost[] {
  return hostIds.map((host) => ({
    host,
    title: hosts[host].title,
    found: isFound(host, machine),
    files: (hosts[host].project ? (["user", "project"] as const) : (["user"] as const)).map((scope) =>
      listFile(host, scope, name, machine),
    ),
  }));
}

function listFile(host: HostId, scope: Scope, name: string | undefined, machine: Machine): ListedFile {
  const path = hostFile(host, scope, machine);
  try {
    const { text } = readHostFile(path);
    if (text === undefined) return { scope, path, exists: false, installed: name === undefined ? null : false };
    const { names } = parseDocument(hosts[host], text, path);
    return { scope, path, exists: true, installed: name === undefined ? null : names.includes(name) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [problem] = error.diagnostics;
    return { scope, path, exists: true, installed: null, problem: problem?.message ?? error.message };
  }
}
