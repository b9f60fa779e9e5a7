import { resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { unscoped } from "../../shared/project/package-name.js";
import { findServerEntry, isFile, type ProjectManifest, readProject } from "../../shared/project/read-project.js";
import type { Server } from "./entry/make-entry.js";

/** What the command line says about the server. */
export interface SourceOptions {
  /** The name in the host. Default: that of the project. */
  readonly name?: string | undefined;
  /** The program and its arguments. */
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** The source file that `mcpwright dev` runs. */
  readonly dev?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly variables?: readonly string[];
  /** The folder of the project that is used without a command and a URL. Default: the current folder */
  readonly folder?: string | undefined;
}

/** @throws DiagnosticError install-no-project, install-no-entry, install-not-built */
export function findServer({ command, url, dev, env = {}, variables = [], folder = "." }: SourceOptions): Server {
  if (url !== undefined) return { kind: "url", url };
  const [program, ...args] =
    command ?? (dev === undefined ? ["node", projectEntry(resolve(folder))] : devCommand(resolve(folder, dev)));
  return { kind: "command", command: program ?? "", args, env, variables };
}

function devCommand(file: string): readonly string[] {
  return isFile(file) ? ["npx", "-y", "mcpwright", "dev", file] : fail("install-not-built", { path: file });
}

/** @throws DiagnosticError install-no-project, install-name-invalid */
export function findName({ name, folder = "." }: SourceOptions): string {
  if (name !== undefined) return validName(name);
  const manifest = readManifest(resolve(folder));
  const { name: packageName } = manifest.content;
  if (typeof packageName !== "string" || packageName === "")
    return fail("install-no-project", { path: manifest.path, reason: 'has no "name"' });
  return validName(unscoped(packageName).replace(/[.~]/g, "-"));
}

/** Claude Code and Codex accept no other names; `__proto__` has a meaning of its own in JavaScript. */
function validName(name: string): string {
  if (!/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(name)) fail("install-name-invalid", { name: JSON.stringify(name) });
  return name;
}

/** The file that starts the server of a project. */
function projectEntry(folder: string): string {
  const { path, content } = readManifest(folder);
  const entry = findServerEntry(folder, content);
  switch (entry.kind) {
    case "found":
      return entry.path;
    case "missing":
      return fail("install-not-built", { path: entry.path });
    case "unknown":
      return fail("install-no-entry", { path });
  }
}

function readManifest(folder: string): ProjectManifest {
  const project = readProject(folder);
  return project.kind === "read" ? project : fail("install-no-project", project);
}
