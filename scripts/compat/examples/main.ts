/**
 * Compiles and runs examples of the official SDK on our packages, without a change of a source file:
 * `npm run compat:examples -- --examples <folder> [--only <story or guide>]... [--original | --native] [--server official]
 * [--client official] [--no-run | --no-compile]`. The folder is the one of the official repository, or one of the same form. `--original` uses
 * the official packages; with `--native`, `mcpwright migrate --native` first rewrites a copy of the examples.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeStage, type Packages, type Stage } from "../stage.js";
import { compile, type Errors } from "./compile.js";
import { type LegResult, runLeg } from "./legs.js";
import { printReport, type Row } from "./report.js";
import { readGuides, readStories, type Story } from "./stories.js";

const { values } = parseArgs({
  options: {
    examples: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    original: { type: "boolean", default: false },
    native: { type: "boolean", default: false },
    server: { type: "string" },
    client: { type: "string" },
    jobs: { type: "string", default: "2" },
    run: { type: "boolean", default: true },
    compile: { type: "boolean", default: true },
  },
  allowNegative: true,
});
if (values.examples === undefined) throw new Error("--examples must name the folder with the examples");
const examples = resolve(values.examples);
const [server, client] = [packagesOf("server"), packagesOf("client")];
const isWanted = (name: string): boolean =>
  values.only.length === 0 ||
  values.only.some((part) => name === part || name.startsWith(`${part}/`) || name === `guides/${part}`);
const stories = readStories(examples).filter(({ name }) => isWanted(name));
const guides = readGuides(examples).filter(isWanted);
if (stories.length + guides.length === 0) throw new Error(`${examples} has no example ${values.only.join(", ")}`);

const shared = existsSync(join(examples, "shared/src")) ? ["shared/src"] : [];

const clientStage = await makeStage(examples, client);
const serverStage = server === client ? clientStage : await makeStage(examples, server);
try {
  if (server !== client) passOn(clientStage, serverStage);
  const errors = values.compile ? compile(serverStage.folder, partsToCompile()) : undefined;
  const rows: readonly Row[] = [
    ...(await runStories(errors)),
    ...shared.map((name): Row => ({ name, errors: errorsIn(errors, name), legs: [], todos: todosIn(name) })),
    ...guides.map((name): Row => ({ name, errors: errorsIn(errors, name), legs: [], todos: todosIn(name) })),
  ];
  const declarations = errorsIn(errors, "../node_modules") ?? [];
  if (!printReport(rows, declarations, values.only.length > 0)) process.exitCode = 1;
} finally {
  for (const stage of new Set([clientStage, serverStage])) stage.remove();
}

function packagesOf(side: "server" | "client"): Packages {
  const stated = values[side] ?? (values.original ? "official" : values.native ? "native" : "ours");
  if (stated !== "ours" && stated !== "official" && stated !== "native")
    throw new Error(`--${side} must be ours, native or official`);
  return stated;
}

function partsToCompile(): readonly string[] {
  return [...stories.map(({ name }) => name), ...guides, ...shared];
}

/** Runs the stories, several at once. The legs of a story run one after the other. */
async function runStories(errors: Errors | undefined): Promise<readonly Row[]> {
  const rows = stories.map((story): Row & { legs: LegResult[] } => ({
    name: story.name,
    errors: errorsIn(errors, story.name),
    legs: [],
    todos: todosIn(story.name),
  }));
  if (!values.run) return rows;
  const waiting = stories.map((story, index): [Story, LegResult[]] => [story, rows[index]?.legs ?? []]);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [story, legs] = next;
      for (const leg of story.legs)
        legs.push(await runLeg(story, leg, { client: clientStage.folder, server: serverStage.folder }));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return rows;
}

function errorsIn(errors: Errors | undefined, path: string): readonly string[] | undefined {
  return errors && [...errors].flatMap(([file, some]) => (isIn(path, file) ? some : []));
}

/** Whether a file is at a path, or below it. */
function isIn(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

function todosIn(path: string): readonly string[] {
  const all = [...new Set([clientStage, serverStage])].flatMap(({ todos }) => todos);
  return all.filter((one) => isIn(`examples/${path}`, one.path)).map((one) => `${one.path}:${one.line}: ${one.text}`);
}

/** Clients start the servers that are next to them: these then run those of the other stage. */
function passOn(from: Stage, to: Stage): void {
  for (const { name } of readStories(examples)) {
    const file = join("examples", name, "server.ts");
    if (existsSync(join(to.folder, file)))
      writeFileSync(join(from.folder, file), `await import(${JSON.stringify(join(to.folder, file))});\n`);
  }
}
