import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { DiagnosticError } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";
import { compilerOptions } from "../../dev/read-tsconfig.js";
import { findServer } from "../../install/server-source.js";
import { type CheckResult, problem, type Problem } from "../finding.js";
import { filesBelow, isSource, type Project } from "../project.js";

/** Whether the file that starts the server exists, is newer than its sources, and can be a command. */
export function checkEntry(project: Project): CheckResult | undefined {
  if (!project.manifest) return undefined;
  const entry = entryOf(project);
  if (entry === undefined) return undefined;
  if (typeof entry !== "string") return [entry];
  const problems = [...staleEntry(project, entry), ...shebang(project, entry)];
  return problems.length > 0 ? problems : `${entry} is built`;
}

/** The file, or why there is none; undefined for a project that is not a program. */
function entryOf({ folder, manifestPath }: Project): string | Problem | undefined {
  try {
    const server = findServer({ folder });
    return server.kind === "command" ? server.args[0] : undefined;
  } catch (error) {
    const [first] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (!first) throw error;
    const hasSource = ["src/main.ts", "src/index.ts"].some((path) => existsSync(join(folder, path)));
    if (first.id !== "install-not-built" && !hasSource) return undefined;
    const isUnbuilt = first.id === "install-no-entry";
    const message = isUnbuilt
      ? "the server is not built, or package.json does not say which file starts it"
      : first.message;
    return problem("error", message, "run: npm run build", manifestPath);
  }
}

function staleEntry({ folder }: Project, entry: string): readonly Problem[] {
  const config = join(folder, "tsconfig.json");
  const build = join(folder, "tsconfig.build.json");
  const path = [build, config].find((one) => existsSync(one));
  if (path === undefined) return [];
  const { outDir, rootDir } = compilerOptions(path);
  if (typeof outDir !== "string") return [];
  const output = join(folder, outDir);
  if (!entry.startsWith(output + sep)) return [];
  const sources = join(folder, typeof rootDir === "string" ? rootDir : ".");
  const newest = (files: readonly string[]): number => Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
  const written = newest(filesBelow(output));
  const changed = filesBelow(sources, (one) => one === output)
    .filter((file) => isSource(file) && /\.[cm]?tsx?$/.test(file))
    .filter((file) => statSync(file).mtimeMs > written);
  const [first] = changed;
  if (first === undefined) return [];
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  return [problem("warning", `${first}${more} is newer than the built files`, "run: npm run build", entry)];
}

/** npm links commands on Linux and macOS, where the first line says what runs them. */
function shebang({ manifest = {} }: Project, entry: string): readonly Problem[] {
  const { bin } = manifest;
  const named = typeof bin === "string" ? [bin] : isObject(bin) ? Object.values(bin) : [];
  const isCommand = named.some((file) => typeof file === "string" && entry.endsWith(join(sep, file)));
  if (!isCommand || firstBytes(entry).startsWith("#!")) return [];
  const message = "package.json names the file as a command, but its first line does not say what runs it";
  return [problem("error", message, "begin its source with: #!/usr/bin/env node", entry)];
}

function firstBytes(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(2);
    readSync(file, bytes, 0, 2, 0);
    return bytes.toString("latin1");
  } finally {
    closeSync(file);
  }
}
