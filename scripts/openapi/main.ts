/**
 * Creates servers from public OpenAPI descriptions with the built command, compiles them under `strict`, and runs their tests.
 * With `--few`, only those of CI; with names, only these. Nothing of the descriptions is kept.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../interop/paths.js";
import { descriptions, type PublicDescription } from "./descriptions.js";
import { npmCommand } from "../npm.js";

/** The largest description must be read and written in this time, if nothing else runs beside it, as it does in CI. */
const mostSeconds = 20;
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith("--"));
const chosen = descriptions.filter(({ name, inCi }) =>
  names.length > 0 ? names.includes(name) : inCi || !args.includes("--few"),
);
const unknown = names.find((name) => descriptions.every((one) => one.name !== name));
if (unknown !== undefined)
  throw new Error(`${unknown} is not one of: ${descriptions.map(({ name }) => name).join(", ")}`);

const stage = mkdtempSync(join(tmpdir(), "mcpwright-openapi-"));
try {
  symlinkSync(join(root, "node_modules"), join(stage, "node_modules"));
  const archives = new Map<string, string>();
  for (const one of chosen) {
    const archive = archives.get(one.package) ?? pack(one.package);
    archives.set(one.package, archive);
    execFileSync("tar", ["xzf", archive, `package/${one.file}`], { cwd: stage });
    tryOne(one);
  }
  console.log(`${chosen.length} servers compile, and their tests pass`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Downloads a package. Returns the name of its archive. */
function pack(name: string): string {
  const out = execFileSync(...npmCommand(["pack", "--silent", name]), { cwd: stage, encoding: "utf8" });
  return out.trim().split("\n").at(-1) ?? "";
}

function tryOne({ name, file, choice }: PublicDescription): void {
  const folder = join(stage, name);
  const run = (program: string, ...options: readonly string[]): number => {
    const start = performance.now();
    try {
      execFileSync(process.execPath, [join(root, program), ...options], {
        cwd: stage,
        stdio: "pipe",
        maxBuffer: 100_000_000,
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
      throw new Error(`${name}: ${program} failed\n${String(stdout)}${String(stderr)}`, { cause: error });
    }
    return (performance.now() - start) / 1_000;
  };
  const seconds = run("dist/cli.js", "new", name, "--from-openapi", `package/${file}`, ...choice);
  if (seconds > mostSeconds && !args.includes("--few"))
    throw new Error(`${name}: mcpwright new took ${seconds.toFixed(1)} s, more than ${mostSeconds}`);
  const compiled = run("node_modules/typescript/bin/tsc", "-p", folder);
  const tested = run("node_modules/vitest/vitest.mjs", "run", "--root", folder, "--maxWorkers", "2");
  const times = [seconds, compiled, tested].map((time) => time.toFixed(1));
  console.log(
    `${name}: written in ${times[0] ?? ""} s, compiled in ${times[1] ?? ""} s, tested in ${times[2] ?? ""} s`,
  );
}
