import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { type Diagnostic, diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../../shared/files/file-errors.js";
import { pathsOf } from "../../../shared/files/paths-of.js";
import type { ConfigText, Reference } from "./config-text.js";
import type { InputConfig } from "./gateway-config.js";

/** The values that references stand for. */
export interface ReferenceContext {
  /** The path of the configuration; paths in `${file:…}` are relative to its folder. */
  readonly path: string;
  readonly inputs: readonly InputConfig[];
  /** The environment of the gateway. Default: `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The value of `${workspaceFolder}`. Default: see `workspaceFolderOf` */
  readonly workspaceFolder?: string;
  /** The value of `${userHome}`. Default: the home folder of the user */
  readonly userHome?: string;
  /** Default: `process.platform` */
  readonly platform?: NodeJS.Platform;
  /** Reads a file as UTF-8. Default: `readFileSync` */
  readonly readFile?: (path: string) => string;
}

/**
 * The folder that a configuration belongs to: its own, or the one around it if that is `.vscode` or `.cursor`. Relative working
 * directories begin there.
 */
export function workspaceFolderOf(path: string, platform: NodeJS.Platform = process.platform): string {
  const paths = pathsOf(platform);
  const folder = paths.dirname(paths.resolve(path));
  return [".vscode", ".cursor"].includes(paths.basename(folder)) ? paths.dirname(folder) : folder;
}

/** The variable that has the value of an input: `github-token` is in `MCPWRIGHT_INPUT_GITHUB_TOKEN`. */
export function inputVariable(id: string): string {
  return `MCPWRIGHT_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
}

/** A string without references, or the reasons why some cannot be replaced. They never contain values. */
export type ResolvedText =
  | { readonly value: string; readonly missing?: undefined }
  | { readonly value?: undefined; readonly missing: readonly Diagnostic[] };

/**
 * Replaces the references in a string.
 * @param field names the string in messages
 */
export function resolveText(text: ConfigText, field: string, context: ReferenceContext): ResolvedText {
  const missing: Diagnostic[] = [];
  const value = text.parts
    .map((part) => {
      if (typeof part === "string") return part;
      const found = valueOf(part, field, context);
      if (typeof found === "string") return found;
      missing.push(found);
      return "";
    })
    .join("");
  return missing.length === 0 ? { value } : { missing };
}

/** A path as `${file:…}` and `envFile` mean it: `~/` is the home folder, and relative paths begin at `folder`. */
export function resolvePath(path: string, folder: string, context: ReferenceContext): string {
  const paths = pathsOf(context.platform ?? process.platform);
  return /^~[/\\]/.test(path) ? paths.join(context.userHome ?? homedir(), path.slice(2)) : paths.resolve(folder, path);
}

function valueOf(reference: Reference, field: string, context: ReferenceContext): string | Diagnostic {
  const { env = process.env, platform = process.platform } = context;
  switch (reference.kind) {
    case "variable": {
      const { name, fallback } = reference;
      const value = variable(env, name);
      if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
      return value ?? diagnostic("gateway-variable-unset", { field, variable: name });
    }
    case "input":
      return inputValue(reference.id, field, context);
    case "file": {
      const folder = pathsOf(platform).dirname(pathsOf(platform).resolve(context.path));
      const found = readNeededFile(resolvePath(reference.path, folder, context), field, folder, context);
      return typeof found === "string" ? found.replace(/\r?\n$/, "") : found;
    }
    case "place": {
      const folder = context.workspaceFolder ?? workspaceFolderOf(context.path, platform);
      if (reference.name === "workspaceFolder") return folder;
      if (reference.name === "workspaceFolderBasename") return pathsOf(platform).basename(folder);
      return reference.name === "userHome" ? (context.userHome ?? homedir()) : pathsOf(platform).sep;
    }
  }
}

/** Reads a file that a field needs. */
export function readNeededFile(
  path: string,
  field: string,
  folder: string,
  context: ReferenceContext,
): string | Diagnostic {
  const { readFile = (file) => readFileSync(file, "utf8") } = context;
  try {
    return readFile(path).replace(/^\uFEFF/, "");
  } catch (error) {
    const reason = errnoText(error) ?? (error instanceof Error ? error.name : "it cannot be read");
    return diagnostic("gateway-file-unreadable", { field, path, reason, folder });
  }
}

function inputValue(id: string, field: string, { env = process.env, inputs }: ReferenceContext): string | Diagnostic {
  const name = inputVariable(id);
  const value = variable(env, name) ?? inputs.find((input) => input.id === id)?.default;
  return value ?? diagnostic("gateway-input-unset", { field, input: id, variable: name });
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
