import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inTurns, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { type Compiler, compilers, floor, ours, type Subject, subjects, zod } from "./subjects.js";

const bench = resolve(import.meta.dirname, "..");

/** The compiler's diagnostics of one run. */
export interface Compilation {
  readonly instantiations: number;
  readonly types: number;
  readonly files: number;
  /** Time of the check phase. */
  readonly checkMs: number;
  readonly totalMs: number;
}

export interface TypesRow extends Pick<Compilation, "instantiations" | "types" | "files"> {
  readonly name: string;
  readonly checkMs: Spread;
  readonly totalMs: Spread;
  /** Time beyond that of a project that imports nothing. */
  readonly overFloorMs: Spread;
  /** mcpwright's figures relative to this peer's, as ratios within the rounds. Only for peers. */
  readonly oursOf?: {
    readonly instantiations: number;
    readonly checkMs: Spread;
    readonly totalMs: Spread;
    readonly overFloorMs: Spread;
    readonly overZodMs: Spread;
  };
}

/** The results with one compiler. */
export interface CompilerRows {
  readonly version: string;
  readonly rows: readonly TypesRow[];
}

/** Runs every program once, then compiles all projects in turns, with one compiler after the other. */
export async function measureTypes(stage: Stage, rounds: number): Promise<readonly CompilerRows[]> {
  for (const subject of subjects) prepare(stage, subject);
  const found: CompilerRows[] = [];
  for (const compiler of compilers) {
    const samples = new Map(subjects.map(({ script }) => [script, [] as Compilation[]]));
    await inTurns(subjects, rounds + 1, async ({ script }, round) => {
      const sample = compile(compiler, projectOf(stage, script));
      // The first round only fills the file cache.
      if (round > 0) samples.get(script)?.push(sample);
    });
    found.push({ version: versionOf(compiler), rows: rowsOf(samples) });
  }
  return found;
}

function rowsOf(samples: ReadonlyMap<string, readonly Compilation[]>): readonly TypesRow[] {
  const of = (script: string, member: keyof Compilation): readonly number[] =>
    (samples.get(script) ?? []).map((sample) => sample[member]);
  const over = (base: string, script: string): readonly number[] =>
    of(script, "totalMs").map((totalMs, round) => totalMs - (of(base, "totalMs")[round] ?? NaN));
  return subjects.map(({ name, script, isPeer }) => ({
    name,
    instantiations: spreadOf(of(script, "instantiations")).median,
    types: spreadOf(of(script, "types")).median,
    files: spreadOf(of(script, "files")).median,
    checkMs: spreadOf(of(script, "checkMs")),
    totalMs: spreadOf(of(script, "totalMs")),
    overFloorMs: spreadOf(over(floor, script)),
    ...(isPeer && {
      oursOf: {
        instantiations: ratios(of(ours, "instantiations"), of(script, "instantiations")).median,
        checkMs: ratios(of(ours, "checkMs"), of(script, "checkMs")),
        totalMs: ratios(of(ours, "totalMs"), of(script, "totalMs")),
        overFloorMs: ratios(over(floor, ours), over(floor, script)),
        overZodMs: ratios(over(zod, ours), over(zod, script)),
      },
    }),
  }));
}

function projectOf({ folder }: Stage, script: string): string {
  return join(folder, `project-${script}`);
}

/** Runs the programs, and copies their sources into the stage, where the packages are installed. */
function prepare(stage: Stage, { script }: Subject): void {
  const client = stage.script(`${script}/client`);
  const program = existsSync(client) ? [client, stage.script(`${script}/server`)] : [stage.script(`${script}/program`)];
  const said = execFileSync(process.execPath, program, { encoding: "utf8", timeout: 60_000 });
  if (!said.startsWith("ok")) throw new Error(`the program of ${script} printed: ${said}`);
  const project = projectOf(stage, script);
  cpSync(join(import.meta.dirname, script), project, { recursive: true });
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(options));
}

/** The options of `tsc --init` for Node, without output files. */
const options = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(bench, "node_modules/@types")],
  },
  include: ["*.ts"],
};

function compile({ folder, options: more }: Compiler, project: string): Compilation {
  const compiler = join(bench, "node_modules", folder, "bin/tsc");
  const args = [compiler, "-p", project, "--extendedDiagnostics", ...more];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`${project} does not compile:\n${stdout}`);
  const figure = (name: string): number => {
    const found = new RegExp(`^${name}: +([\\d.]+)`, "m").exec(stdout)?.[1];
    if (found === undefined) throw new Error(`the compiler does not report "${name}"`);
    return Number(found);
  };
  return {
    instantiations: figure("Instantiations"),
    types: figure("Types"),
    files: figure("Files"),
    checkMs: figure("Check time") * 1_000,
    totalMs: figure("Total time") * 1_000,
  };
}

function versionOf({ folder }: Compiler): string {
  const manifest = readFileSync(join(bench, "node_modules", folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
