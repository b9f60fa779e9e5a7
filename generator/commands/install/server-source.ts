import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import { isObject } from "../../shared/is-object.js";
import { unscoped } from "../../shared/project/package-name.js";
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

/** Claude Code and Codex accept no other names. */
function validName(name: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) fail("install-name-invalid", { name: JSON.stringify(name) });
  return name;
}

/** The file that starts the server of a project. */
function projectEntry(folder: string): string {
  const { path, content } = readManifest(folder);
  const named =
    binOf(content) ?? startOf(content) ?? (typeof content["main"] === "string" ? content["main"] : undefined);
  if (named !== undefined) {
    const file = join(folder, named);
    return isFile(file) ? file : fail("install-not-built", { path: file });
  }
  const built = ["build", "dist"].map((output) => join(folder, output, "main.js"));
  return built.find(isFile) ?? fail("install-no-entry", { path });
}

function binOf({ bin, name }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof bin === "string") return bin;
  if (!isObject(bin)) return undefined;
  const files = Object.values(bin).filter((file) => typeof file === "string");
  const own = typeof name === "string" ? bin[unscoped(name)] : undefined;
  if (typeof own === "string") return own;
  return files.length === 1 ? files[0] : undefined;
}

/** The file of `"start": "node build/main.js"`. */
function startOf({ scripts }: Readonly<Record<string, unknown>>): string | undefined {
  const start = isObject(scripts) ? scripts["start"] : undefined;
  return typeof start === "string" ? /^node ([\w./-]+\.[cm]?js)$/.exec(start.trim())?.[1] : undefined;
}

function readManifest(folder: string): { readonly path: string; readonly content: Readonly<Record<string, unknown>> } {
  const path = join(folder, "package.json");
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? `is not valid JSON: ${error.message}`
        : `cannot be read: ${errnoText(error) ?? String(error)}`;
    return fail("install-no-project", { path, reason });
  }
  return isObject(content) ? { path, content } : fail("install-no-project", { path, reason: "is not an object" });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
