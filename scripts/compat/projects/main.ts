/**
 * Migrates servers on version 1 of the official SDK, and compares them with the originals:
 * `npm run compat:projects -- --project <folder> [--level compat | --level native] [--only <part of a name>] [--all] [--no-test]`. The folder has a
 * package with a program that serves stdio, or is the root of a monorepo with such packages, such as the repository of the official servers. Each
 * level gets a copy of the folder, in which `mcpwright migrate`, `npm install`, `npm run build` and the tests run. Both servers get the same
 * questions, from a client without capabilities and from one that has all; `--all` prints the described differences, too.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type LocalRegistry, startLocalRegistry } from "../../local-registry.js";
import { packageFolders } from "../../packages.js";
import { differencesOf, printDifference, steady } from "../servers/compare.js";
import { fullClient, fullClientQuestions } from "../servers/full-client.js";
import { type Exchange, interview, type NextQuestion } from "../servers/questions.js";
import { servers } from "../servers/servers.js";
import { type ClientSide, plainClient, startSession } from "../servers/talk.js";
import { knownDifferencesOf } from "./known.js";
import { type BuiltPackage, buildProject, type BuiltProject, type Level, runTests } from "./project.js";

const { values } = parseArgs({
  options: {
    project: { type: "string" },
    level: { type: "string", multiple: true, default: ["compat", "native"] },
    only: { type: "string" },
    all: { type: "boolean", default: false },
    test: { type: "boolean", default: true },
  },
  allowNegative: true,
});
if (values.project === undefined) throw new Error("--project must name the folder of a package or a monorepo");
const project = resolve(values.project);
const levels = values.level.filter((one): one is Exclude<Level, "original"> => one === "compat" || one === "native");
if (levels.length < values.level.length) throw new Error("--level must be compat or native");

const stage = mkdtempSync(join(tmpdir(), "mcpwright-projects-"));
let registry: LocalRegistry | undefined;
try {
  registry = await startLocalRegistry(join(stage, "tarballs"), packageFolders);
  const { npmrc } = registry;
  const original = await buildProject(project, join(stage, "original"), "original", npmrc);
  const wanted = original.packages.filter(({ name }) => name.includes(values.only ?? ""));
  if (wanted.length === 0) throw new Error(`no package of ${project} has a program`);
  for (const level of levels) {
    console.log(`\n--${level}`);
    const migrated = await buildProject(project, join(stage, level), level, npmrc);
    for (const one of wanted) await report(one, level, migrated);
  }
} finally {
  registry?.close();
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
}

async function report(original: BuiltPackage, level: Level, migrated: BuiltProject): Promise<void> {
  const { name, path } = original;
  const copy = migrated.packages.find((one) => one.name === name);
  if (!copy) throw new Error(`${name} is missing after migrate --${level}`);
  const todos = migrated.todos.filter((todo) => todo.path.startsWith(path === "." ? "" : `${path}/`));
  const facts = [`${copy.errors.length} errors of the compiler`, `${todos.length} places to decide`];
  const lines = copy.errors.map((line) => `  ${line}`);
  if (values.test) {
    const tests = runTests(join(stage, level, path));
    if (tests) facts.push(`${tests.passed} of ${tests.passed + tests.failed} of its tests pass`);
    if (tests?.success === false) process.exitCode = 1;
  }
  // A server with errors may start and answer nothing.
  if (copy.errors.length === 0) await compareAnswers(original, copy, level, facts, lines);
  else process.exitCode = 1;
  console.log(`${name}: ${facts.join(", ")}`);
  for (const line of lines) console.log(line);
}

async function compareAnswers(
  original: BuiltPackage,
  copy: BuiltPackage,
  level: Level,
  facts: string[],
  lines: string[],
): Promise<void> {
  const { name } = original;
  const known = knownDifferencesOf(level);
  for (const [client, title, own] of [
    [plainClient, "answers", questionsFor(name)],
    [fullClient, "answers to a client with all capabilities", () => fullClientQuestions[name] ?? []],
  ] as const) {
    const theirs = await answersOf(original, "original", client, own);
    const ours = await answersOf(copy, level, client, own);
    const differences = differencesOf(name, theirs.exchanges, ours.exchanges);
    const unknown = differences.filter((one) => !known.some(({ covers }) => covers(one)));
    facts.push(`${theirs.exchanges.length - differences.length} of ${theirs.exchanges.length} ${title} are equal`);
    if (differences.length > unknown.length) facts.push(`${differences.length - unknown.length} differ as described`);
    lines.push(...(values.all ? differences : unknown).map(printDifference));
    const [missing, added] = [without(theirs.received, ours.received), without(ours.received, theirs.received)];
    lines.push(...missing.map((one) => `  sent only by the original: ${one}`));
    lines.push(...added.map((one) => `  sent only by the migrated server: ${one}`));
    if (unknown.length > 0) process.exitCode = 1;
  }
}

function questionsFor(name: string): (folder: string) => readonly NextQuestion[] {
  return servers.find((one) => one.name === name)?.questions ?? (() => []);
}

async function answersOf(
  { name, path, program }: BuiltPackage,
  level: Level,
  client: ClientSide,
  questions: (folder: string) => readonly NextQuestion[],
): Promise<{ readonly exchanges: readonly Exchange[]; readonly received: readonly string[] }> {
  // All get a folder of the same name, since answers contain it.
  const folder = join(stage, "files");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const server = servers.find((one) => one.name === name);
  const session = startSession(
    {
      command: [process.execPath, join(stage, level, path, program), ...(server?.args(folder) ?? [])],
      cwd: folder,
      environment: server?.environment(folder) ?? {},
    },
    client,
  );
  try {
    const exchanges = await interview(session, questions(folder));
    return { exchanges, received: session.received().map((one) => JSON.stringify(steady(one))) };
  } finally {
    await session.end();
  }
}

/** The items of a list that another one does not have, or less often. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return all.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
