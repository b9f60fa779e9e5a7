import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Diagnostic, diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { isLink, type PackageFile } from "./find-packages.js";

/** Larger files are data, or bundles. */
const maxBytes = 2 ** 21;

const skipped: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "out", "coverage"]);

export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * The TypeScript and JavaScript of the packages, sorted. In a git repository, files that it ignores are left out; elsewhere, folders of
 * build output are.
 */
export function findSources(
  folder: string,
  packages: readonly PackageFile[],
  findings: Diagnostic[],
): readonly Source[] {
  const roots = new Set(packages.map(({ path }) => dirname(path)));
  const paths = (listedByGit(folder) ?? [...walk(folder, "")]).filter(
    (path) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(path) && !/\.d\.\w+\.ts$/.test(path),
  );
  const sources: Source[] = [];
  for (const path of [...new Set(paths)].sort()) {
    if (path.split("/").includes("node_modules") || !roots.has(packageOf(folder, path))) continue;
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!stats || stats.isDirectory()) continue;
    const reason = isLink(folder, path)
      ? "it is a link, or in a folder that is a link"
      : reasonToSkip(path, stats.size);
    const text =
      reason !== undefined && stats.size > maxBytes
        ? ""
        : stats.isFile()
          ? readFileSync(join(folder, path), "utf8")
          : "";
    if (reason === undefined) sources.push({ path, text });
    else if (stats.isSymbolicLink() || stats.size > maxBytes || text.includes("@modelcontextprotocol/"))
      findings.push(diagnostic("migrate-file-skipped", { path, reason }));
  }
  return sources;
}

function reasonToSkip(path: string, size: number): string | undefined {
  if (size > maxBytes) return `it has more than ${maxBytes / 2 ** 20} MiB`;
  // eslint-disable-next-line no-control-regex -- control characters are rejected
  return /[\\:\u0000-\u001f]/.test(path) ? "its name is not allowed on every system" : undefined;
}

/** The folder of the nearest package.json. */
function packageOf(folder: string, path: string): string {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (at === "." || lstatSync(join(folder, at, "package.json"), { throwIfNoEntry: false })?.isFile() === true)
      return at;
  }
}

function listedByGit(folder: string): readonly string[] | undefined {
  try {
    const args = ["-C", folder, "ls-files", "-co", "--exclude-standard", "-z", "--", "."];
    const listed = execFileSync("git", args, {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return listed.split("\0").filter((path) => path !== "");
  } catch {
    return undefined; // not a repository, or no git
  }
}

function* walk(folder: string, path: string): Iterable<string> {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    if (!entry.isDirectory()) yield inner;
    else if (!skipped.has(basename(inner)) && !entry.name.startsWith(".")) yield* walk(folder, inner);
  }
}
