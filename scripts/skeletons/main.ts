/**
 * Tests every start of `mcpwright new`, as a user would: `npm run test:skeletons -- [part of a name]...`. Our packages
 * are packed; the projects are created in an empty folder outside of the repository, installed, type-checked, linted and tested.
 * `mcpwright inspect` uses their servers, or the official Inspector's command line does, in both eras, over each transport.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interopFolder } from "../interop/paths.js";
import { startLocalRegistry } from "../local-registry.js";
import { installPinned } from "../pinned.js";
import { startNodes } from "./cluster.js";
import { bundleProject } from "./bundle.js";
import { chat } from "./chat.js";
import { type Printed, run } from "./command.js";
import { eras, inspect } from "./inspect.js";
import { type Project, projects } from "./projects.js";
import { npmCommand } from "../npm.js";

const patienceMs = 180_000;
/** Of the era that opens with `initialize`. By default, `inspect` speaks the newest revision. */
const olderRevision = "2025-11-25";
const wanted = process.argv.slice(2);
const begun = performance.now();

installPinned(interopFolder);
const stage = mkdtempSync(join(tmpdir(), "mcpwright-skeletons-"));
const home = join(stage, "home");
const registry = await startLocalRegistry(join(stage, "tarballs"), ["generated", "runtime", "."]);
const [, , commandLine = ""] = registry.tarballs;
let failed = false;
try {
  mkdirSync(home);
  const cli = await installCli();
  const made: Project[] = [];
  for (const project of projects) {
    // The server is always created: the client calls it, and other projects share its node_modules.
    const isWanted = wanted.length === 0 || wanted.some((part) => project.name.includes(part));
    if (!isWanted && project.name !== "server") continue;
    failed = !(await attempt(project, cli, made)) || failed;
    made.push(project);
  }
} finally {
  registry.close();
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`\n${failed ? "failed" : "passed"}; ${seconds(begun)}`);
process.exit(failed ? 1 : 0);

async function installCli(): Promise<string> {
  const start = performance.now();
  const folder = join(stage, "tool");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  await npm(folder, "install", commandLine);
  console.log(`the command line, installed from its tarball: ${seconds(start)}`);
  return join(folder, "node_modules/.bin/mcpwright");
}

async function attempt(project: Project, cli: string, made: readonly Project[]): Promise<boolean> {
  const start = performance.now();
  const did: string[] = [];
  try {
    await makeAndTry(project, cli, made, (what) => did.push(what));
    console.log(`${project.name}: ${did.join("; ")}; ${seconds(start)}`);
    return true;
  } catch (error) {
    console.log(`${project.name}: ${did.join("; ")}; then it failed\n${String(error)}`);
    return false;
  }
}

async function makeAndTry(
  project: Project,
  cli: string,
  made: readonly Project[],
  did: (what: string) => void,
): Promise<void> {
  const { name, options, inspected = [], reached = [] } = project;
  const folder = join(stage, name);
  const start = performance.now();
  await run([cli, "new", name, ...options], { cwd: stage, patienceMs });
  writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  const twin = made.find((other) => hasPackagesOf(join(stage, other.name), folder));
  if (twin) {
    symlinkSync(join(stage, twin.name, "node_modules"), join(folder, "node_modules"), "junction");
    await npm(folder, "run", "build");
  } else if ("mcpwright" in packagesOf(folder)) {
    // A name without scope cannot have a registry of its own. With a package as its argument, npm install does not build.
    await npm(folder, "install", "--no-save", commandLine);
    await npm(folder, "run", "build");
    did(`made, installed and built in ${seconds(start)}`);
  } else {
    await npm(folder, "install");
    if (!existsSync(join(folder, "build/main.js"))) throw new Error("npm install did not build the project");
    did(`made and installed in ${seconds(start)}`);
  }
  for (const [index, { args, prints }] of inspected.entries()) {
    await inspectInBothEras(cli, folder, args, prints);
    if (index === 0) did(`a result of inspect in both eras after ${seconds(start)}`);
  }
  if (name === "minimal") {
    const { bytes, unpacked } = await bundleProject(cli, folder, join(stage, "bundled"), patienceMs);
    await inspectInBothEras(cli, unpacked, ["build/main.mjs", "--call", "greet", "--arg", "name=Ada"], "Hello, Ada!");
    did(`a bundle of ${bytes} bytes, which the official validator accepts, used in both eras without node_modules`);
  }
  if (name === "queue") {
    const { urls, end } = await startNodes(folder);
    try {
      for (const url of urls) await inspectInBothEras(cli, folder, [url, "--call", "take_ticket"], "Ticket ");
    } finally {
      await end();
    }
    did("inspect of two nodes");
  }
  const { scripts } = manifestIn(folder);
  const checks = ["typecheck", "lint"].filter((script) => script in scripts);
  const [tested] = await Promise.all([
    "test" in scripts ? npm(folder, "test") : undefined,
    ...checks.map((script) => npm(folder, "run", script)),
    run([cli, "update", folder, "--check"], { cwd: stage, patienceMs }),
  ]);
  if (tested) {
    const count = /Tests\s.*?(\d+) passed/.exec(withoutColours(tested.out))?.[1];
    if (count === undefined) throw new Error(`npm test passed no test:\n${tested.out}`);
    did([...checks, `${count} tests`].join(", "));
  }

  const runs = await Promise.all(
    eras.map(async (era) => {
      let count = 0;
      // HTTP+SSE exists only in the older era.
      const ways = reached.filter(({ transport }) => transport !== "sse" || era === "legacy");
      for (const way of ways) count += await inspect(folder, home, project, way, era);
      return ways.length > 0 ? `${era} over ${ways.map(({ transport }) => transport).join(", ")}: ${count} runs` : "";
    }),
  );
  if (reached.length > 0) did(`Inspector ${runs.join(", ")}`);
  if (name === "chat") {
    await chat(folder, join(stage, "server"), home);
    did("a chat with two servers");
  }
}

async function inspectInBothEras(cli: string, cwd: string, args: readonly string[], prints: string): Promise<void> {
  const printed = await Promise.all(
    [[], ["--revision", olderRevision]].map((era) => run([cli, "inspect", ...args, ...era], { cwd, patienceMs })),
  );
  for (const { out } of printed)
    if (!out.includes(prints)) throw new Error(`inspect ${args.join(" ")} did not print ${prints}:\n${out}`);
}

function npm(cwd: string, ...args: readonly string[]): Promise<Printed> {
  const options = args[0] === "install" ? ["--no-audit", "--no-fund", "--prefer-offline"] : [];
  const [program, all] = npmCommand([...args, ...options]);
  return run([program, ...all], { cwd, patienceMs, env: { CI: "true" } });
}

/** Whether a folder has installed all packages that another one needs. */
function hasPackagesOf(installed: string, needing: string): boolean {
  const there = new Set(Object.entries(packagesOf(installed)).map(String));
  return Object.entries(packagesOf(needing)).every((one) => there.has(String(one)));
}

function packagesOf(folder: string): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = manifestIn(folder);
  return { ...dependencies, ...devDependencies };
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function withoutColours(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters set the colours of a terminal
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
