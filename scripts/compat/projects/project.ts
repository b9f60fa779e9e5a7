import { execFile, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findPackages } from "../../../generator/commands/migrate/find-packages.js";
import { migrate, type MigrateOptions, type MigrateResult } from "../../../generator/commands/migrate/migrate.js";
import { npmCommand } from "../../npm.js";

/** How a copy of a project is changed. */
export type Level = "original" | NonNullable<MigrateOptions["level"]>;

/** A copy of a project, migrated, installed and built. */
export interface BuiltProject {
  readonly packages: readonly BuiltPackage[];
  readonly todos: MigrateResult["todos"];
}

export interface BuiltPackage {
  readonly name: string;
  /** Its folder, from the project. */
  readonly path: string;
  /** The program that it installs, from its folder. */
  readonly program: string;
  /** What the compiler printed about errors. */
  readonly errors: readonly string[];
}

/**
 * Copies a project, migrates the copy, and installs and compiles it.
 * @param npmrc where npm finds our packages
 */
export async function buildProject(project: string, copy: string, level: Level, npmrc: string): Promise<BuiltProject> {
  const left = new Set(["node_modules", ".git", "dist"]);
  cpSync(project, copy, { recursive: true, filter: (path) => path === project || !left.has(basename(path)) });
  appendFileSync(join(copy, ".npmrc"), `\n${npmrc}`);
  const result = level === "original" ? undefined : await migrate({ folder: copy, level, force: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"];
  // Without lockfiles, all copies get the same versions of what they depend on: the newest.
  rmSync(join(copy, "package-lock.json"), { force: true });
  // The registry is in this process, so it must not wait.
  await promisify(execFile)(...npmCommand(["install", ...options]), { cwd: copy });
  const packages = findPackages(copy).all.flatMap(({ path, manifest }): readonly BuiltPackage[] => {
    const [program] = Object.values(Object(manifest["bin"]) as Readonly<Record<string, string>>);
    if (program === undefined) return [];
    const folder = join(copy, dirname(path));
    return [{ name: String(manifest["name"]), path: dirname(path), program, errors: compile(folder) }];
  });
  return { packages, todos: result?.todos ?? [] };
}

/** Runs the build of a package. @returns the lines that the compiler printed about errors */
function compile(folder: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(...npmCommand(["run", "build"]), {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  if (status !== 0 && errors.length === 0) throw new Error(`npm run build failed in ${folder}: ${stderr}`);
  return errors;
}

export interface TestResults {
  readonly passed: number;
  readonly failed: number;
  /** Whether all passed, and all test files could be loaded. */
  readonly success: boolean;
}

/** Runs the tests of a package. Returns undefined if it has none, or another runner than Vitest. */
export function runTests(folder: string): TestResults | undefined {
  const file = join(folder, "test-results.json");
  const vitest = ["exec", "--no", "--", "vitest", "run", "--reporter=json", `--outputFile=${file}`, "--no-coverage"];
  spawnSync(...npmCommand(vitest), { cwd: folder, stdio: "ignore" });
  if (!existsSync(file)) return undefined;
  const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly success: boolean;
  };
  return { passed: numPassedTests, failed: numFailedTests, success };
}
